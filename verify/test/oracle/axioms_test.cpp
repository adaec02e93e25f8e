// SPDX-License-Identifier: Apache-2.0
// Single graphs, each consistent or not for one reason.
#include "axioms.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::oracle {
namespace {

using namespace write;

/// Runs threads in the order given, one operation each; a read takes the nth write of its location.
struct step {
    int thread;
    std::size_t reads_nth = 0;
};

graph build(const program& what, const std::vector<step>& steps) {
    graph made(what);
    for (const step& next : steps) made.extend(next.thread, made.choices(next.thread).at(next.reads_nth));
    return made;
}

bool allowed(const graph& what, memory_model model) { return consistent(relations(what, model), model); }

} // namespace

TEST_CASE("store buffering is for rc11 but not for sc") {
    const program sb{{store(0, 1, rlx), load(1, rlx, 0)}, {store(1, 1, rlx), load(0, rlx, 0)}};
    const graph weak = build(sb, {{0}, {0, 0}, {1}, {1, 0}});
    CHECK(allowed(weak, memory_model::rc11));
    CHECK_FALSE(allowed(weak, memory_model::sc));
    const program fenced{{store(0, 1, rlx), fence(sc), load(1, rlx, 0)},
                         {store(1, 1, rlx), fence(sc), load(0, rlx, 0)}};
    CHECK_FALSE(allowed(build(fenced, {{0}, {0}, {0, 0}, {1}, {1}, {1, 0}}), memory_model::rc11));
}

TEST_CASE("two read-modify-writes cannot read from the same write") {
    const program two{{fetch_add(0, 1, rlx)}, {fetch_add(0, 1, rlx)}};
    CHECK_FALSE(allowed(build(two, {{0, 0}, {1, 0}}), memory_model::rc11));
    CHECK_FALSE(allowed(build(two, {{0, 0}, {1, 0}}), memory_model::sc));
    CHECK(allowed(build(two, {{0, 0}, {1, 1}}), memory_model::rc11));
}

TEST_CASE("reads of one thread cannot go back in coherence order") {
    const program corr{{store(0, 1, rlx)}, {load(0, rlx, 0), load(0, rlx, 1)}};
    CHECK_FALSE(allowed(build(corr, {{0}, {1, 1}, {1, 0}}), memory_model::rc11));
    CHECK(allowed(build(corr, {{0}, {1, 0}, {1, 1}}), memory_model::rc11));
}

TEST_CASE("synchronisation needs both sides, be they accesses or fences, and passes through an RMW") {
    const auto reads_stale_after_flag = [](const thread_code& writer, const thread_code& reader) {
        const program both{writer, reader};
        graph made(both); // the reader sees the flag and then the initial datum
        while (!made.finished(0)) made.extend(0, made.choices(0).front());
        bool flag = true;
        while (!made.finished(1)) {
            const std::vector<choice> ways = made.choices(1);
            made.extend(1, flag ? ways.back() : ways.front());
            flag = false;
        }
        return allowed(made, memory_model::rc11);
    };
    const thread_code release{store(0, 1, rlx), store(1, 1, rel)};
    const thread_code release_fence{store(0, 1, rlx), fence(rel), store(1, 1, rlx)};
    const thread_code relaxed_writer{store(0, 1, rlx), store(1, 1, rlx)};
    const thread_code acquire{load(1, acq, 0), load(0, rlx, 1)};
    const thread_code acquire_fence{load(1, rlx, 0), fence(acq), load(0, rlx, 1)};
    const thread_code relaxed_reader{load(1, rlx, 0), load(0, rlx, 1)};
    CHECK_FALSE(reads_stale_after_flag(release, acquire));
    CHECK_FALSE(reads_stale_after_flag(release, acquire_fence));
    CHECK_FALSE(reads_stale_after_flag(release_fence, acquire));
    CHECK_FALSE(reads_stale_after_flag(release_fence, acquire_fence));
    CHECK(reads_stale_after_flag(relaxed_writer, acquire));
    CHECK(reads_stale_after_flag(release, relaxed_reader));
    const thread_code extended{store(0, 1, rlx), store(1, 1, rel), fetch_add(1, 1, rlx)};
    const thread_code overwritten{store(0, 1, rlx), store(1, 1, rel), store(1, 2, rlx)};
    CHECK_FALSE(reads_stale_after_flag(extended, acquire));
    CHECK(reads_stale_after_flag(overwritten, acquire));
}

TEST_CASE("plain accesses race unless happens-before orders them or both are reads") {
    const auto race = [](const graph& what) { return has_race(relations(what, memory_model::rc11)); };
    CHECK(race(build({{plain_store(0, 1)}, {plain_load(0, 0)}}, {{0}, {1, 0}})));
    CHECK_FALSE(race(build({{plain_load(0, 0)}, {plain_load(0, 0)}}, {{0, 0}, {1, 0}})));
    const program handed_over{{plain_store(0, 1), store(0, 1, rel)}, {load(0, acq, 0), plain_load(0, 1)}};
    CHECK_FALSE(race(build(handed_over, {{0}, {0}, {1, 1}, {1, 1}})));
    CHECK(race(build(handed_over, {{0}, {0}, {1, 0}, {1, 1}})));
}

} // namespace ringproof::verify::oracle
