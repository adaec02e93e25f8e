// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::fork_join {
namespace {

step on(step_kind what, int first, int size = 1) { return {what, first, size, 0}; }
step start(int thread) { return {step_kind::start, 0, 1, thread}; }
step join(int thread) { return {step_kind::join, 0, 1, thread}; }

program with(std::vector<std::vector<step>> threads) { return {std::move(threads), oracle::storage::stack}; }

} // namespace

TEST_CASE("a start orders what comes before it, a join what the thread did, and nothing else does") {
    const step write = on(step_kind::write, 0), read = on(step_kind::read, 0);
    CHECK(judge(with({{write, start(1), join(1), write}, {read}})).race.empty());
    CHECK_FALSE(judge(with({{start(1), write, join(1)}, {read}})).race.empty());
    CHECK(judge(with({{start(1), read, join(1)}, {read}})).race.empty());
    CHECK_FALSE(judge(with({{start(1), start(2), join(1), join(2)}, {write}, {read}})).race.empty());
    CHECK(judge(with({{start(1), join(1), start(2), join(2)}, {write}, {read}})).race.empty());
}

TEST_CASE("what a thread started does happens before who joins that thread only if it was joined itself") {
    const step write = on(step_kind::write, 0), read = on(step_kind::read, 0);
    CHECK(judge(with({{start(1), join(1), write}, {start(2), join(2)}, {read}})).race.empty());
    CHECK_FALSE(judge(with({{start(1), join(1), write}, {start(2)}, {read}})).race.empty());
}

TEST_CASE("pieces race where they have a byte in common") {
    CHECK(judge(with({{start(1), on(step_kind::write, 0, 3), join(1)}, {on(step_kind::read, 3, 5)}}))
              .race.empty());
    CHECK_FALSE(judge(with({{start(1), on(step_kind::write, 0, 4), join(1)}, {on(step_kind::read, 3, 5)}}))
                    .race.empty());
}

TEST_CASE("two atomic accesses do not race, an atomic and a plain one do unless both read") {
    const step word = on(step_kind::atomic_write, 4, 4), look = on(step_kind::atomic_read, 4, 4);
    CHECK(judge(with({{start(1), word, join(1)}, {look}})).race.empty());
    CHECK(judge(with({{start(1), on(step_kind::read, 4), join(1)}, {look}})).race.empty());
    CHECK_FALSE(judge(with({{start(1), on(step_kind::write, 4), join(1)}, {look}})).race.empty());
    CHECK_FALSE(judge(with({{start(1), on(step_kind::read, 4), join(1)}, {word}})).race.empty());
}

TEST_CASE("a read sees what was written last") {
    const judgement found =
        judge(with({{on(step_kind::write, 0, 2), start(1), join(1), on(step_kind::read, 0, 2)},
                    {on(step_kind::read, 1), on(step_kind::write, 1)}}));
    CHECK(found.race.empty());
    CHECK(found.values == std::vector<std::vector<int>>{{0, 0, 0, 1 + 3 * 2}, {1, 0}});
}

TEST_CASE("generated programs have races and have none, and more reads of a granule than any table held") {
    for (std::size_t k = 0; k < kind_names.size(); ++k) {
        int races = 0;
        std::size_t most = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const program code = generate(static_cast<kind>(k), seed);
            races += !judge(code).race.empty();
            std::size_t accesses = 0;
            for (const auto& thread : code.threads) accesses += thread.size();
            most = std::max(most, accesses);
        }
        CAPTURE(kind_names[k], races);
        CHECK(races > 40);
        CHECK(races < 160);
        CHECK(most > 64);
    }
}

} // namespace ringproof::verify::fork_join
