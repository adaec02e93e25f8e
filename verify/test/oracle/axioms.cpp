// SPDX-License-Identifier: Apache-2.0
#include "axioms.hpp"

namespace ringproof::verify::oracle {
namespace {

relation happens_before_rc11(const relations& in) {
    const int n = in.po.size();
    const auto id = [&](event_set set) { return identity(set, n); };
    const relation same = id(~event_set{0});
    const relation release_sequence = id(in.writes & in.atomics) * (same | (in.rf * in.rmw).closure());
    // Synchronises-with may begin at a release fence before the store, and end at an acquire fence
    // after the load.
    const relation begins = id(in.releases) | id(in.releases & in.fences) * in.po;
    const relation ends = id(in.acquires) | in.po * id(in.acquires & in.fences);
    const relation sw = begins * release_sequence * in.rf * id(in.atomics) * ends;
    return (in.po | sw).closure();
}

relation happens_before_synchronising(const relations& in) {
    const relation atomic = identity(in.atomics, in.po.size());
    return (in.po | atomic * in.rf * atomic).closure();
}

/// Accesses in the order in which they reach memory: a write may be passed by later reads of its thread
/// unless something between them drains the store buffer.
bool tso_acyclic(const relations& in) {
    const int n = in.po.size();
    const auto id = [&](event_set set) { return identity(set, n); };
    const event_set drains = in.locked | (in.fences & in.seq_csts);
    const event_set buffered = in.writes & ~in.locked;
    const event_set counted = ~(in.fences & ~in.seq_csts); // other fences are for the compiler only
    const relation passed = id(buffered) * in.po * id(in.reads & ~in.locked);
    const relation kept = (in.po - passed) | in.po * id(drains) * in.po | id(in.writes & in.seq_csts) * in.po;
    const relation external = in.rf - in.same_thread;
    return (id(counted) * kept * id(counted) | external | in.co | in.fr).acyclic();
}

bool psc_acyclic(const relations& in, const relation& eco) {
    const int n = in.po.size();
    const relation sc = identity(in.seq_csts, n);
    const relation sc_fence = identity(in.seq_csts & in.fences, n);
    const relation po_elsewhere = in.po - in.same_location;
    // Plain accesses are no steps of it: which there are is up to the compiler. It forbids less for that.
    const relation between = identity(in.atomics, n) * in.hb * identity(in.atomics, n);
    const relation scb =
        in.po | po_elsewhere * between * po_elsewhere | (in.hb & in.same_location) | in.co | in.fr;
    const relation psc_base = (sc | sc_fence * in.hb.maybe()) * scb * (sc | in.hb.maybe() * sc_fence);
    const relation psc_fence = sc_fence * (in.hb | in.hb * eco * in.hb) * sc_fence;
    return (psc_base | psc_fence).acyclic();
}

} // namespace

relations::relations(const graph& of, memory_model model)
    : po(of.size()), rf(of.size()), co(of.size()), fr(of.size()), rmw(of.size()), same_location(of.size()),
      same_bytes(of.size()), hb(of.size()), same_thread(of.size()) {
    const int n = of.size();
    for (int i = 0; i < n; ++i) {
        const event& a = of.at(i);
        if (a.kind == event_kind::write) writes |= only(i);
        if (a.kind == event_kind::fence) fences |= only(i);
        if (a.kind == event_kind::read) reads |= only(i);
        if (a.locked) locked |= only(i);
        if (a.thread == initial_thread) initial |= only(i);
        const event_mode mode = a.mode;
        const bool strongest = mode == event_mode::seq_cst;
        const bool both = strongest || mode == event_mode::acquire_release;
        if (strongest) seq_csts |= only(i);
        if (both || mode == event_mode::acquire) acquires |= only(i);
        if (both || mode == event_mode::release) releases |= only(i);
        (mode == event_mode::plain ? plain : atomics) |= only(i);
        if (a.reads_from != no_event) rf.add(a.reads_from, i);
        for (int j = 0; j < n; ++j) {
            const event& b = of.at(j);
            const bool before_all = a.thread == initial_thread && b.thread != initial_thread;
            const bool earlier = a.thread != initial_thread && a.thread == b.thread && a.index < b.index;
            if (before_all || earlier) po.add(i, j);
            if (a.thread == b.thread) same_thread.add(i, j);
            if (a.location != no_location && a.location == b.location) same_location.add(i, j);
            if ((a.bytes & b.bytes) != 0) same_bytes.add(i, j);
            // The two halves of a read-modify-write are neighbours.
            if (earlier && a.exclusive && b.exclusive && a.kind == event_kind::read &&
                b.kind == event_kind::write && b.index == a.index + 1)
                rmw.add(i, j);
        }
    }
    for (int location = 0; location < max_locations; ++location) {
        const std::vector<int>& order = of.coherence(location);
        for (std::size_t early = 0; early < order.size(); ++early)
            for (std::size_t late = early + 1; late < order.size(); ++late) co.add(order[early], order[late]);
    }
    fr = rf.inverse() * co;
    hb = model == memory_model::rc11 ? happens_before_rc11(*this) : happens_before_synchronising(*this);
}

bool consistent(const relations& in, memory_model model) {
    const bool atomicity = (in.rmw & (in.fr * in.co)).empty();
    if (!atomicity) return false;
    const relation communication = in.rf | in.co | in.fr;
    if (model == memory_model::sc) return (in.po | communication).acyclic();
    if (model == memory_model::tso)
        return ((in.po & in.same_location) | communication).acyclic() && (in.po | in.rf).acyclic() &&
               tso_acyclic(in);
    const relation eco = communication.closure();
    const bool coherent = (in.hb * eco.maybe()).irreflexive();
    if (!coherent) return false;
    const bool no_thin_air = (in.po | in.rf).acyclic();
    if (!no_thin_air) return false;
    if (model == memory_model::ra) return true;
    return in.seq_csts == 0 || psc_acyclic(in, eco); // psc is empty without seq_cst events
}

bool has_race(const relations& in) {
    const int n = in.po.size();
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            const event_set both = only(a) | only(b);
            if (!(in.same_location.has(a, b) || in.same_bytes.has(a, b)) || (both & in.initial) != 0)
                continue;
            if ((both & in.plain) == 0 || (both & in.writes) == 0 || a == b) continue;
            if (!in.hb.has(a, b) && !in.hb.has(b, a)) return true; // never within a thread: po is in hb
        }
    }
    return false;
}

} // namespace ringproof::verify::oracle
