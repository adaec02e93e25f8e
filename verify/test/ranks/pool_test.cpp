// SPDX-License-Identifier: Apache-2.0
// Who has which part, whatever ranks do: searches are numbers that are to be counted, each exactly once.
#include "../../ranks/pool.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

using namespace ringproof::verify::ranks;

namespace {

/// A part is the numbers from `from` to `to`.
struct range {
    unsigned from = 0, to = 0;
};
range range_of(const piece& p) {
    range r;
    REQUIRE(std::sscanf(p.text.c_str(), "%u %u", &r.from, &r.to) == 2);
    return r;
}
piece part(const std::string& search, range r, bool whole = false) {
    piece p;
    p.search = search;
    p.text = std::to_string(r.from) + " " + std::to_string(r.to);
    p.whole = whole;
    if (!whole) p.size = r.to - r.from;
    return p;
}

std::vector<piece> in_ranges(const piece& p, std::size_t into) {
    const range r = range_of(p);
    const unsigned n = std::min<unsigned>(static_cast<unsigned>(into), r.to - r.from);
    std::vector<piece> all;
    for (unsigned i = 0; i < n; ++i)
        all.push_back(
            part(p.search, {r.from + (r.to - r.from) * i / n, r.from + (r.to - r.from) * (i + 1) / n}));
    return all;
}

/// What a rank was told last. It goes on with it although another may have it by now.
struct searcher {
    std::uint64_t assignment = 0;
    range what;
    std::string search;
    bool asked = false;
};

const order* first(const std::vector<order>& told, order::kind what) {
    const auto is = [&](const order& o) { return o.what == what; };
    const auto at = std::find_if(told.begin(), told.end(), is);
    return at == told.end() ? nullptr : &*at;
}

/// Ranks that search, die, fall silent and come back as chance has it.
class by_chance {
  public:
    by_chance(unsigned seed, unsigned numbers) : random_(seed), ranks_(1 + random_() % 7) {
        for (const char* name : {"a", "b", "c"}) {
            counted_[name].resize(numbers);
            all_.add(part(name, {0, numbers}, true));
        }
        for (rank_id r = 0; r < ranks_.size(); ++r) all_.idle(r);
        for (; !all_.finished(); ++now_) {
            REQUIRE(now_ < 1e6);
            for (const order& o : all_.orders(now_)) tell(o);
            for (rank_id r = 0; r < ranks_.size(); ++r) go_on(r);
        }
    }
    /// How often each number was counted.
    const std::map<std::string, std::vector<unsigned>>& counted() const { return counted_; }

  private:
    bool one_in(unsigned n) { return random_() % n == 0; }

    void tell(const order& o) {
        searcher& s = ranks_[o.to];
        if (o.what == order::kind::work) s = {o.assignment, range_of(*o.on), o.on->search, false};
        if (o.what == order::kind::stop && s.assignment == o.assignment) s.asked = true;
        if (o.what == order::kind::cancel && s.assignment == o.assignment) s.assignment = 0;
    }

    void go_on(rank_id r) {
        searcher& s = ranks_[r];
        if (silent_.contains(r)) {
            if (!one_in(4)) return;
            silent_.erase(r); // it is there again
            all_.idle(r);
        } else if (s.assignment == 0) {
            return;
        } else if (one_in(20) &&
                   ranks_.size() - silent_.size() > 1) { // thought dead, it goes on all the same
            all_.lost(r);
            silent_.insert(r);
        } else if (!all_.current(r, s.assignment)) { // it is another's meanwhile: nobody hears what it tells
            s.assignment = 0;
        } else if (one_in(15)) {
            all_.died(r);
            s.assignment = 0;
        } else {
            search(r, s);
        }
    }

    void search(rank_id r, searcher& s) {
        const unsigned further = s.what.from + static_cast<unsigned>(random_() % 9);
        if (further < s.what.to && !s.asked && !one_in(3)) return; // its turn goes on
        for (unsigned i = s.what.from; i < std::min(further, s.what.to); ++i) ++counted_[s.search][i];
        if (further >= s.what.to)
            all_.done(r);
        else
            all_.left(r, part(s.search, {further, s.what.to}));
        s.assignment = 0;
    }

    std::mt19937 random_;
    pool all_{{.shortest_turn = 2}, in_ranges};
    std::map<std::string, std::vector<unsigned>> counted_;
    std::vector<searcher> ranks_;
    std::set<rank_id> silent_;
    double now_ = 0;
};

} // namespace

TEST_CASE("a search is divided for ranks that have not said yet that they are there") {
    pool all({.expected = 4}, in_ranges);
    all.add(part("a", {0, 100}, true));
    all.idle(0);
    CHECK(all.orders(0).at(0).divide == 4 * pool::rules().positions);
    pool alone({}, in_ranges);
    alone.add(part("a", {0, 100}, true));
    alone.idle(0);
    CHECK(alone.orders(0).at(0).divide == 0);
}

TEST_CASE("whatever ranks do, each part is searched once") {
    for (unsigned seed = 1; seed <= 3000; ++seed) {
        INFO("seed " << seed);
        const by_chance ranks(seed, 1 + seed % 200);
        for (const auto& [search, counts] : ranks.counted()) {
            INFO(search);
            REQUIRE(std::all_of(counts.begin(), counts.end(), [](unsigned n) { return n == 1; }));
        }
    }
}

TEST_CASE("who has nothing gets a part of what the rank with the most has") {
    pool all({.shortest_turn = 5}, in_ranges);
    all.add(part("s", {0, 10}));
    all.add(part("s", {10, 100}));
    for (const rank_id r : {0u, 1u, 2u}) all.idle(r);
    const auto work = all.orders(0);
    REQUIRE(work.size() == 2);
    CHECK(range_of(*work[0].on).from == 10); // the larger one first
    CHECK(all.orders(4).empty());            // nobody is asked so soon
    const auto asked = all.orders(5);
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].what == order::kind::stop);
    CHECK(asked[0].to == work[0].to);
    CHECK(all.orders(6).empty()); // it was told
    const auto parts = all.left(work[0].to, part("s", {20, 100}));
    REQUIRE(parts.size() == 2);
    const auto shared = all.orders(7);
    REQUIRE(shared.size() == 2);
    CHECK(range_of(*shared[0].on).to - range_of(*shared[0].on).from == 40);
    CHECK(all.busy() == 3);
}

TEST_CASE("who has what cannot be divided is left alone for longer each time") {
    pool all({.shortest_turn = 1}, in_ranges);
    all.add(part("s", {0, 1}));
    all.idle(0);
    all.idle(1);
    double since = 0;
    for (const double turn : {1.0, 2.0, 4.0, 8.0}) {
        rank_id who = 0;
        for (const order& o : all.orders(since))
            if (o.what == order::kind::work) who = o.to;
        CHECK(all.orders(since + turn - 0.1).empty());
        const auto asked = all.orders(since + turn);
        REQUIRE(asked.size() == 1);
        CHECK(asked[0].to == who);
        since += turn;
        CHECK(all.left(who, part("s", {0, 1})).size() == 1);
    }
}

TEST_CASE("the shortest turn follows from what it takes to start a searcher") {
    pool all({.shortest_turn = 1, .turn_per_start = 10}, in_ranges);
    all.add(part("s", {0, 10}));
    all.idle(0);
    all.idle(1);
    all.note_start(0.5);
    all.orders(0);
    CHECK(all.orders(4).empty());
    CHECK(first(all.orders(5), order::kind::stop));
}

TEST_CASE("a search is divided by the first who has it, and asked for only then") {
    pool all({.shortest_turn = 0, .positions = 8}, in_ranges);
    all.add(part("s", {0, 100}, true));
    all.idle(0);
    all.idle(1);
    const auto work = all.orders(0);
    REQUIRE(work.size() == 1);
    CHECK(work[0].divide == 16);
    CHECK(all.orders(1).empty());
    CHECK(all.left(0, part("s", {5, 100})).size() == 4); // two for each, as they are not alike
}

TEST_CASE("a search that cannot be divided is searched to its end by one") {
    pool all({}, in_ranges);
    piece p = part("s", {0, 100}, true);
    p.indivisible = true;
    all.add(p);
    all.idle(0);
    all.idle(1);
    CHECK(all.orders(0).at(0).divide == 1);
    CHECK(all.orders(1000).empty());
}

TEST_CASE("one rank alone divides nothing") {
    pool all({}, in_ranges);
    all.add(part("s", {0, 100}, true));
    all.idle(0);
    CHECK(all.orders(0).at(0).divide == 0);
}

TEST_CASE("a search that is refuted is taken from all who have parts of it") {
    pool all({}, in_ranges);
    for (unsigned i = 0; i < 4; ++i) all.add(part(i % 2 ? "odd" : "even", {i, i + 1}));
    for (const rank_id r : {0u, 1u}) all.idle(r);
    const auto work = all.orders(0);
    REQUIRE(work.size() == 2);
    all.drop(work[0].on->search);
    const auto told = all.orders(1);
    const order* const cancel = first(told, order::kind::cancel);
    REQUIRE(cancel);
    CHECK(cancel->to == work[0].to);
    CHECK(cancel->assignment == work[0].assignment);
    CHECK_FALSE(all.current(work[0].to, work[0].assignment));
    const order* const next = first(told, order::kind::work);
    REQUIRE(next);
    CHECK(next->to == work[0].to);
}

TEST_CASE("what a rank that was lost tells is not heard") {
    pool all({}, in_ranges);
    all.add(part("s", {0, 10}));
    all.idle(0);
    const std::uint64_t old = all.orders(0).at(0).assignment;
    all.lost(0);
    CHECK(all.ranks() == 0);
    all.idle(0);
    CHECK(all.orders(1).at(0).assignment != old);
    CHECK_FALSE(all.current(0, old));
}

TEST_CASE("deaths on one part are counted, wherever it is") {
    pool all({}, in_ranges);
    all.add(part("s", {0, 10}));
    all.idle(0);
    all.idle(1);
    for (unsigned i = 1; i <= 3; ++i) CHECK(all.died(all.orders(i).at(0).to) == i);
}
