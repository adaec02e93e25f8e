// SPDX-License-Identifier: Apache-2.0
// Executions that are too long, or have no end.

#include "explorer.hpp"

#include <algorithm>
#include <map>

namespace ringproof::verify {

/// Whether the pending access of `t` would be one more of its kind than a loop may have rounds. The write
/// part of a read-modify-write belongs to its read.
bool explorer::too_many_rounds(const thread_state& t) {
    const request& what = t.what;
    switch (what.act) {
    case action::load:
    case action::store:
    case action::modify:
    case action::compare:
    case action::lock:
    case action::try_lock:
        break;
    default:
        return false;
    }
    unsigned done = 0;
    for (unsigned i = t.next_index; i-- > 1;) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        done += e.site == what.site && e.frame == what.frame && !(e.kind == event_kind::write && e.rmw);
    }
    if (done < limits_.rounds) return false;
    if (std::find(result_.cut_at.begin(), result_.cut_at.end(), what.site) == result_.cut_at.end())
        result_.cut_at.push_back(what.site);
    return true;
}

/// Where `t` makes most of its latest accesses: in the loop that it does not leave.
explorer::loop explorer::busiest_loop(const thread_state& t) const {
    constexpr unsigned latest = 256;
    std::map<std::uintptr_t, unsigned> times;
    loop busiest{t.what.site, 0};
    const auto all = static_cast<unsigned>(graph_.thread_size(t.id));
    for (unsigned i = all; i > 0 && all - i < latest; --i) {
        const std::uintptr_t site = graph_.at(graph_.in_thread(t.id, i)).site;
        if (site != 0 && ++times[site] > busiest.rounds) busiest = {site, times[site]};
    }
    return busiest;
}

/// A search that was stopped may never end because of a loop that counts: which, the user wants to know.
void explorer::note_busiest_loop() {
    constexpr unsigned many = 32;
    for (const thread_state& t : threads_) {
        if (graph_.thread_size(t.id) < many) continue;
        const loop busiest = busiest_loop(t);
        if (busiest.rounds < many || busiest.rounds <= result_.busiest_rounds) continue;
        result_.busiest = busiest.site;
        result_.busiest_rounds = busiest.rounds;
    }
}

void explorer::too_many_events(const thread_state& t) {
    refute({.kind = failure_kind::limit,
            .message = "an execution has more than " + std::to_string(limits_.execution_events) +
                       " events: a loop that may go round without end? --rounds N bounds it",
            .thread = t.id,
            .site = busiest_loop(t).site});
}

/// Called by a signal now and then, while the program's own code runs.
bool explorer::must_give_up() const {
    if (!program_runs_) return false;
    const inside engine; // it is the engine that looks at the clock, in the middle of the program's code
    return interrupted.load(std::memory_order_relaxed) ||
           (limits_.seconds > 0 && elapsed() > limits_.seconds);
}

} // namespace ringproof::verify
