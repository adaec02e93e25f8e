// SPDX-License-Identifier: Apache-2.0
// Sequential consistency: acyclic(po ∪ rf ∪ co ∪ fr). Every atomic access counts as seq_cst, so every
// reads-from synchronises, and only plain accesses can race.

#include "model.hpp"

#include <array>
#include <vector>

namespace ringproof::verify {
namespace {

/// The events that precede some event in po ∪ rf ∪ co ∪ fr, as one index per thread.
class past {
  public:
    explicit past(const graph& g) : g_(g) { std::memset(&clocks_, 0, clocks_.known_bytes()); }

    void add(event_id e) {
        const event& x = g_.at(e);
        if (x.thread == init_thread) return;
        const unsigned last = g_.is_whole(e) ? x.index + x.more : x.index;
        if (!clock().includes(x.thread, last)) {
            clock().set(x.thread, last);
            todo_ = true;
        }
    }

    /// What precedes `e` directly, other than in program order.
    void add_before(const event& e, event_id self) {
        if (e.is_read()) g_.each_read(e, [&](event_id w) { add(w); });
        if (e.peer != none) add(e.peer);
        if (e.kind != event_kind::write || e.update) return;
        const auto& co = g_.loc(e.location).co;
        const event_id w = co[g_.co_place(self) - 1];
        add(w);
        for (event_id r = g_.at(w).first_reader; r != none; r = g_.at(r).next_reader)
            if (!g_.at(r).blocked) add(r);
    }

    void close() {
        while (todo_) {
            todo_ = false;
            for (thread_id t = 0; clock_groups::cover(t); ++t)
                while (done()[t] < clock()[t]) {
                    const auto next = static_cast<unsigned>(done()[t]) + 1;
                    done().set(t, next);
                    const event_id e = g_.in_thread(t, next);
                    add_before(g_.at(e), e);
                }
        }
    }

    bool contains(event_id e) const { return clock().includes(g_.at(e).thread, g_.at(e).index); }

  private:
    clock_among<const lane, 2> clock() const { return clocks_.clock<0>(); }
    clock_among<lane, 2> clock() { return clocks_.clock<0>(); }
    clock_among<lane, 2> done() { return clocks_.clock<1>(); }

    const graph& g_;
    clocks_together<2> clocks_; ///< as far as they are known
    bool todo_ = false;
};

class sc final : public model {
  public:
    std::string_view name() const override { return "sc"; }

    void advance(const graph& g, thread_clocks& thread, event& e) const override {
        advance_synchronising(g, thread, e);
    }

    bool may_commute(order) const override { return true; }

    bool consistent(const graph& g, event_id e) const override {
        // The new event is last in program order: an edge leaves it only to a co-later write.
        if (g.is_whole(e)) return whole_is_consistent(g, e);
        const event& x = g.at(e);
        const event_id next = g.co_next(x.is_read() ? x.rf : e);
        if (next == none || next == e) return true;
        past before(g);
        if (x.index > 1) before.add(g.in_thread(x.thread, x.index - 1u));
        before.add_before(x, e);
        before.close();
        return !before.contains(next);
    }

  private:
    /// The same for an access in pieces, which are one event.
    static bool whole_is_consistent(const graph& g, event_id e) {
        past before(g);
        const unsigned first = g.at(e).index - g.at(e).part;
        if (first > 1) before.add(g.in_thread(g.at(e).thread, first - 1u));
        g.each_part(e, [&](event_id p) { before.add_before(g.at(p), p); });
        before.close();
        bool cycle = false;
        g.each_part(e, [&](event_id p) {
            const event_id next = g.co_next(g.at(p).is_read() ? g.at(p).rf : p);
            cycle = cycle || (next != none && before.contains(next));
        });
        return !cycle;
    }
};

} // namespace

std::unique_ptr<model> make_sc() { return std::make_unique<sc>(); }

} // namespace ringproof::verify
