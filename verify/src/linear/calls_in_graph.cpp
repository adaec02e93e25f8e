// SPDX-License-Identifier: Apache-2.0
// Which pairs a client cannot add. Let hb' be hb with the client's pairs, from a return to what follows the begin of a call. An
// execution stays coherent if no event e is hb'-before an event d that is before e in co, fr or rf, or any of these one after
// the other. Such a path of hb' that has a pair of the client leads from e to the return of some call a, which is ordered
// before a call b, and from the begin of b to d. So this is a question of pairs: a must not come before b where there
// are e and d with: e happens before the return of a, or is in a; d happens behind the begin of b, or is in b; and d is before e
// at their location. d and e may be one event: then b has happened before a.

#include "calls_in_graph.hpp"

#include "../model/psc.hpp"

#include <utility>

namespace ringproof::verify::linear {
namespace {

class reading {
  public:
    reading(const graph& g, const std::vector<call_events>& calls) : graph_(g), calls_(calls) {}

    const event& last(std::size_t call) const {
        return graph_.at(graph_.in_thread(calls_[call].thread, calls_[call].returned));
    }
    /// The calls that have begun before `e` happens, its own included.
    std::uint32_t begun_before(const event& e) const {
        std::uint32_t found = 0;
        if (e.thread == init_thread) return found;
        for (std::size_t c = 0; c < calls_.size(); ++c)
            if (e.hb().includes(calls_[c].thread, calls_[c].begun + 1)) found |= std::uint32_t{1} << c;
        return found;
    }
    /// The calls before whose returns `e` happens, its own included.
    std::uint32_t returned_behind(const event& e) const {
        std::uint32_t found = 0;
        for (std::size_t c = 0; c < calls_.size(); ++c)
            if (last(c).hb().includes(e.thread, e.index)) found |= std::uint32_t{1} << c;
        return found;
    }

    /// The order that is there, and what happens before what.
    void happened(call_relations& r) const {
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            r.meets.push_back(begun_before(last(c)));
            const event& begin = graph_.at(graph_.in_thread(calls_[c].thread, calls_[c].begun));
            std::uint32_t before = 0;
            for (std::size_t a = 0; a < calls_.size(); ++a)
                if (begin.hb().includes(calls_[a].thread, calls_[a].returned))
                    before |= std::uint32_t{1} << a;
            r.before.push_back(before);
        }
    }

    /// Pairs that coherence forbids.
    void coherent(call_relations& r) const {
        for (location_id l = 0; l < graph_.locations(); ++l) {
            std::uint32_t earlier = 0; // calls behind whose begins there is an access that is before
            for (const event_id w : graph_.loc(l).co) {
                const event& write = graph_.at(w);
                std::uint32_t here = 0;
                if (write.kind != event_kind::init) {
                    forbid(r, earlier, write);
                    here = begun_before(write);
                }
                const std::uint32_t before_readers = earlier | here;
                for (event_id at = write.first_reader; at != none; at = graph_.at(at).next_reader) {
                    const event& read = graph_.at(at);
                    if (read.blocked) continue;
                    forbid(r, before_readers, read);
                    here |= begun_before(read);
                }
                earlier |= here;
            }
        }
    }

    /// Of each call those from which porf leads there; with `all`, also co and fr.
    call_order causes(bool all) const {
        std::vector<std::uint32_t> from(graph_.size(), 0), done(max_threads, 0);
        for (bool more = true; more;) {
            more = false;
            for (thread_id t = 0; t < max_threads; ++t)
                while (done[t] < graph_.thread_size(t)) {
                    const event_id e = graph_.in_thread(t, done[t] + 1);
                    if (!gather(e, all, done, from)) break;
                    ++done[t];
                    more = true;
                }
        }
        call_order found;
        for (const call_events& c : calls_) found.push_back(from[graph_.in_thread(c.thread, c.returned)]);
        return found;
    }

  private:
    void forbid(call_relations& r, std::uint32_t begun, const event& e) const {
        if (begun == 0) return;
        const std::uint32_t returned = returned_behind(e);
        for (std::size_t b = 0; b < calls_.size(); ++b)
            if ((begun >> b & 1) != 0) r.never[b] |= returned;
    }

    /// Calls f with each event that is directly before `e`, but in its thread.
    template <class Function>
    void each_before(event_id e, bool all, Function f) const {
        const event& x = graph_.at(e);
        if (x.is_read() && !x.blocked) f(x.rf);
        if (x.peer != none) f(x.peer);
        if (!all || x.kind != event_kind::write) return;
        const event_id w = graph_.loc(x.location).co[graph_.co_place(e) - 1];
        f(w);
        for (event_id r = graph_.at(w).first_reader; r != none; r = graph_.at(r).next_reader)
            if (!graph_.at(r).blocked) f(r);
    }

    /// What `e` has behind it. @return whether all before it have been there
    bool gather(event_id e, bool all, const std::vector<std::uint32_t>& done,
                std::vector<std::uint32_t>& from) const {
        const event& x = graph_.at(e);
        bool ready = true;
        std::uint32_t found = x.index > 1 ? from[graph_.in_thread(x.thread, x.index - 1u)] : 0;
        each_before(e, all, [&](event_id b) {
            const event& before = graph_.at(b);
            ready = ready && (before.thread == init_thread || before.index <= done[before.thread]);
            found |= from[b];
        });
        for (std::size_t c = 0; c < calls_.size(); ++c)
            if (calls_[c].thread == x.thread && x.index == calls_[c].begun + 1)
                found |= std::uint32_t{1} << c;
        from[e] = found;
        return ready;
    }

    const graph& graph_;
    const std::vector<call_events>& calls_;
};

} // namespace

call_relations relations_of(const graph& g, const std::vector<call_events>& calls, bool sc) {
    const reading of(g, calls);
    call_relations r;
    of.happened(r);
    r.never.assign(calls.size(), 0);
    call_order causes = of.causes(sc);
    if (sc)
        r.meets = std::move(causes); // one order of all events: what it has in it, real time has
    else {
        of.coherent(r);
        r.reaches = std::move(causes);
    }
    for (std::size_t a = 0; a < calls.size(); ++a)
        for (std::size_t b = 0; b < calls.size(); ++b)
            if (a == b || (r.meets[a] >> b & 1) != 0) r.never[b] |= std::uint32_t{1} << a;
    return r;
}

bool psc_allows(graph& g, const std::vector<call_events>& calls, const call_order& order) {
    if (g.seq_cst() < 2) return true;
    const reading of(g, calls);
    std::vector<lanes> kept; // a graph is not made to be copied: its clocks are changed, and put back
    const unsigned groups = clock_groups::known();
    for (event_id e = 0; e < g.size(); ++e)
        for (unsigned i = 0; i < groups; ++i) kept.push_back(g.at(e).hb().load(i));
    std::vector<std::uint32_t> behind(g.size(), 0); // of each event the calls that it is put behind
    for (event_id e = 0; e < g.size(); ++e)
        for (std::size_t b = 0; b < calls.size() && g.at(e).thread != init_thread; ++b)
            if (std::as_const(g).at(e).hb().includes(calls[b].thread, calls[b].begun)) behind[e] |= order[b];
    const auto returned = [&](std::size_t a) {
        return &kept[g.in_thread(calls[a].thread, calls[a].returned) * std::size_t{groups}];
    };
    for (event_id e = 0; e < g.size(); ++e)
        for (std::size_t a = 0; a < calls.size(); ++a)
            for (unsigned i = 0; (behind[e] >> a & 1) != 0 && i < groups; ++i)
                g.at(e).hb().store(i, latest(g.at(e).hb().load(i), returned(a)[i]));
    const bool allowed = psc_acyclic(g);
    for (event_id e = 0; e < g.size(); ++e)
        for (unsigned i = 0; i < groups; ++i) g.at(e).hb().store(i, kept[e * std::size_t{groups} + i]);
    return allowed;
}

} // namespace ringproof::verify::linear
