// SPDX-License-Identifier: Apache-2.0
#include "../programs/alike.hpp"
#include "../programs/scaling.hpp"

#include <ringproof/verify/explore.hpp>

#include <catch2/catch.hpp>

#include <set>
#include <string>

namespace verify = ringproof::verify;

namespace {

using body = void (*)();

verify::exploration_result searched(body program, verify::memory_model model, std::uint64_t order) {
    verify::exploration_options options;
    options.model = model;
    options.limits.order_seed = order;
    options.digest = true;
    return verify::explore(program, options);
}

/// The results of six threads, in the order in which the search meets them.
std::string order_of(std::uint64_t order) {
    static int last;
    std::string all;
    verify::exploration_options options;
    options.limits.order_seed = order;
    options.limits.executions = 20;
    options.on_complete = [&] { all += std::to_string(last) + ' '; };
    verify::explore([] { last = programs::in_turn(6); }, options);
    return all;
}

} // namespace

TEST_CASE("the executions are the same, whichever thread goes on next") {
    const body program = GENERATE(body{programs::increments}, body{programs::threads_of_threads},
                                  body{programs::locks_and_waits});
    const verify::memory_model model = GENERATE(verify::memory_model::rc11, verify::memory_model::sc);
    const verify::exploration_result usual = searched(program, model, 0);
    REQUIRE(usual.error.kind == verify::failure_kind::nothing);
    REQUIRE(usual.executions > 5);
    for (std::uint64_t order = 1; order <= 12; ++order) {
        CAPTURE(order);
        const verify::exploration_result other = searched(program, model, order);
        CHECK(other.error.kind == verify::failure_kind::nothing);
        CHECK(other.executions == usual.executions);
        // A digest has the numbers of threads: of those that threads create, by which was met first.
        if (program != programs::threads_of_threads) CHECK(other.digest == usual.digest);
        CHECK(other.blocked == usual.blocked);
    }
}

TEST_CASE("seeds are orders of their own, each always the same") {
    std::set<std::string> orders;
    for (std::uint64_t order = 0; order < 9; ++order) orders.insert(order_of(order));
    CHECK(orders.size() > 6);
    CHECK(order_of(5) == order_of(5));
}

TEST_CASE("alike threads have one execution, whichever thread goes on next") {
    for (std::uint64_t order = 0; order < 9; ++order) {
        verify::exploration_options options;
        options.limits.order_seed = order;
        options.limits.reduce.symmetry = true;
        const verify::exploration_result found =
            verify::explore(programs::alike_threads<programs::increment, 6>, options);
        CAPTURE(order);
        CHECK(found.executions == 1);
        CHECK(found.permutations == 720);
    }
}
