// SPDX-License-Identifier: Apache-2.0
#include "choose.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace ringproof::litmus::cycles {
namespace {

/// splitmix64 (Steele, Lea, Flood 2014): the standard's distributions differ between libraries.
class chance {
  public:
    explicit chance(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t n) {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return static_cast<std::size_t>((z ^ (z >> 31)) % n);
    }

  private:
    std::uint64_t state_;
};

bool fits(const dialect& d, int mark, access what) {
    const cycles::mark& m = d.marks[static_cast<std::size_t>(mark)];
    return what == access::read ? m.reads : m.writes;
}

/// The marks an access may have, the ordinary one first.
std::vector<int> marks_for(const dialect& d, const selection& s, access what) {
    std::vector<int> all{0};
    for (const int m : s.marks)
        if (m != 0 && fits(d, m, what)) all.push_back(m);
    return all;
}

std::optional<cycle> made(const dialect& d, const selection& s, const std::vector<edge>& edges) {
    if (!is_critical(edges)) return std::nullopt;
    try {
        cycle c = make_cycle(d, edges);
        if (c.threads > s.threads) return std::nullopt;
        for (int t = 0; t < c.threads; ++t)
            if (std::count_if(c.accesses.begin(), c.accesses.end(),
                              [&](const placed& p) { return p.thread == t; }) > s.accesses)
                return std::nullopt;
        return c;
    } catch (const bad_cycle&) {
        return std::nullopt; // edges that do not close to a cycle: most do not
    }
}

} // namespace

void all_cycles(const dialect& d, const selection& s, const std::function<bool(const cycle&)>& tell) {
    std::vector<edge> edges;
    std::set<std::string> known;
    bool more = true;
    const std::function<void(std::size_t)> mark = [&](std::size_t k) {
        if (!more) return;
        if (k == edges.size()) {
            if (const auto c = made(d, s, edges); c && known.insert(c->words).second) more = tell(*c);
            return;
        }
        for (const int m : marks_for(d, s, edges[k].from)) {
            edges[k].mark_from = m;
            mark(k + 1);
        }
        edges[k].mark_from = -1;
    };
    const std::function<void(std::size_t)> extend = [&](std::size_t size) {
        if (!more) return;
        if (edges.size() == size) {
            // A cycle has a rotation that ends so. Without marks first: most combinations end here.
            if (edges.back().external && edges.back().to == edges.front().from && made(d, s, edges)) mark(0);
            return;
        }
        for (const edge& e : s.edges) {
            if (!edges.empty() && (edges.back().to != e.from || !is_critical(edges.back(), e))) continue;
            edges.push_back(e);
            extend(size);
            edges.pop_back();
        }
    };
    for (int size = 2; size <= s.size && more; ++size) extend(static_cast<std::size_t>(size));
}

void random_cycles(const dialect& d, const selection& s, std::uint64_t seed,
                   const std::function<bool(const cycle&)>& tell) {
    chance random(seed);
    std::set<std::string> known;
    // Half of the edges communicate, whatever the number of kinds of program order.
    std::vector<edge> from[2][2];
    for (const edge& e : s.edges) from[e.is_communication()][e.from == access::read].push_back(e);
    constexpr int patience = 200'000;
    for (int idle = 0; idle < patience; ++idle) {
        const std::size_t size = 3 + random.below(static_cast<std::size_t>(std::max(1, s.size - 2)));
        std::vector<edge> edges;
        access next = random.below(2) ? access::read : access::write;
        while (edges.size() < size) {
            const auto& all = from[random.below(2)][next == access::read];
            if (all.empty()) break;
            edges.push_back(all[random.below(all.size())]);
            next = edges.back().to;
        }
        if (edges.size() < size || edges.back().to != edges.front().from || !made(d, s, edges)) continue;
        for (edge& e : edges) {
            const std::vector<int> marks = marks_for(d, s, e.from);
            // Ordinary accesses stay the most frequent, or weak behaviour would be rare.
            e.mark_from = random.below(2) ? 0 : marks[random.below(marks.size())];
        }
        const auto c = made(d, s, edges);
        if (!c || !known.insert(c->words).second) continue;
        if (!tell(*c)) return;
        idle = 0;
    }
}

} // namespace ringproof::litmus::cycles
