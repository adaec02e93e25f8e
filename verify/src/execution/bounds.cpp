// SPDX-License-Identifier: Apache-2.0
// Executions that are too long, or have no end.

#include "execution.hpp"

#include <map>
#include <string>

namespace ringproof::verify {

/// Where `t` makes most of its latest accesses: in the loop that it does not leave.
execution::loop execution::busiest_loop(const thread_state& t) const {
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

void execution::too_many_events(const thread_state& t) {
    const bool thread_full = t.next_index >= max_thread_events;
    throw refuted{
        {.kind = failure_kind::limit,
         .message = "an execution has more than " +
                    std::to_string(thread_full ? max_thread_events : facts_.limits.execution_events) +
                    (thread_full ? " events of one thread" : " events") +
                    ": a loop that may go round without end? --rounds N bounds it",
         .thread = t.id,
         .site = busiest_loop(t).site}};
}

} // namespace ringproof::verify
