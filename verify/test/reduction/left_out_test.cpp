// SPDX-License-Identifier: Apache-2.0
// Races with what iterations of waiting loops access that are left out.
#include "../programs/behind_loops.hpp"
#include "../programs/expect.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_result search(void (*program)(), exploration_options options = {}) {
    options.limits.reduce.symmetry = true;
    const exploration_result found = explore(program, options);
    CHECK_FALSE(found.stopped);
    CHECK(found.bounds.empty());
    return found;
}

bool races(void (*program)(), const exploration_options& options = {}) {
    return search(program, options).error.kind == failure_kind::data_race;
}

} // namespace

TEST_CASE("what a thread does behind a loop without being ordered races with the iterations of the loop") {
    exploration_options options;
    SECTION("in one process") {}
    SECTION("in two") {
        options.jobs = 2;
        options.share_after = 0;
    }
    SECTION("with the first iteration kept anyway") { options.limits.keep_iterations = true; }
    CHECK(races(programs::sees_behind_loop_unordered, options));
    CHECK(races(programs::sees_behind_loop_half_ordered, options));
    CHECK_FALSE(races(programs::sees_behind_loop, options));
    CHECK(races(programs::sees_local_behind_loop_unordered, options));
    CHECK_FALSE(races(programs::sees_local_behind_loop, options));
    CHECK(races(programs::sees_local_told_behind_loop_unordered, options));
    CHECK_FALSE(races(programs::sees_local_told_behind_loop, options));
}

TEST_CASE("what an iteration accesses again needs no iteration, unless others may be ordered in between") {
    const exploration_result found = search(programs::sees_what_is_written_before_loop);
    CHECK(found.error.kind == failure_kind::data_race);
    CHECK(found.discarded == 0); // one search
    CHECK(races(programs::sees_what_is_told_before_loop));
    CHECK(races(programs::sees_what_is_read_before_loop)); // and written in the loop
}

TEST_CASE("iterations that nobody can race with are left out from the beginning") {
    exploration_options kept;
    kept.limits.keep_iterations = true;
    const exploration_result found = search(programs::sees_behind_loop);
    CHECK(found.discarded == 0);
    CHECK(found.executions < search(programs::sees_behind_loop, kept).executions);
}

TEST_CASE("iterations of two loops race") {
    CHECK(races(programs::races_in_two_loops));
    CHECK(races(programs::races_in_alike_loops));
    CHECK(races(programs::races_in_two_loops_behind_looks));
    CHECK_FALSE(races(programs::writes_in_one_loop));
}

TEST_CASE("iterations that write what an alike thread began with race with one that is told where") {
    CHECK(races(programs::sees_behind_alike_loop_unordered));
    CHECK(search(programs::sees_behind_alike_loop).error.message == "");
}

TEST_CASE("a search that is stopped anywhere finds the race when it goes on") {
    unsigned stops = 0;
    for (auto* const program :
         {programs::races_in_two_loops, programs::races_in_alike_loops, programs::sees_behind_loop_unordered,
          programs::sees_local_behind_loop_unordered, programs::frees_behind_loop_unordered})
        for (std::uint64_t n = 1;; ++n) {
            exploration_options part;
            part.limits.reduce.symmetry = true;
            part.limits.executions = n;
            const exploration_result stopped = explore(program, part);
            if (!stopped.stopped) break;
            exploration_options rest;
            rest.resume = &stopped;
            CHECK(races(program, rest));
            ++stops;
        }
    CHECK(stops > 4);
}

TEST_CASE("what is freed behind a loop was read by the iterations of the loop") {
    CHECK(races(programs::frees_behind_loop_unordered));
    CHECK_FALSE(races(programs::frees_behind_loop));
}

TEST_CASE("a poll under a lock races with what is written behind it without the lock") {
    CHECK(races(programs::writes_behind_poll_unlocked));
    // Whoever polled before `ready` was set let go of the lock before that.
    CHECK_FALSE(races(programs::writes_behind_poll_locked));
}
