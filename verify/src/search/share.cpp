// SPDX-License-Identifier: Apache-2.0
// A search by several processes: giving a part of the open ways away, and putting the results together.

#include "../hooks/signals.hpp"
#include "../parallel/worker_pool.hpp"
#include "explorer.hpp"

#include <algorithm>
#include <unistd.h>

namespace ringproof::verify {

/// Leaves `n` its ways before `end`; the others are another process's.
void explorer::keep_ways(search_node& n, std::uint32_t end) {
    const std::uint32_t options = n.all_options();
    const std::uint32_t all = n.ways();
    n.given += all - end;
    n.options_end = n.options_begin + std::min(options, end);
    n.revisits_end = n.revisits_begin + (end > options ? end - options : 0);
}

/// Gives the greater half of the open ways of the shallowest node that has any to a new process. Nothing
/// is open above it, so that all the new one has to do is below.
/// @return true in the new process, which is to go on with its next way
bool explorer::share() {
    std::size_t at = 1;
    while (at < nodes_.size() && nodes_[at].taken() == nodes_[at].ways()) ++at;
    if (at >= nodes_.size()) return false;
    search_node& n = nodes_[at];
    const std::uint32_t split = n.taken() + (n.ways() - n.taken()) / 2;
    switch (pool_->fork_worker()) {
    case worker_pool::side::alone:
        return false;
    case worker_pool::side::parent:
        keep_ways(n, split);
        return false;
    case worker_pool::side::child:
        break;
    }
    fault_handlers::start_ticking();
    facts_.result = {};
    earlier_.reset();
    callbacks_.progress = nullptr;
    unwind(at + 1);
    const std::uint32_t options = n.all_options();
    n.option = n.options_begin + std::min(options, split);
    n.revisit = n.revisits_begin + (split > options ? split - options : 0);
    return true;
}

/// With several processes: has any of them ended the search?
bool explorer::others_stopped() {
    using reason = worker_pool::reason;
    if (search_facts::interrupted.load(std::memory_order_relaxed)) pool_->stop(reason::interrupt);
    const double now = facts_.elapsed();
    if (facts_.limits.seconds > 0 && now > facts_.limits.seconds) pool_->stop(reason::time);
    if (out_of_memory(now)) pool_->stop(reason::memory);
    if (!pool_->led()) _exit(1); // nobody is there to hear of it
    switch (pool_->stopped()) {
    case reason::nothing:
        break;
    case reason::interrupt:
        return stop_now("an interrupt");
    case reason::time:
        return stop_now("--time");
    case reason::memory:
        return stop_now(max_memory);
    case reason::executions:
        return stop_now("--max-executions");
    case reason::error:
        return stop_now("an error found by another process");
    case reason::anew:
        return stop_now("a search that has to begin anew");
    }
    if (!progress_is_due()) return false;
    pool_->show(facts_.result, left());
    if (callbacks_.progress) {
        exploration_result all = facts_.result;
        pool_->sum_up(all);
        all.seconds = (earlier_ ? earlier_->seconds : 0) + now;
        callbacks_.progress(all);
    }
    return false;
}

/// A worker leaves here; the first process waits for the others.
void explorer::gather() {
    if (pool_->is_worker()) pool_->leave(facts_.result);
    exploration_result shown = facts_.result;
    const bool whole = pool_->gather(facts_.result, [&] {
        if (search_facts::interrupted.load(std::memory_order_relaxed))
            pool_->stop(worker_pool::reason::interrupt);
        if (!callbacks_.progress) return;
        pool_->sum_up(shown);
        shown.seconds = (earlier_ ? earlier_->seconds : 0) + facts_.elapsed();
        callbacks_.progress(shown);
    });
    if (!whole) stop_now("the loss of a process that searched");
    if (facts_.result.error.kind != failure_kind::nothing) {
        facts_.result.stopped = false;
        facts_.result.stopped_by.clear();
        facts_.result.positions.clear();
    }
}

} // namespace ringproof::verify
