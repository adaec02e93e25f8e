// SPDX-License-Identifier: Apache-2.0
#include "../../src/graph/graph.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

using namespace ringproof::verify;

namespace {

constexpr thread_id threads = 3;
constexpr std::uintptr_t base = 0x1000;

/// Everything that a graph says of itself, by looking at each event and location.
struct picture {
    std::vector<std::vector<event_id>> co, readers, by_thread;
    std::vector<event_id> by_stamp, last_reads, with_addresses;
    std::map<std::uintptr_t, location_id> found;
    std::size_t seq_cst = 0;
    bool operator==(const picture&) const = default;
};

picture picture_of(const graph& g) {
    picture p;
    for (location_id l = 0; l < g.locations(); ++l) {
        p.co.push_back(g.loc(l).co);
        p.found[g.loc(l).address] = g.find(g.loc(l).address);
        for (thread_id t = 0; t < threads; ++t) {
            std::vector<event_id> reads; // its thread's reads of it, the last one first
            for (event_id r = g.loc(l).last_read[t]; r != none; r = g.at(r).earlier_read) reads.push_back(r);
            p.last_reads.insert(p.last_reads.end(), reads.begin(), reads.end());
        }
        for (const event_id w : g.loc(l).co) {
            std::vector<event_id> readers;
            for (event_id r = g.at(w).first_reader; r != none; r = g.at(r).next_reader) readers.push_back(r);
            std::sort(readers.begin(), readers.end());
            p.readers.push_back(readers);
        }
    }
    for (thread_id t = 0; t < threads; ++t) {
        p.by_thread.emplace_back();
        for (unsigned i = 1; i <= g.thread_size(t); ++i) p.by_thread.back().push_back(g.in_thread(t, i));
    }
    for (event_id e = g.newest(); e != none; e = g.at(e).older) p.by_stamp.push_back(e);
    p.seq_cst = g.seq_cst();
    p.with_addresses = g.with_addresses();
    return p;
}

event next_of(const graph& g, thread_id t, event_kind kind, std::uint32_t stamp) {
    event e;
    e.kind = kind;
    e.thread = t;
    e.index = static_cast<std::uint32_t>(g.thread_size(t) + 1);
    e.stamp = stamp;
    return e;
}

class random_graph {
  public:
    explicit random_graph(unsigned seed) : random_(seed) {}
    graph g;
    void grow() {
        if (g.locations() == 0 || below(6) == 0) {
            g.open(base + 8 * below(12), 8, true, below(100));
            return;
        }
        const auto l = static_cast<location_id>(below(g.locations()));
        const auto t = static_cast<thread_id>(below(threads));
        const unsigned kind = below(3);
        event e = next_of(g, t,
                          kind == 0   ? event_kind::read
                          : kind == 1 ? event_kind::write
                                      : event_kind::fence,
                          below(5) == 0 ? stamp_ / 2 : ++stamp_);
        if (below(2) == 0) e.mo = order::seq_cst;
        if (below(8) == 0) e.mo = order::plain;
        if (below(3) == 0) e.value = value_t{below(2)} << 60 | value_t{below(2)} << 40 | below(9);
        e.lock = kind < 2 && below(9) == 0;
        const auto& co = g.loc(l).co;
        if (kind < 2) e.location = l;
        if (kind == 0) e.rf = co[below(co.size())];
        if (kind == 1) e.co_index = 1 + below(co.size());
        g.push(e);
    }
    unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }

  private:
    std::mt19937 random_;
    std::uint32_t stamp_ = 0;
};

} // namespace

TEST_CASE("a graph that events are taken off again is what it was before they came") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        random_graph r(seed);
        std::vector<picture> before; // by the graph's size
        for (unsigned step = 0; step < 60; ++step) {
            before.resize(r.g.size());
            before.push_back(picture_of(r.g));
            r.grow();
            if (r.below(4) != 0) continue;
            r.g.pop_to(r.below(r.g.size()));
            REQUIRE((picture_of(r.g) == before[r.g.size()]));
        }
    }
}

TEST_CASE("events that were taken off a graph come back as they were") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        random_graph r(seed);
        for (unsigned step = 0; step < 40; ++step) r.grow();
        const picture whole = picture_of(r.g);
        const std::size_t keep = r.below(r.g.size());
        events aside;
        r.g.copy_from(keep, aside);
        r.g.pop_to(keep);
        for (std::size_t i = 0; i < aside.size(); ++i) r.g.push(aside[i]);
        REQUIRE((picture_of(r.g) == whole));
    }
}

TEST_CASE("a graph knows which accesses of memory may have an address for their value") {
    random_graph r(5);
    for (unsigned step = 0; step < 400; ++step) {
        r.grow();
        std::vector<event_id> expected;
        for (event_id i = 0; i < r.g.size(); ++i) {
            const event& e = r.g.at(i);
            const bool wide = e.value > 0xffff'ffff; // also above 48 bits, and in the second of two words
            if (e.is_access() && !e.lock && (wide || e.mo == order::plain)) expected.push_back(i);
        }
        REQUIRE(r.g.with_addresses() == expected);
    }
}

TEST_CASE("a graph knows each write's place in coherence order, and the next one") {
    random_graph r(7);
    for (unsigned step = 0; step < 80; ++step) r.grow();
    for (location_id l = 0; l < r.g.locations(); ++l) {
        const auto& co = r.g.loc(l).co;
        for (std::size_t i = 0; i < co.size(); ++i) {
            CHECK(r.g.co_place(co[i]) == i);
            CHECK(r.g.co_next(co[i]) == (i + 1 < co.size() ? co[i + 1] : none));
            CHECK(r.g.co_last(co[i]) == (i + 1 == co.size()));
        }
    }
}

TEST_CASE("locations that overlap are found by any of their bytes, and the older one has lost its own") {
    graph g;
    const location_id word = g.open(base, 8, true, 1);
    CHECK(g.current(word));
    const location_id half = g.open(base + 4, 4, true, 2, true);
    std::vector<location_id> found;
    g.each_at(base + 5, 1, [&](location_id l) { found.push_back(l); });
    CHECK(found == std::vector<location_id>{word, half});
    CHECK(!g.current(word));
    CHECK(g.current(half));
    g.pop();
    CHECK(g.current(word));
}

TEST_CASE("clocks of events keep what they say when more threads become known") {
    clock_groups::reset();
    graph g;
    g.fit_clocks();
    g.open(base, 8, true, 0);
    event e = next_of(g, 1, event_kind::fence, 1);
    e.porf().clear();
    e.hb().clear();
    e.release().clear();
    e.hb().set(1, 70'000);
    const event_id id = g.push(e);
    clock_groups::extend_to(17);
    g.fit_clocks();
    CHECK(g.at(id).hb()[1] == 70'000);
    CHECK(g.at(id).hb()[17] == 0);
    CHECK(g.at(id).index == 1);
    g.at(id).hb().set(17, 3);
    CHECK(g.at(id).hb()[1] == 70'000);
    CHECK(g.at(id).hb().includes(17, 3));
    CHECK(!g.at(id).hb().includes(17, 4));
    clock_groups::reset();
}
