// SPDX-License-Identifier: Apache-2.0
// What a memory model forbids a client to order: store buffering, by each of the model's rules.

#include "programs.hpp"

#include <ringproof/verify/explore.hpp>

#include <catch2/catch.hpp>
#include <string>

namespace rv = ringproof::verify;

namespace {

rv::failure explored(const char* name, rv::memory_model model) {
    rv::exploration_options options;
    options.model = model;
    const rv::exploration_result r = rv::explore([name] { explore_client(name); }, options);
    CHECK(r.executions > 0);
    return r.error;
}

} // namespace

TEST_CASE("in all: psc and sc allow no store buffering, release and acquire do") {
    using rv::failure_kind;
    using rv::memory_model;
    for (const memory_model model : {memory_model::rc11, memory_model::sc})
        for (const std::string name : {"flags in order, in all", "fenced flags, in all"}) {
            const rv::failure f = explored(name.c_str(), model);
            INFO(name << ": " << f.message);
            CHECK(f.kind == failure_kind::nothing);
        }
    CHECK(explored("released flags, in all", memory_model::sc).kind == failure_kind::nothing);
    for (const memory_model model : {memory_model::rc11, memory_model::ra}) {
        const rv::failure f = explored("released flags, in all", model);
        CHECK(f.kind == failure_kind::assertion);
        CHECK_THAT(f.message, Catch::Contains("4 calls"));
    }
}
