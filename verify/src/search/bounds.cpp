// SPDX-License-Identifier: Apache-2.0
// Where a search stops before its end.

#include "../parallel/worker_pool.hpp"
#include "../program/memory_use.hpp"
#include "../program/request_kinds.hpp"
#include "explorer.hpp"

#include <algorithm>

namespace ringproof::verify {

bool explorer::stop_now(const char* why) {
    facts_.result.stopped = true;
    facts_.result.stopped_by = why;
    note_busiest_loop();
    return true;
}

bool explorer::out_of_budget() {
    const std::uint64_t before = earlier_ ? earlier_->executions : 0;
    if (facts_.limits.executions != 0 && !pool_ &&
        facts_.result.executions - before >= facts_.limits.executions)
        return stop_now("--max-executions");
    if (facts_.result.failing > 0 && facts_.limits.shorter_steps > 0 &&
        facts_.result.events - failing_.first_at > facts_.limits.shorter_steps)
        return stop_now("the bound of the search for a shorter execution");
    // In a large graph a step takes long.
    const std::uint64_t seldom = graph_.size() < 500 ? 0xfff : 0x1f;
    if ((++facts_.result.events & seldom) != 0) return false;
    if (pool_) return others_stopped();
    if (search_facts::interrupted.load(std::memory_order_relaxed)) return stop_now("an interrupt");
    const double now = facts_.elapsed();
    facts_.result.seconds = (earlier_ ? earlier_->seconds : 0) + now;
    if (facts_.limits.seconds > 0 && now > facts_.limits.seconds) return stop_now("--time");
    if (out_of_memory(now)) return stop_now(max_memory);
    if (callbacks_.progress && progress_is_due()) {
        facts_.result.fraction = fraction();
        callbacks_.progress(facts_.result);
    }
    return false;
}

/// Whether this process holds more memory than it may. Asking takes a system call, so that is done now and then.
bool explorer::out_of_memory(double now) {
    constexpr double often = 0.1; // seconds
    if (facts_.limits.memory == 0 || now < next_memory_look_) return false;
    next_memory_look_ = now + often;
    return memory_in_use() > facts_.limits.memory;
}

/// Whether the pending access of `t` would be one more of its kind than a loop may have iterations. The write
/// part of a read-modify-write belongs to its read.
bool explorer::too_many_rounds(const thread_state& t) {
    const request& what = t.what;
    if (!kind_of(what.act).repeats) return false;
    unsigned done = 0;
    for (unsigned i = t.next_index; i-- > 1;) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        done += e.site == what.site && e.frame == what.frame && !(e.kind == event_kind::write && e.rmw);
    }
    if (done < facts_.limits.rounds) return false;
    if (std::find(facts_.result.cut_at.begin(), facts_.result.cut_at.end(), what.site) ==
        facts_.result.cut_at.end())
        facts_.result.cut_at.push_back(what.site);
    return true;
}

/// A search that was stopped may never end because of a loop that counts: which, the user wants to know.
void explorer::note_busiest_loop() {
    constexpr unsigned many = 32;
    for (const thread_state& t : program_) {
        if (graph_.thread_size(t.id) < many) continue;
        const execution::loop busiest = execution_.busiest_loop(t);
        if (busiest.rounds < many || busiest.rounds <= facts_.result.busiest_rounds) continue;
        facts_.result.busiest = busiest.site;
        facts_.result.busiest_rounds = busiest.rounds;
    }
}

} // namespace ringproof::verify
