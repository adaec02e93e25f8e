// SPDX-License-Identifier: Apache-2.0
// x86-TSO (Sewell, Sarkar, Owens, Zappa Nardelli, Myreen, CACM 2010) in its axiomatic form: per location
// everything is coherent, and acyclic(ppo ∪ fence ∪ rfe ∪ co ∪ fr), where program order loses only the pairs
// of a write and a later read. Locked instructions (every read-modify-write, failed compare-exchange
// included), seq_cst stores and seq_cst fences drain the store buffer.
//
// Plain data needs no events: a write is passed on by a later write, and reads stay in order, so po ∪ rf
// orders plain accesses on this machine; what it does not order is reported as a race.

#include "model.hpp"

#include <vector>

namespace ringproof::verify {
namespace {

/// Whether nothing passes `e` in either direction.
bool drains(const event& e) {
    switch (e.kind) {
    case event_kind::read:
    case event_kind::write:
        return e.locked;
    case event_kind::fence:
        return e.mo == order::seq_cst;
    case event_kind::choice:
    case event_kind::wake:
    case event_kind::interrupt:
        return false;
    default:
        return true; // thread creation and its like
    }
}

/// The events that precede some event, searched backwards.
class past {
  public:
    explicit past(const graph& g) : g_(g), seen_(g.size(), 0) {}

    /// @return whether `target` precedes `e`
    bool leads(event_id target, event_id e) {
        g_.each_part(e, [&](event_id p) { predecessors(p); });
        while (!todo_.empty()) {
            const event_id next = todo_.back();
            todo_.pop_back();
            if (next == target) return true;
            predecessors(next);
        }
        return false;
    }

  private:
    void add(event_id e) {
        if (seen_[e] || g_.at(e).kind == event_kind::init) return;
        g_.each_part(e, [&](event_id p) { // which are one event
            seen_[p] = 1;
            todo_.push_back(p);
        });
    }

    void predecessors(event_id id) {
        const event& e = g_.at(id);
        program_order(e);
        if (e.is_read())
            g_.each_read(e, [&](event_id w) {
                if (g_.at(w).thread != e.thread) add(w);
            });
        if (e.peer != none) add(e.peer);
        if (e.kind != event_kind::write || e.update) return;
        const event_id before = g_.loc(e.location).co[g_.co_place(id) - 1];
        add(before);
        for (event_id r = g_.at(before).first_reader; r != none; r = g_.at(r).next_reader)
            if (r != id && !g_.at(r).blocked) add(r);
    }

    /// The nearest earlier events of the thread from which all earlier ones that are ordered follow.
    void program_order(const event& e) {
        bool want_write = !e.is_read() || drains(e), want_read = true;
        for (unsigned i = e.index; --i > 0 && (want_write || want_read);) {
            const event_id id = g_.in_thread(e.thread, i);
            const event& y = g_.at(id);
            // A seq_cst store drains behind itself: nothing later passes it, but it may wait for its turn.
            const bool barrier = drains(y) || (y.kind == event_kind::write && y.mo == order::seq_cst);
            if (barrier) return add(id);
            if (y.kind == event_kind::write && want_write) add(id), want_write = false;
            if (y.is_read() && want_read) add(id), want_read = false;
        }
    }

    const graph& g_;
    std::vector<char> seen_;
    std::vector<event_id> todo_;
};

class tso final : public model {
  public:
    std::string_view name() const override { return "tso"; }

    void advance(const graph& g, thread_clocks& thread, event& e) const override {
        advance_synchronising(g, thread, e);
    }

    bool may_commute(order) const override { return true; }

    bool consistent(const graph& g, event_id e) const override {
        // An edge leaves the newest event only to a co-later write.
        bool cycle = false;
        g.each_part(e, [&](event_id p) {
            const event_id next = g.co_next(g.at(p).is_read() ? g.at(p).rf : p);
            cycle = cycle || (next != none && next != e && past(g).leads(next, e));
        });
        return !cycle;
    }
};

} // namespace

std::unique_ptr<model> make_tso() { return std::make_unique<tso>(); }

} // namespace ringproof::verify
