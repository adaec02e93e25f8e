// SPDX-License-Identifier: Apache-2.0
// How many executions one stands for, see symmetry.cpp. The threads of a group in any order have n! executions, those
// that are the same counted again. The search meets the ones that are canonical and whose prefix has no cycle: as many orders
// as that are share the n!.

#include "alike_group.hpp"
#include "symmetry.hpp"

#include <algorithm>
#include <array>

namespace ringproof::verify {

/// Alike threads in some order, and how they compare.
struct symmetry::group {
    std::vector<thread_id> threads; ///< as they were created
    std::vector<std::size_t> in_order;
    std::array<std::array<bool, largest_group>, largest_group> follows{}; ///< [a][b]: b may stand behind a
    std::array<std::array<std::uint32_t, largest_group>, largest_group>
        paired{};            ///< events of a and b that are
    bool chain = true;       ///< the order at hand is the only one
    bool concurrent = false; ///< an order may be canonical, and prefix have a cycle

    /// The orders in which each may stand behind the one before.
    double orders() const {
        const std::size_t n = threads.size(), all = (std::size_t{1} << n) - 1;
        std::vector<double> ways((all + 1) * n, 0); // of the threads in a set, by the last one
        for (std::size_t a = 0; a < n; ++a) ways[(std::size_t{1} << a) * n + a] = 1;
        for (std::size_t set = 1; set < all; ++set)
            for (std::size_t last = 0; last < n; ++last)
                for (std::size_t next = 0; ways[set * n + last] != 0 && next < n; ++next)
                    if ((set >> next & 1) == 0 && follows[last][next])
                        ways[(set | std::size_t{1} << next) * n + next] += ways[set * n + last];
        double sum = 0;
        for (std::size_t last = 0; last < n; ++last) sum += ways[all * n + last];
        return sum;
    }
    bool is_canonical() const {
        for (std::size_t i = 1; i < in_order.size(); ++i)
            if (!follows[in_order[i - 1]][in_order[i]]) return false;
        return true;
    }
};

symmetry::group symmetry::compared(thread_id first) const {
    group g;
    for (const thread_state& t : program_)
        if (is_in_group(t, first)) {
            g.in_order.push_back(g.threads.size());
            g.threads.push_back(t.id);
        }
    for (std::size_t a = 0; a < g.threads.size(); ++a)
        for (std::size_t b = a + 1; b < g.threads.size(); ++b) {
            const event *x = next_of(g.threads[a], 1), *y = next_of(g.threads[b], 1);
            order o = order::same;
            std::uint32_t paired = 0;
            for (; x && y && o == order::same; ++paired) {
                o = compare(*x, *y);
                x = next_of(g.threads[a], x->index + 1);
                y = next_of(g.threads[b], y->index + 1);
            }
            g.follows[a][b] = o != order::second;
            g.follows[b][a] = o != order::first;
            g.paired[a][b] = g.paired[b][a] = o == order::open ? paired - 1 : paired;
            g.concurrent = g.concurrent || o == order::concurrent;
            if (b == a + 1) g.chain = g.chain && o == order::first;
        }
    return g;
}

/// Whether prefix has no cycle with the threads of the groups in these orders.
bool symmetry::is_explored(const std::vector<group>& groups) const {
    struct pair {
        thread_id elder = thread_state::nobody;
        std::uint32_t events = 0;
    };
    std::array<pair, max_threads> elders{};
    for (const group& g : groups)
        for (std::size_t i = 1; i < g.in_order.size(); ++i) {
            const std::size_t a = g.in_order[i - 1], b = g.in_order[i];
            elders[g.threads[b]] = {g.threads[a], g.paired[a][b]};
        }
    std::array<std::uint32_t, max_threads> done{},
        compared{}; // events of each thread that have all before them
    const auto has = [&](event_id e) {
        const event& x = graph_.at(e);
        return x.thread == init_thread || x.index <= done[x.thread];
    };
    for (bool more = true; more;) {
        more = false;
        for (const thread_state& t : program_)
            while (done[t.id] < graph_.thread_size(t.id)) {
                const event& e = graph_.at(graph_.in_thread(t.id, done[t.id] + 1));
                const pair& elder = elders[t.id];
                if ((e.rf != none && !has(e.rf)) || (e.peer != none && !has(e.peer))) break;
                if (!e.blocked && elder.elder != thread_state::nobody && compared[t.id] < elder.events &&
                    compared[elder.elder] <= compared[t.id])
                    break;
                ++done[t.id];
                compared[t.id] += !e.blocked;
                more = true;
            }
    }
    return std::all_of(program_.begin(), program_.end(),
                       [&](const thread_state& t) { return done[t.id] == graph_.thread_size(t.id); });
}

/// The orders of the groups that the search meets. Goes through all of them.
double symmetry::explored_orders(std::vector<group>& groups) const {
    double found = 0;
    for (;;) {
        const bool canonical =
            std::all_of(groups.begin(), groups.end(), [](const group& g) { return g.is_canonical(); });
        found += canonical && is_explored(groups);
        auto turn = groups.begin(); // a number whose digits are the orders
        while (turn != groups.end() && !std::next_permutation(turn->in_order.begin(), turn->in_order.end()))
            ++turn;
        if (turn == groups.end()) return found;
    }
}

double symmetry::permutations() const {
    if (!used_) return 1;
    std::vector<group> groups;
    double all = 1, canonical = 1;
    bool chain = true, concurrent = false;
    for (const thread_state& t : program_) {
        if (t.first_alike == 0 || !is_in_group(t, t.id)) continue;
        groups.push_back(compared(t.id));
        for (std::size_t n = 1; n <= groups.back().threads.size(); ++n) all *= static_cast<double>(n);
        chain = chain && groups.back().chain;
        concurrent = concurrent || groups.back().concurrent;
    }
    if (chain) return all;
    if (concurrent) return all / explored_orders(groups);
    for (const group& g : groups) canonical *= g.orders();
    return all / canonical;
}

} // namespace ringproof::verify
