// SPDX-License-Identifier: Apache-2.0
// RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017) with the release sequences of C++20:
// irreflexive(hb;eco?), atomicity, acyclic(psc), acyclic(po ∪ rf).

#include "model.hpp"
#include "psc.hpp"

namespace ringproof::verify {
namespace {

class rc11 final : public model {
  public:
    std::string_view name() const override { return "rc11"; }

    void advance(const graph& g, thread_clocks& thread, event& e) const override {
        const bool writes = e.kind == event_kind::write && e.mo != order::plain;
        const bool releases = writes && is_release(e.mo);
        if (e.kind == event_kind::fence && is_acquire(e.mo)) thread.hb().join(thread.acquire_pending());
        const event_id from = e.is_read() ? e.rf : e.peer;
        if (from == none) {
            thread.reach<event_clock, event_clock>(e, nullptr, nullptr, releases);
        } else {
            const event& other = g.at(from);
            const event_clock porf = other.porf();
            const event_clock hb = e.is_read() ? other.release() : other.hb();
            thread.reach(e, &porf, e.is_read() && !is_acquire(e.mo) ? nullptr : &hb, releases);
            // What an acquire fence may acquire later.
            if (e.is_read() && !is_acquire(e.mo) && e.mo != order::plain) thread.acquire_pending().join(hb);
        }
        if (e.kind == event_kind::fence && is_release(e.mo)) thread.release_fence().copy(thread.hb());
        if (e.kind != event_kind::write) return;
        if (!writes) return e.release().clear();
        if (!releases) e.release().copy(thread.release_fence());
        // A read-modify-write continues the release sequence it read from.
        if (e.update) continue_release(g, e);
        if (!e.rmw) return;
        // The last piece of a write releases what all of it does, and so what all that was read did.
        for (unsigned i = e.more == 0 ? 0 : e.part; i <= e.part; ++i) {
            const event& read = g.at(g.in_thread(e.thread, e.index - e.part - e.more - 1u - e.part + i));
            e.release().join(g.at(read.rf).release());
            if (const event_id last = g.last_part(read.rf); last != none)
                e.release().join(g.at(last).release());
        }
    }

    void join_whole(thread_clocks& thread, event& e, const event& last) const override {
        thread.porf().join(last.porf());
        if (is_acquire(e.mo))
            thread.hb().join(last.release());
        else if (e.mo != order::plain)
            thread.acquire_pending().join(last.release());
        e.porf().copy(thread.porf());
        e.hb().copy(thread.hb());
    }

    bool may_commute(order mo) const override { return !is_acquire(mo); }
    bool fences_acquire() const override { return true; }

    bool consistent(const graph& g, event_id e) const override {
        // An edge leaves the newest event only to a co-later write.
        const event& x = g.at(e);
        const event_id next = g.co_next(x.is_read() ? x.rf : e);
        if (next == none || next == e) return true;
        return psc_acyclic(g);
    }
};

} // namespace

std::unique_ptr<model> make_rc11() { return std::make_unique<rc11>(); }

} // namespace ringproof::verify
