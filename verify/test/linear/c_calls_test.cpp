// SPDX-License-Identifier: Apache-2.0
// Clients that are compiled as C, verify/scenarios/linear/stack.c, through the calls that C has.

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/linear.hpp>

#include <catch2/catch.hpp>

namespace rv = ringproof::verify;
namespace rl = ringproof::verify::linear;

namespace {

rv::exploration_result explore(const char* name, rv::memory_model model) {
    const unsigned number = rl::number_of(name);
    const rl::test& t = rl::find(number);
    rv::exploration_options options;
    options.model = model;
    return rv::explore([&t, number] { t.run(t, number, rl::any_client(number)); }, options);
}

} // namespace

TEST_CASE("a right structure in C is verified by all of its clients") {
    for (const rv::memory_model model : {rv::memory_model::rc11, rv::memory_model::sc}) {
        const rv::exploration_result r = explore("stack_in_c", model);
        INFO(r.error.message);
        CHECK(r.error.kind == rv::failure_kind::nothing);
        CHECK_FALSE(r.stopped);
        CHECK(r.evaluated);
        CHECK(r.executions > 127); // each client has one
    }
}

TEST_CASE("threads of a client in C are stopped behind their writes") {
    const rv::exploration_result r = explore("stack_in_c_is_lock_free", rv::memory_model::rc11);
    INFO(r.error.message);
    CHECK(r.error.kind == rv::failure_kind::nothing);
    CHECK(r.executions > 2 * 27);
}
