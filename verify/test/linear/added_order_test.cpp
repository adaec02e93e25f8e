// SPDX-License-Identifier: Apache-2.0
// The judge of the search for orders that a client may add: all sets of pairs, one after the other, on random relations.

#include "../../src/linear/added_order.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace rl = ringproof::verify::linear;
using rl::call_order;

namespace {

std::uint32_t bit(std::size_t call) { return std::uint32_t{1} << call; }

bool contains(const call_order& all, const call_order& some) {
    for (std::size_t b = 0; b < all.size(); ++b)
        if ((some[b] & ~all[b]) != 0) return false;
    return true;
}

using random_engine = std::mt19937;
bool one_in(unsigned n, random_engine& chance) { return chance() % n == 0; }

call_order random_pairs(std::size_t calls, unsigned one_of, random_engine& chance) {
    call_order pairs(calls, 0);
    for (std::uint32_t& of : pairs)
        for (std::size_t a = 0; a < calls; ++a)
            if (one_in(one_of, chance)) of |= bit(a);
    return pairs;
}

/// Relations as an execution could have them: what meets is transitive, and what has met later is never before.
rl::call_relations random_relations(std::size_t calls, random_engine& chance) {
    rl::call_relations r;
    r.before.assign(calls, 0);
    r.meets = random_pairs(calls, 5, chance);
    r.never = random_pairs(calls, 4, chance);
    for (std::size_t b = 0; b < calls; ++b) r.meets[b] |= bit(b);
    if (one_in(2, chance)) r.reaches = r.meets;
    for (std::size_t a = 0; a < calls; ++a)
        for (std::size_t b = 0; b < calls; ++b)
            if ((r.meets[a] & bit(b)) != 0) r.never[b] |= bit(a);
    return r;
}

/// Explained are the orders that contain none of some sets of pairs, and consistent as well: what is smaller is, too.
struct question {
    rl::call_relations relations;
    std::vector<call_order> too_much, forbidden;

    static bool none_in(const std::vector<call_order>& sets, const call_order& order) {
        for (const call_order& s : sets)
            if (contains(order, s)) return false;
        return true;
    }
    bool explained(const call_order& order) const { return none_in(too_much, order); }
    bool consistent(const call_order& order) const { return none_in(forbidden, order); }
};

question random_question(std::size_t calls, random_engine& chance) {
    question q;
    q.relations = random_relations(calls, chance);
    for (int i = 0; i < 3; ++i) q.too_much.push_back(random_pairs(calls, 6, chance));
    for (int i = 0; i < 2; ++i) q.forbidden.push_back(random_pairs(calls, 4, chance));
    return q;
}

/// By definition: of all sets of pairs, with what follows from each.
bool some_set_is_unexplained(const question& q) {
    const std::size_t n = q.relations.before.size();
    for (std::uint32_t set = 0; set < 1u << n * n; ++set) {
        call_order order(n, 0);
        for (std::size_t b = 0; b < n; ++b) order[b] = set >> b * n & ((1u << n) - 1);
        rl::close(order, q.relations.meets);
        if (rl::is_possible(q.relations, order) && q.consistent(order) && !q.explained(order)) return true;
    }
    return false;
}

rl::added_order search(const question& q) {
    return rl::find_unexplained(
        q.relations, [&](const call_order& o) { return q.explained(o); },
        [&](const call_order& o) { return q.consistent(o); });
}

} // namespace

TEST_CASE("the search for an order that a client adds finds one exactly if some set of pairs is one") {
    random_engine chance(1);
    unsigned found = 0, not_found = 0;
    for (int i = 0; i < 1'500; ++i) {
        const question q = random_question(3, chance);
        const rl::added_order a = search(q);
        CHECK_FALSE(a.gave_up);
        REQUIRE(a.found == some_set_is_unexplained(q));
        ++(a.found ? found : not_found);
        if (!a.found) continue;
        CHECK(rl::is_possible(q.relations, a.order));
        CHECK(q.consistent(a.order));
        CHECK_FALSE(q.explained(a.order));
    }
    CHECK(found > 100);
    CHECK(not_found > 100);
}

TEST_CASE("what follows from an order goes through calls that have met") {
    // a before b, an event of b before one of c, c before d
    call_order order = {0, bit(0), 0, bit(2)}, meets = {bit(0), bit(1), bit(2) | bit(1), bit(3)};
    rl::close(order, meets);
    CHECK(order == call_order{0, bit(0), 0, bit(2) | bit(0)});
}

TEST_CASE("an order is not possible where it closes a cycle in porf that no single pair closes") {
    // a before b, b reaches c, c before d, d reaches a; nothing has happened before anything
    rl::call_relations r;
    r.before = {0, 0, 0, 0};
    r.meets = r.never = {bit(0), bit(1), bit(2), bit(3)};
    r.reaches = {bit(0) | bit(3), bit(1), bit(2) | bit(1), bit(3)};
    CHECK(rl::is_possible(r, {0, bit(0), 0, 0}));
    CHECK(rl::is_possible(r, {0, 0, 0, bit(2)}));
    CHECK_FALSE(rl::is_possible(r, {0, bit(0), 0, bit(2)}));
}
