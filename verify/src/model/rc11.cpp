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
        switch (e.kind) {
        case event_kind::read: {
            const event& w = g.at(e.rf);
            thread.porf.join(w.porf);
            if (is_acquire(e.mo))
                thread.hb.join(w.release);
            else if (e.mo != order::plain)
                thread.acquire_pending.join(w.release);
            break;
        }
        case event_kind::fence:
            if (is_acquire(e.mo)) thread.hb.join(thread.acquire_pending);
            break;
        default:
            if (e.peer == none) break;
            thread.porf.join(g.at(e.peer).porf);
            thread.hb.join(g.at(e.peer).hb);
        }
        thread.porf[e.thread] = thread.hb[e.thread] = static_cast<std::int16_t>(e.index);
        e.porf = thread.porf;
        e.hb = thread.hb;
        if (e.kind == event_kind::fence && is_release(e.mo)) thread.release_fence = thread.hb;
        if (e.kind == event_kind::write && e.mo != order::plain) {
            e.release = is_release(e.mo) ? thread.hb : thread.release_fence;
            // A read-modify-write continues the release sequence it read from.
            if (e.rmw) e.release.join(g.at(g.at(g.in_thread(e.thread, e.index - 1u)).rf).release);
        }
    }

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
