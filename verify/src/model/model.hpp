// SPDX-License-Identifier: Apache-2.0
#pragma once
// A memory model: which writes a read may read from, where in coherence order a write may go, and
// whether the graph stays consistent. One small class per model; the exploration knows no axiom.

#include "../graph/graph.hpp"

#include <ringproof/verify/verify.hpp>

#include <memory>
#include <string_view>

namespace ringproof::verify {

/// What a thread knows at its current end.
struct thread_clocks {
    clocks_together<4> all{};

    auto porf() const { return all.clock<0>(); }
    auto porf() { return all.clock<0>(); }
    auto hb() const { return all.clock<1>(); }
    auto hb() { return all.clock<1>(); }
    /// hb at its last release fence: what its relaxed writes release.
    auto release_fence() { return all.clock<2>(); }
    /// Releases it has read relaxed: what an acquire fence acquires.
    auto acquire_pending() { return all.clock<3>(); }

    /// The thread has come to `e`: it knows that, what it knew before, and what clocks of other events say, where
    /// there are any. @param releases whether the event is a write that releases all of that
    template <class Porf, class Hb>
    void reach(event& e, const Porf* before, const Hb* happened, bool releases) {
        const auto thread_porf = porf(), thread_hb = hb();
        const auto event_porf = e.porf(), event_hb = e.hb(), released = e.release();
        const unsigned known = clock_groups::known();
        for (unsigned g = 0; g < known; ++g) {
            lanes p = thread_porf.load(g), h = thread_hb.load(g);
            if (before) p = latest(p, before->load(g));
            if (happened) h = latest(h, happened->load(g));
            thread_porf.store(g, p);
            thread_hb.store(g, h);
            event_porf.store(g, p);
            event_hb.store(g, h);
            if (releases) released.store(g, h);
        }
        // Behind the stores of whole groups: a group that is loaded just after one of its lanes was stored waits.
        thread_porf.set(e.thread, e.index);
        thread_hb.set(e.thread, e.index);
        event_porf.set(e.thread, e.index);
        event_hb.set(e.thread, e.index);
        if (releases) released.set(e.thread, e.index);
    }
};

/// A clock of a thread, and one of an event.
using thread_clock = clock_among<const lane, 4>;
using event_clock = clock_among<const lane, 3>;

class model {
  public:
    virtual ~model() = default;
    virtual std::string_view name() const = 0;

    /// Completes `e`, the next event of its thread (kind, mo, thread, index, rf, peer set), with its
    /// clocks, and advances the thread's.
    virtual void advance(const graph& g, thread_clocks& thread, event& e) const = 0;

    /// Completes what advance() did for the read `e` of a thread, which read a piece of a write whose last piece is `last`:
    /// it knows all of that write.
    virtual void join_whole(thread_clocks& thread, event& e, const event& last) const;
    /// The read part of a read-modify-write in pieces was no stronger than a failure's: now it succeeds, with order `mo`.
    virtual void succeed(thread_clocks& thread, order mo, const event& last) const {
        if (is_acquire(mo)) thread.hb().join(last.release());
    }

    /// Whether `g` is consistent, given that it was before its last events were added, and that
    /// only adding `e` (in `g` already) other than reading from, or being, the co-latest write can
    /// have made it inconsistent. hb-coherence has been seen to by first_coherent(). Pieces of
    /// a whole access (graph::is_whole) count as one event; `e` is then the last of them.
    virtual bool consistent(const graph& g, event_id e) const = 0;

    /// Whether a read-modify-write of this order, whose result is not used, may have no order among others: see
    /// ../reduction/commuting_updates.cpp. Where fences_acquire(), no fence behind it may acquire, either.
    virtual bool may_commute(order mo) const = 0;
    virtual bool fences_acquire() const { return false; }

    /// The first place in co(l) from which a thread with clock `hb` may still read, and after which
    /// its write may be placed: the latest write that it knows of, itself or through a read.
    template <class Clock>
    static std::uint32_t first_coherent(const graph& g, location_id l, Clock hb);

  protected:
    /// Lets `e` release what the write before it in coherence order does, which it would have read from.
    static void continue_release(const graph& g, event& e) {
        e.release().join(g.at(g.loc(e.location).co.back()).release());
    }
    /// advance() where every reads-from synchronises, whatever the orders say.
    static void advance_synchronising(const graph& g, thread_clocks& thread, event& e);
};

std::unique_ptr<model> make_rc11();
std::unique_ptr<model> make_sc();
std::unique_ptr<model> make_tso();
std::unique_ptr<model> make_ra();

std::unique_ptr<model> make_model(memory_model which);

} // namespace ringproof::verify
