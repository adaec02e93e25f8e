// SPDX-License-Identifier: Apache-2.0
// Sleeping threads: waits that end when another thread says so, std::atomic's and the futex's. As with a
// waiting loop, the round that led to sleep is not explored any further: the thread goes on when a later
// write revisits what it read last, as if it had seen that write at once. What the others do while it
// sleeps is explored to their end, though, and shows whether anyone wakes it ([atomics.wait]: a wait that
// saw X is woken by a notification that a later write Y happens before).

#include "explorer.hpp"

#include <algorithm>

namespace ringproof::verify {

bool explorer::perform_choice(thread_id t) {
    const std::uint32_t n = push_node(node_kind::choice, t);
    const request& what = threads_[t].what;
    if (what.object) {
        options_.push_back(0);
        for (const std::uint32_t block :
             reusable(threads_[t], what.address, static_cast<std::size_t>(what.operand)))
            options_.push_back(block);
    } else {
        for (std::uint32_t i = 0; i < what.operand; ++i) options_.push_back(i);
    }
    nodes_[n].options_end = static_cast<std::uint32_t>(options_.size());
    ++nodes_[n].option;
    make_choice(n, 0);
    return true;
}

void explorer::make_choice(std::uint32_t n, std::uint32_t chosen) {
    add_other(nodes_[n].thread, ++stamp_, chosen);
    graph_.at(static_cast<event_id>(graph_.size() - 1)).node = n;
}

bool explorer::perform_sleep(thread_id t) {
    thread_state& th = threads_[t];
    th.status = thread_status::sleeping;
    th.waiting_from = th.next_index - 1u;
    if (graph_.at(graph_.in_thread(t, th.waiting_from)).maximal || !will_wake(th)) return true;
    ++result_.pruned; // as in perform_read(): no continuation is complete, and this one is woken
    return false;
}

/// Whether `reader`, a wait of another thread, may have seen what `seen` saw, gone to sleep, and taken `wake`
/// for itself.
bool explorer::may_have_slept(event_id reader, const event& wake, const event& seen) const {
    const event& r = graph_.at(reader);
    const std::uint32_t x = graph_.co_place(seen.rf);
    if (!r.is_read() || !r.waits || r.thread == seen.thread || r.location != seen.location ||
        graph_.co_place(r.rf) <= x)
        return false;
    const event& before = graph_.at(graph_.in_thread(r.thread, r.index - 1u));
    return !before.hb().includes(wake.thread, wake.index) &&
           model::first_coherent(graph_, r.location, before.hb()) <= x;
}

/// Whether some notification is certain to wake the sleeping `t`.
bool explorer::will_wake(const thread_state& t) const {
    const event& seen = graph_.at(graph_.in_thread(t.id, t.waiting_from));
    const auto& co = graph_.loc(seen.location).co;
    const std::uint32_t x = graph_.co_place(seen.rf);
    unsigned single = 0;
    std::vector<event_id> others; // waits that a notification of one thread may have woken instead
    for (event_id id = 0; id < graph_.size(); ++id) {
        const event& n = graph_.at(id);
        if (n.kind != event_kind::wake || n.frame != t.what.address) continue;
        const bool eligible = std::any_of(co.begin() + x + 1, co.end(), [&](event_id y) {
            return n.hb().includes(graph_.at(y).thread, graph_.at(y).index);
        });
        if (!eligible) continue;
        if (n.value > max_threads) return true;
        single += static_cast<unsigned>(n.value);
        for (event_id r = 0; r < graph_.size(); ++r)
            if (may_have_slept(r, n, seen) && std::find(others.begin(), others.end(), r) == others.end())
                others.push_back(r);
    }
    return single > others.size();
}

/// Whether there is anything newer than what `e` read but the same value again, as test-and-sets that fail write it.
bool explorer::is_outdated(const event& e) const {
    const auto& co = graph_.loc(e.location).co;
    return std::any_of(co.begin() + graph_.co_place(e.rf) + 1, co.end(),
                       [&](event_id w) { return !graph_.at(w).rmw || graph_.at(w).value != e.value; });
}

/// Whether what `t` waits for has come, in this or in another execution: then it does not wait for ever.
bool explorer::can_go_on(const thread_state& t) const {
    if (t.status == thread_status::awaiting) return false; // or it would look again
    const bool loops = t.status == thread_status::waiting;
    const unsigned from = t.status == thread_status::locking ? t.next_index - 1u : t.waiting_from;
    for (unsigned i = from; i < t.next_index; ++i) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (e.is_read() && (loops ? is_outdated(e) : !graph_.co_last(e.rf)))
            return t.status != thread_status::sleeping || will_wake(t);
    }
    return false;
}

} // namespace ringproof::verify
