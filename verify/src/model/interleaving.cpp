// SPDX-License-Identifier: Apache-2.0
// One event after the other: a read as soon as its source was there, a write when the one before it in co and all who
// read that are through. Nothing is undone: that an event comes next keeps no other from coming later, so that the first
// order that is found, whichever thread goes first, ends where all of them do.

#include "interleaving.hpp"

namespace ringproof::verify {

bool interleaving::is_of(const graph& g) {
    if (g.updates() != 0) return false;
    latest_.assign(g.locations(), 0);
    thread_id threads = max_threads;
    while (threads > 0 && g.thread_size(static_cast<thread_id>(threads - 1u)) == 0) --threads;
    done_.assign(threads, 0);
    for (bool any = true; any;) {
        any = false;
        bool all = true;
        for (thread_id t = 0; t < threads; ++t) {
            const std::size_t size = g.thread_size(t);
            while (done_[t] < size) {
                const event_id id = g.in_thread(t, done_[t] + 1);
                const event& x = g.at(id);
                if (!is_next(g, x, id)) break;
                if (x.kind == event_kind::write) ++latest_[x.location];
                ++done_[t];
                any = true;
            }
            all = all && done_[t] == size;
        }
        if (all) return true;
    }
    return false;
}

bool interleaving::is_next(const graph& g, const event& x, event_id id) const {
    const auto is_done = [&](const event& e) {
        return e.thread == init_thread || e.index <= done_[e.thread];
    };
    const auto threads = static_cast<thread_id>(done_.size());
    for (thread_id t = 0; t < threads; ++t)
        if (t != x.thread && static_cast<unsigned>(x.hb()[t]) > done_[t]) return false;
    if (x.is_read()) return x.blocked || is_done(g.at(x.rf));
    if (x.kind != event_kind::write) return true;
    const auto& co = g.loc(x.location).co;
    const std::uint32_t before = latest_[x.location];
    if (before + 1 >= co.size() || co[before + 1] != id) return false;
    for (event_id r = g.at(co[before]).first_reader; r != none; r = g.at(r).next_reader)
        if (!g.at(r).blocked && !is_done(g.at(r))) return false;
    return true;
}

} // namespace ringproof::verify
