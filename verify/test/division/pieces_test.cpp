// SPDX-License-Identifier: Apache-2.0
// Pieces of positions in trees that are known: each leaf is in one of them.

#include "../../src/division/pieces.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace ringproof::verify;

namespace {

/// A tree in which each decision has a number of ways of its own, down to some depth.
struct tree {
    unsigned seed, depth;
    std::uint32_t ways(const std::vector<std::uint32_t>& at) const {
        if (at.size() >= depth) return 0;
        std::uint64_t hash = seed;
        for (const std::uint32_t way : at) hash = (hash ^ (way + 1)) * 0x100'0000'01b3u;
        hash ^= hash >> 29;
        return hash % 5 == 0 ? 0 : 1 + static_cast<std::uint32_t>((hash >> 7) % 4);
    }
};

using leaf = std::vector<std::uint32_t>;

void leaves_below(const tree& of, leaf at, std::multiset<leaf>& found) {
    const std::uint32_t ways = of.ways(at);
    if (ways == 0) found.insert(at);
    for (std::uint32_t w = 0; w < ways; ++w) {
        leaf next = at;
        next.push_back(w);
        leaves_below(of, next, found);
    }
}

/// What a search that goes on at `p` meets.
void leaves_of(const tree& of, const search_position& p, std::multiset<leaf>& found) {
    leaf at;
    for (std::size_t i = 0; i < p.ways.size(); ++i) {
        REQUIRE(p.all[i] == of.ways(at));
        for (std::uint32_t w = p.ways[i] + 1; w < p.ends[i]; ++w) {
            leaf open = at;
            open.push_back(w);
            leaves_below(of, open, found);
        }
        at.push_back(p.ways[i]);
    }
    leaves_below(of, at, found);
}

/// Where a search that takes the first way of each decision stands at its nth leaf.
search_position position_at(const tree& of, const leaf& at) {
    search_position p;
    leaf so_far;
    for (const std::uint32_t way : at) {
        const std::uint32_t ways = of.ways(so_far);
        p.ways.push_back(way);
        p.ends.push_back(ways);
        p.all.push_back(ways);
        so_far.push_back(way);
    }
    return p;
}

/// Goes on to the first decision that has more than one way.
std::optional<search_position> further(const tree& of, const search_position& from) {
    search_position p = from;
    while (const std::uint32_t ways = of.ways(p.ways)) {
        p.ways.push_back(0);
        p.ends.push_back(ways);
        p.all.push_back(ways);
        if (ways > 1) return p;
    }
    return {};
}

} // namespace

TEST_CASE("each leaf that is left is in one piece") {
    for (unsigned seed = 1; seed <= 300; ++seed) {
        const tree of{seed, 7};
        std::multiset<leaf> all;
        leaves_below(of, {}, all);
        std::mt19937 random(seed);
        const leaf stopped = *std::next(all.begin(), static_cast<std::ptrdiff_t>(random() % all.size()));
        const search_position at = position_at(of, stopped);
        std::multiset<leaf> left;
        leaves_of(of, at, left);
        for (const std::size_t wanted : {1u, 2u, 5u, 40u}) {
            std::multiset<leaf> found, skipped;
            runner by;
            by.search_on = [&](const search_position& p) {
                auto next = further(of, p);
                if (!next) leaves_of(of, p, skipped); // searched on the way
                return next;
            };
            const bool program = wanted % 2 == 1;
            const auto pieces = divide({at}, wanted, program ? by : runner{});
            for (const search_position& p : pieces) leaves_of(of, p, found);
            const std::size_t kept = found.size();
            found.merge(skipped);
            CAPTURE(seed, wanted, program);
            CHECK(found == left);
            CHECK(pieces.size() <= std::max<std::size_t>(wanted, 1));
            if (program) CHECK(pieces.size() >= std::min(wanted, kept));
        }
    }
}

TEST_CASE("shares of pieces are those of the whole") {
    for (unsigned seed = 1; seed <= 100; ++seed) {
        const tree of{seed, 9};
        std::multiset<leaf> all;
        leaves_below(of, {}, all);
        const search_position at =
            position_at(of, *std::next(all.begin(), static_cast<std::ptrdiff_t>(all.size() / 3)));
        double sum = 0;
        for (const search_position& p : divide({at}, 20)) sum += share_of(p);
        CHECK(sum == Approx(share_of(at)));
    }
}

TEST_CASE("a weight goes with the ways that are split off") {
    search_position p{{0, 1}, {3, 2}, {3, 2}, {}, 90};
    const auto off = split_off(p);
    REQUIRE(off);
    CHECK(p.weight + off->weight == Approx(90));
    CHECK(off->weight > 0);
    CHECK(p.weight > 0);
    search_position closed{{0}, {1}, {1}, {}, 1};
    CHECK_FALSE(split_off(closed));
}

TEST_CASE("the largest piece is the one that is divided") {
    // Two positions: one with many open ways that weighs little, one that weighs nearly all.
    const search_position light{{0}, {8}, {16}, {}, 1}, heavy{{8}, {16}, {16}, {}, 1000};
    const auto pieces = divide({light, heavy}, 5);
    CHECK(pieces.size() == 5);
    CHECK(std::count_if(pieces.begin(), pieces.end(), [](const auto& p) { return p.ways[0] < 8; }) == 1);
}
