// SPDX-License-Identifier: Apache-2.0
// psc_base = ([Esc] ∪ [Fsc];hb?) ; scb ; ([Esc] ∪ hb?;[Fsc])
// scb      = po ∪ (po|≠loc ; hb ; po|≠loc) ∪ hb|loc ∪ co ∪ fr
// psc_F    = [Fsc] ; (hb ∪ hb;eco;hb) ; [Fsc]
//
// For each event the set of those before it, as a row of bits. What is hb-before an event are the beginnings of
// all threads, as far as its clock says; a union over these needs one row per thread, once rows are summed up
// along each thread. Initial writes are left out: nothing is before them, and none of them is seq_cst.

#include "psc.hpp"

#include "interleaving.hpp"

#include <cstdint>
#include <vector>

namespace ringproof::verify {
namespace {

using word = std::uint64_t;

class psc_check {
  public:
    bool acyclic(const graph& g) {
        g_ = &g;
        n_ = g.size();
        words_ = (n_ + 63) / 64;
        for (auto* all : {&po_, &hb_, &eco_, &other_, &scb_}) all->assign(n_ * words_, 0);
        for (auto* row : {&mask_, &sum_, &accesses_, &fences_, &direct_, &through_, &before_})
            row->assign(words_, 0);
        threads_ = max_threads;
        while (threads_ > 0 && g.thread_size(static_cast<thread_id>(threads_ - 1u)) == 0) --threads_;
        sc_.clear();
        for (event_id e = 0; e < n_; ++e) {
            const event& x = g.at(e);
            if (x.mo != order::seq_cst || x.kind == event_kind::init) continue;
            sc_.push_back(e);
            add(x.kind == event_kind::fence ? fences_ : accesses_, e);
        }
        along_threads();
        along_locations();
        scb_rows();
        result_.assign(sc_.size() * words_, 0);
        for (std::size_t j = 0; j < sc_.size(); ++j) before(sc_[j], &result_[j * words_]);
        return no_cycle();
    }

  private:
    using rows = std::vector<word>;

    word* row(rows& of, event_id e) const { return &of[e * words_]; }
    static void add(rows& to, event_id e) { to[e / 64] |= word{1} << e % 64; }
    void include(word* to, const word* from) const {
        for (std::size_t w = 0; w < words_; ++w) to[w] |= from[w];
    }
    template <class Function>
    void each(const word* of, Function f) const {
        for (std::size_t w = 0; w < words_; ++w)
            for (word b = of[w]; b != 0; b &= b - 1)
                f(static_cast<event_id>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(b))));
    }
    /// Calls f with the last event of each thread that is hb-before `e`, which is not before itself.
    template <class Function>
    void each_hb_end(event_id e, Function f) const {
        const event& x = g_->at(e);
        for (thread_id t = 0; t < threads_; ++t) {
            int last = x.hb()[t];
            if (t == x.thread) last = static_cast<int>(x.index) - 1;
            if (last > 0) f(g_->in_thread(t, static_cast<unsigned>(last)));
        }
    }

    void along_threads() {
        for (thread_id t = 0; t < threads_; ++t) {
            const std::size_t count = g_->thread_size(t);
            for (unsigned i = 2; i <= count; ++i) {
                const event_id earlier = g_->in_thread(t, i - 1), e = g_->in_thread(t, i);
                include(row(po_, e), row(po_, earlier));
                row(po_, e)[earlier / 64] |= word{1} << earlier % 64;
            }
        }
        for (event_id e = 0; e < n_; ++e) {
            if (g_->at(e).kind == event_kind::init) continue;
            each_hb_end(e, [&](event_id last) {
                include(row(hb_, e), row(po_, last));
                row(hb_, e)[last / 64] |= word{1} << last % 64;
            });
            include(row(other_, e), row(po_, e));
        }
    }

    /// eco of a write, and of those who read it. sum_: what is before it.
    void eco_behind(event_id w) {
        const event& x = g_->at(w);
        if (!x.update) { // an update has no order among its kind, and hb orders it and all others
            include(row(eco_, w), sum_.data());
            if (x.kind != event_kind::init) add(sum_, w);
        }
        before_ = sum_;
        for (event_id r = x.first_reader; r != none; r = g_->at(r).next_reader) {
            if (g_->at(r).blocked) continue;
            include(row(eco_, r), before_.data());
            add(sum_, r);
        }
    }

    /// eco; hb within a location; and po without what is of the same location.
    void along_locations() {
        for (location_id l = 0; l < g_->locations(); ++l) {
            mask_.assign(words_, 0);
            sum_.assign(words_, 0);
            const auto each_access = [&](auto f) {
                for (const event_id w : g_->loc(l).co) {
                    f(w);
                    for (event_id r = g_->at(w).first_reader; r != none; r = g_->at(r).next_reader) f(r);
                }
            };
            each_access([&](event_id e) {
                if (g_->at(e).kind != event_kind::init) add(mask_, e);
            });
            for (const event_id w : g_->loc(l).co) eco_behind(w);
            if (g_->parts() != 0) widen(each_access);
            each_access([&](event_id e) {
                word* const other = row(other_, e);
                word* const scb = row(scb_, e);
                const word* const hb = row(hb_, e);
                for (std::size_t w = 0; w < words_; ++w) {
                    other[w] &= ~mask_[w];
                    scb[w] |= hb[w] & mask_[w];
                }
                if (g_->at(e).is_write()) include(scb, row(eco_, e)); // co or fr
            });
        }
    }

    /// The pieces of one access are events of their own here, which forbids no more than one event would: an access is of
    /// the locations of all its pieces. mask_: those of one location
    template <class EachAccess>
    void widen(EachAccess each_access) {
        const auto each_partly = [&](auto f) {
            each_access([&](event_id e) {
                if (g_->at(e).is_part()) f(e);
            });
        };
        wide_ = mask_;
        each_partly([&](event_id e) { g_->each_piece(e, [&](event_id p) { add(wide_, p); }); });
        each_access([&](event_id e) {
            if (g_->at(e).kind == event_kind::init) return;
            g_->each_piece(e, [&](event_id p) {
                for (std::size_t w = 0; w < words_; ++w) row(other_, p)[w] &= ~wide_[w];
            });
            if (g_->at(e).is_part() && !g_->is_whole(e)) return; // torn: it has no other bytes
            g_->each_part(e, [&](event_id p) {
                for (std::size_t w = 0; w < words_; ++w) row(scb_, p)[w] |= row(hb_, p)[w] & wide_[w];
            });
        });
    }

    void scb_rows() {
        summed_ = other_;
        for (thread_id t = 0; t < threads_; ++t)
            for (unsigned i = 2; i <= g_->thread_size(t); ++i)
                include(row(summed_, g_->in_thread(t, i)), row(summed_, g_->in_thread(t, i - 1)));
        for (event_id e = 0; e < n_; ++e) {
            const event& x = g_->at(e);
            if (x.kind == event_kind::init) continue;
            include(row(scb_, e), row(po_, e));
            // po|≠loc ; hb ; po|≠loc: of the events that may be in the middle, the last has the others' pasts.
            for (unsigned i = x.index; i-- > 1;) {
                const event_id middle = g_->in_thread(x.thread, i);
                if (!(row(other_, e)[middle / 64] >> middle % 64 & 1)) continue;
                each_hb_end(middle, [&](event_id last) { include(row(scb_, e), row(summed_, last)); });
                break;
            }
        }
    }

    /// The seq_cst events that are psc-before `e`.
    void before(event_id e, word* to) {
        const bool fence = g_->at(e).kind == event_kind::fence;
        direct_.assign(row(scb_, e), row(scb_, e) + words_);
        if (fence) each(row(hb_, e), [&](event_id c) { include(direct_.data(), row(scb_, c)); });
        for (std::size_t w = 0; w < words_; ++w) to[w] = direct_[w] & accesses_[w];
        if (no_fences()) return;
        through_ = direct_;
        each(direct_.data(), [&](event_id c) { include(through_.data(), row(hb_, c)); });
        if (fence) {
            include(through_.data(), row(hb_, e));
            before_.assign(words_, 0);
            each(row(hb_, e), [&](event_id c) { include(before_.data(), row(eco_, c)); });
            each(before_.data(), [&](event_id c) { include(through_.data(), row(hb_, c)); });
        }
        for (std::size_t w = 0; w < words_; ++w) to[w] |= through_[w] & fences_[w];
    }

    bool no_fences() const {
        for (const word w : fences_)
            if (w != 0) return false;
        return true;
    }

    /// Takes away what nothing is left before, again and again.
    bool no_cycle() {
        left_.assign(words_, 0);
        for (const event_id e : sc_) add(left_, e);
        std::size_t remaining = sc_.size();
        for (bool any = true; any && remaining > 0;) {
            any = false;
            for (std::size_t j = 0; j < sc_.size(); ++j) {
                const event_id e = sc_[j];
                if (!(left_[e / 64] >> e % 64 & 1)) continue;
                bool first = true;
                for (std::size_t w = 0; w < words_; ++w)
                    first = first && (result_[j * words_ + w] & left_[w]) == 0;
                if (!first) continue;
                left_[e / 64] &= ~(word{1} << e % 64);
                --remaining;
                any = true;
            }
        }
        return remaining == 0;
    }

    const graph* g_ = nullptr;
    std::size_t n_ = 0, words_ = 0;
    thread_id threads_ = 0;                     ///< one more than the last with an event
    rows po_, hb_, eco_, other_, summed_, scb_; ///< one row for each event; other_: po|≠loc
    rows mask_, wide_, sum_, accesses_, fences_, direct_, through_, before_, left_;
    rows result_; ///< one row for each seq_cst event
    std::vector<event_id> sc_;
};

psc_check check; // its buffers are used again
interleaving one_after_another;

} // namespace

/// psc is made of po, hb, rf, co and fr: where these agree with an order, which is found sooner, it has no cycle.
bool psc_acyclic(const graph& g) { return g.seq_cst() < 2 || one_after_another.is_of(g) || check.acyclic(g); }

} // namespace ringproof::verify
