// SPDX-License-Identifier: Apache-2.0
#pragma once
// The reductions, as the search asks them.

#include "allocating_iterations.hpp"
#include "assumed_reads.hpp"
#include "barriers.hpp"
#include "blocked_locks.hpp"
#include "commuting_updates.hpp"
#include "counted_loops.hpp"
#include "idle_iterations.hpp"
#include "own_stores.hpp"
#include "restored_iterations.hpp"
#include "retried_iterations.hpp"
#include "stale_iterations.hpp"
#include "start_counters.hpp"
#include "undone_attempts.hpp"
#include "vain_wakes.hpp"

namespace ringproof::verify {

class reduction_set {
  public:
    reduction_set(search_facts& f, program& p, const graph& g, race_detector& d, runtime& r, execution& x)
        : facts_(f), dead_(f, p, g, d.shadow()), left_out(f, p, g, d, r, x),
          idle(f, p, g, d, r, x, dead_, left_out), retried(f, p, g, d, r, x, dead_, left_out),
          counted(f, p, g, d, r, x, dead_, left_out), vain(f, p, g, d, r, x, dead_, left_out),
          undone(f, p, g, d, r, x, dead_, left_out), blocked(f, p, g, d, r, x, dead_, left_out),
          restored(f, p, g, d, r, x, dead_, left_out), barrier(f, p, g, d, r, x, dead_, left_out),
          start(f, p, g, d, r, x, dead_, left_out), commuting(f, p, g, d, r, x, dead_, left_out),
          allocating(f, p, g, d, r, x, dead_, left_out), assumed(f, p, g, d, r, x, dead_, left_out),
          stale(f, p, g, d, r, x, dead_, left_out), own(f, p, g, d, r, x, dead_, left_out) {
        r.heap().ask_what_is_forgotten(
            [this](const thread_state& t, std::uintptr_t frame, const std::vector<memory_range>& words) {
                return dead_.are_forgotten(t, frame, words);
            });
    }
    reduction_set(const reduction_set&) = delete;
    reduction_set& operator=(const reduction_set&) = delete;

    /// What becomes of `t`, whose pending read may begin the next iteration of a loop. @return ready where it goes on
    thread_status await(thread_state& t);
    /// Whether the pending read of `t`, should it see `seen`, fails and is tried again when there is something newer, as
    /// a lock does that is taken. Notes in the ledger that it is taken for such.
    bool waits_at(thread_state& t, value_t seen);

    /// Whether `t`, which has come round in a loop, does so in all executions that this branch leads to. Amid attempts that are
    /// undone it may also read what no write of the graph has written.
    bool leads_nowhere(thread_state& t) { return !undone.any() && stale.leads_nowhere(t); }

    /// Whether no one looks at what the pending request of `t` returns, whose hook's frame it has.
    bool is_unused(const thread_state& t) { return dead_.result_is_unused(t, t.what.arrives_in); }

  private:
    search_facts& facts_;
    dead_state dead_;

  public:
    left_out_iterations left_out;
    idle_iterations idle;
    retried_iterations retried;
    counted_loops counted;
    vain_wakes vain;
    undone_attempts undone;
    blocked_locks blocked;
    restored_iterations restored;
    barriers barrier;
    start_counters start;
    commuting_updates commuting;
    allocating_iterations allocating;
    assumed_reads assumed;
    stale_iterations stale;
    own_stores own;
};

} // namespace ringproof::verify
