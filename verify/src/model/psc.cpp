// SPDX-License-Identifier: Apache-2.0
// psc_base = ([Esc] ∪ [Fsc];hb?) ; scb ; ([Esc] ∪ hb?;[Fsc])
// scb      = po ∪ (po|≠loc ; hb ; po|≠loc) ∪ hb|loc ∪ co ∪ fr
// psc_F    = [Fsc] ; (hb ∪ hb;eco;hb) ; [Fsc]

#include "psc.hpp"

#include <algorithm>
#include <vector>

namespace ringproof::verify {
namespace {

/// Sets of events as rows of 64-bit words.
class bit_matrix {
  public:
    explicit bit_matrix(std::size_t n) : words_((n + 63) / 64), bits_(n * words_) {}

    void set(std::size_t row, std::size_t column) {
        bits_[row * words_ + column / 64] |= 1ull << column % 64;
    }
    bool get(std::size_t row, std::size_t column) const {
        return bits_[row * words_ + column / 64] >> column % 64 & 1;
    }
    void include(std::size_t row, const bit_matrix& other, std::size_t other_row) {
        for (std::size_t w = 0; w < words_; ++w)
            bits_[row * words_ + w] |= other.bits_[other_row * words_ + w];
    }
    template <class Function>
    void each(std::size_t row, Function f) const {
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t b = bits_[row * words_ + w]; b != 0; b &= b - 1)
                f(w * 64 + static_cast<std::size_t>(__builtin_ctzll(b)));
    }
    /// The row as it would be after composing with `next`: row ; next.
    void compose(std::size_t row, const bit_matrix& first, std::size_t first_row, const bit_matrix& next) {
        first.each(first_row, [&](std::size_t k) { include(row, next, k); });
    }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

bool acyclic(const std::vector<std::vector<int>>& successors) {
    std::vector<char> state(successors.size(), 0);
    std::vector<std::pair<int, std::size_t>> path;
    for (std::size_t root = 0; root < successors.size(); ++root) {
        if (state[root]) continue;
        path.emplace_back(static_cast<int>(root), 0);
        state[root] = 1;
        while (!path.empty()) {
            auto& [node, next] = path.back();
            if (next == successors[node].size()) {
                state[node] = 2;
                path.pop_back();
                continue;
            }
            const int s = successors[node][next++];
            if (state[s] == 1) return false;
            if (state[s] == 0) {
                state[s] = 1;
                path.emplace_back(s, 0);
            }
        }
    }
    return true;
}

class psc_check {
  public:
    explicit psc_check(const graph& g)
        : g_(g), n_(g.size()), hb_(n_), hb_or_self_(n_), scb_(n_), eco_(n_), po_other_(n_) {}

    bool acyclic_psc(const std::vector<event_id>& sc) {
        fill();
        std::vector<std::vector<int>> successors(sc.size());
        for (std::size_t i = 0; i < sc.size(); ++i) {
            const bool fence = g_.at(sc[i]).kind == event_kind::fence;
            // reach: what [a];(hb?);scb;(hb?) arrives at; only a fence takes hb steps beside it.
            bit_matrix first(n_), direct(n_), through_hb(n_), fence_only(n_);
            if (fence)
                first.include(0, hb_or_self_, sc[i]);
            else
                first.set(0, sc[i]);
            direct.compose(0, first, 0, scb_);
            through_hb.compose(0, direct, 0, hb_or_self_);
            if (fence) {
                bit_matrix eco_reach(n_);
                eco_reach.compose(0, hb_, sc[i], eco_);
                fence_only.include(0, hb_, sc[i]);
                fence_only.compose(0, eco_reach, 0, hb_);
            }
            for (std::size_t j = 0; j < sc.size(); ++j) {
                const bool to_fence = g_.at(sc[j]).kind == event_kind::fence;
                if (to_fence ? through_hb.get(0, sc[j]) || fence_only.get(0, sc[j]) : direct.get(0, sc[j]))
                    successors[i].push_back(static_cast<int>(j));
            }
        }
        return acyclic(successors);
    }

  private:
    void fill() {
        std::vector<std::uint32_t> place(n_, 0);
        for (location_id l = 0; l < g_.locations(); ++l) {
            const auto& co = g_.loc(l).co;
            // Along one location: a write at 2·place, a read just behind the write it reads from.
            for (std::size_t i = 0; i < co.size(); ++i) {
                place[co[i]] = static_cast<std::uint32_t>(2 * i);
                for (event_id r = g_.at(co[i]).first_reader; r != none; r = g_.at(r).next_reader)
                    place[r] = static_cast<std::uint32_t>(2 * i + 1);
            }
        }
        bit_matrix middle(n_); // hb ; po|≠loc
        for (event_id a = 0; a < n_; ++a) {
            hb_or_self_.set(a, a);
            for (event_id b = 0; b < n_; ++b) {
                const event &x = g_.at(a), &y = g_.at(b);
                if (a == b) continue;
                const bool hb = x.kind != event_kind::init && y.kind != event_kind::init
                                    ? y.hb.includes(x.thread, x.index)
                                    : x.kind == event_kind::init && y.kind != event_kind::init;
                const bool po = x.thread == y.thread && x.index < y.index && x.thread != init_thread;
                const bool same = x.is_access() && y.is_access() && x.location == y.location;
                if (hb) hb_.set(a, b), hb_or_self_.set(a, b);
                if (po && !same) po_other_.set(a, b);
                if (po || (hb && same)) scb_.set(a, b);
                if (same && place[a] < place[b]) {
                    eco_.set(a, b);
                    if (y.is_write()) scb_.set(a, b); // co or fr
                }
            }
        }
        for (event_id a = 0; a < n_; ++a) middle.compose(a, hb_, a, po_other_);
        for (event_id a = 0; a < n_; ++a) scb_.compose(a, po_other_, a, middle);
    }

    const graph& g_;
    std::size_t n_;
    bit_matrix hb_, hb_or_self_, scb_, eco_, po_other_;
};

} // namespace

bool psc_acyclic(const graph& g) {
    std::vector<event_id> sc;
    for (event_id e = 0; e < g.size(); ++e)
        if (g.at(e).mo == order::seq_cst && g.at(e).kind != event_kind::init) sc.push_back(e);
    if (sc.size() < 2) return true;
    return psc_check(g).acyclic_psc(sc);
}

} // namespace ringproof::verify
