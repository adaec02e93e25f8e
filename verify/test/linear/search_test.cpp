// SPDX-License-Identifier: Apache-2.0
// The judge of the search: all permutations, one after the other, on random histories, of which some can be explained and
// some cannot.

#include "../../src/linear/search.hpp"

#include <ringproof/verify/specifications.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

namespace rl = ringproof::verify::linear;

namespace {

/// The same question, answered by definition: some permutation of the calls respects the order, and each call is allowed.
bool some_permutation_explains(const rl::history& h, const rl::oracle& allows) {
    std::vector<unsigned> order(h.calls.size());
    std::iota(order.begin(), order.end(), 0u);
    do {
        bool right = true;
        std::vector<rl::made_call> past;
        for (std::size_t i = 0; i < order.size() && right; ++i) {
            for (std::size_t j = i + 1; j < order.size(); ++j)
                right = right && (h.before[order[i]] >> order[j] & 1) == 0;
            if (h.no_effect[order[i]]) continue;
            past.push_back(h.calls[order[i]]);
            right = right && allows(past.data(), past.size());
        }
        if (right) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
}

template <class Specification>
using rule = bool (Specification::*)(const rl::made_call&);

/// Each prefix is asked for, so that only the last call counts.
template <class Specification>
rl::oracle oracle_of(std::vector<rule<Specification>> rules) {
    return [rules](const rl::made_call* calls, std::size_t n) {
        Specification state;
        bool allowed = true;
        for (std::size_t i = 0; i < n && allowed; ++i) allowed = (state.*rules[calls[i].operation])(calls[i]);
        return allowed;
    };
}

using random_engine = std::mt19937;
unsigned below(unsigned n, random_engine& chance) { return static_cast<unsigned>(chance() % n); }

/// Up to three threads of up to three calls, seven in all. Answers are drawn from few, so that many fit.
rl::history random_history(random_engine& chance, unsigned kind) {
    rl::history h;
    h.names = {"T1", "T2", "T3"};
    const unsigned threads = 1 + below(3, chance);
    std::vector<std::pair<unsigned, unsigned>> intervals;
    for (std::uint16_t t = 0; t < threads; ++t) {
        unsigned time = below(4, chance);
        const unsigned calls = 1 + below(3, chance);
        for (unsigned k = 0; k < calls && h.calls.size() < 7; ++k) {
            rl::made_call c;
            c.thread = t;
            c.operation = static_cast<std::uint16_t>(below(2, chance));
            c.argument = kind == 3 ? below(2, chance) : static_cast<std::int64_t>(h.calls.size()) % 3 + 1;
            if (kind == 3)
                c.given = {below(3, chance), 0}; // a register's
            else if (c.operation == 0)
                c.given = {below(8, chance) != 0, 0};
            else if (below(3, chance) != 0)
                c.given = {1, 1 + below(3, chance)};
            else
                c.given = {0, 0};
            if (kind == 3 && c.operation == 0) c.given = {};
            const unsigned end = time + 1 + below(6, chance);
            intervals.emplace_back(time, end);
            time = end + below(2, chance);
            h.calls.push_back(c);
        }
    }
    h.before.assign(h.calls.size(), 0);
    h.no_effect.assign(h.calls.size(), false);
    // An order of intervals is transitive. One of happens-before need not be one: it may lack pairs across two
    // threads altogether.
    const bool apart = below(3, chance) == 0;
    for (std::size_t b = 0; b < h.calls.size(); ++b)
        for (std::size_t a = 0; a < h.calls.size(); ++a) {
            const bool same = h.calls[a].thread == h.calls[b].thread;
            const bool in_order = same ? a < b : !apart && intervals[a].second < intervals[b].first;
            if (in_order) h.before[b] |= std::uint32_t{1} << a;
        }
    for (std::size_t i = 0; i < h.calls.size(); ++i)
        h.no_effect[i] = kind != 3 && h.calls[i].given.first == 0 && below(8, chance) == 0;
    return h;
}

struct tally {
    unsigned explained = 0, not_explained = 0, differ = 0;
};

tally compare(unsigned histories, unsigned seed) {
    using fifo = rl::spec::fifo<2>;
    using lifo = rl::spec::lifo<>;
    using relaxed = rl::spec::relaxed_fifo<1>;
    using variable = rl::spec::register_;
    const rl::oracle oracles[] = {oracle_of<fifo>({&fifo::push, &fifo::pop}),
                                  oracle_of<lifo>({&lifo::push, &lifo::pop}),
                                  oracle_of<relaxed>({&relaxed::push, &relaxed::pop}),
                                  oracle_of<variable>({&variable::write, &variable::read})};
    random_engine chance(seed);
    tally t;
    for (unsigned i = 0; i < histories; ++i) {
        const unsigned kind = i % 4;
        const rl::history h = random_history(chance, kind);
        const bool expected = some_permutation_explains(h, oracles[kind]);
        const rl::explanation found = rl::explain(h, oracles[kind]);
        t.differ += found.found != expected;
        ++(expected ? t.explained : t.not_explained);
    }
    return t;
}

} // namespace

TEST_CASE("the search says of random histories what all permutations say") {
    const char* const more = std::getenv("RINGPROOF_TEST_HISTORIES");
    const unsigned histories = more ? static_cast<unsigned>(std::atoi(more)) : 10'000;
    const tally t = compare(histories, 1);
    UNSCOPED_INFO(t.explained << " explained, " << t.not_explained << " not");
    if (more) WARN(t.explained << " explained, " << t.not_explained << " not, " << t.differ << " differ");
    CHECK(t.differ == 0);
    CHECK(t.explained > histories / 20);
    CHECK(t.not_explained > histories / 20);
}

TEST_CASE("an order that is found has each call once, behind those that come before it") {
    rl::history h;
    h.names = {"T1", "T2"};
    h.calls = {{0, 0, 1, {}}, {1, 1, 0, {1, 1}}};
    h.before = {0, 0};
    using fifo = rl::spec::fifo<>;
    const rl::oracle queue = oracle_of<fifo>({&fifo::push, &fifo::pop});
    const rl::explanation e = rl::explain(h, queue);
    REQUIRE(e.found);
    CHECK(e.order == std::vector<unsigned>{0, 1});
    h.before = {2, 0}; // the pop comes first
    CHECK_FALSE(rl::explain(h, queue).found);
}
