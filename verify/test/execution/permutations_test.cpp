// SPDX-License-Identifier: Apache-2.0
// How many executions those stand for that are explored, where it is not n! for each.

#include "../programs/alike.hpp"

#include <ringproof/verify/explore.hpp>

#include <catch2/catch.hpp>

namespace verify = ringproof::verify;

namespace {

std::atomic<int> x{0}, y{0};

void reads_y_writes_x() {
    y.load(std::memory_order_relaxed);
    x.store(2, std::memory_order_relaxed);
}
void reads_x_writes_y() {
    x.load(std::memory_order_relaxed);
    y.store(1, std::memory_order_relaxed);
}

/// Two groups, whose threads read what those of the other wrote, in orders that no one sees.
void groups_that_read_each_other() {
    std::thread threads[4] = {std::thread(reads_y_writes_x), std::thread(reads_y_writes_x),
                              std::thread(reads_x_writes_y), std::thread(reads_x_writes_y)};
    for (std::thread& t : threads) t.join();
}

verify::exploration_result explored(void (*program)(), verify::memory_model model, bool symmetry) {
    verify::exploration_options options;
    options.model = model;
    options.limits.reduce.symmetry = symmetry;
    return verify::explore(program, options);
}

} // namespace

TEST_CASE("executions stand for all in which threads change places, under every model") {
    const auto model = GENERATE(verify::memory_model::sc, verify::memory_model::tso,
                                verify::memory_model::rc11, verify::memory_model::ra);
    const auto program =
        GENERATE(groups_that_read_each_other, programs::alike_threads<programs::write_and_read, 4>);
    const verify::exploration_result all = explored(program, model, false),
                                     some = explored(program, model, true);
    CHECK(some.permutations == Approx(static_cast<double>(all.executions)));
    CHECK(some.executions < all.executions);
}

TEST_CASE("an execution of which several are explored counts once") {
    const auto r = explored(groups_that_read_each_other, verify::memory_model::rc11, true);
    CHECK(r.permutations == Approx(180));
    CHECK(r.executions == 45);
}
