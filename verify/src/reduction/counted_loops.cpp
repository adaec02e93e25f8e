// SPDX-License-Identifier: Apache-2.0
// Loops that wait, yield in each iteration, and are in another state after each: they count, or wait longer each
// time. A yield proves nothing about such a loop: it may give up after 100 iterations and go another way.
//
// Two iterations are explored like any other accesses. At the head of the third, the loop is tried out: it runs on
// with the values that it has read last.
// - It soon comes to a state that repeats: the next iterations are explored, and found idle (idle_iterations.cpp).
// - It leaves the loop, for it gives up; or it comes to a state that repeats later, when its pauses no longer grow. The
//   iterations up to there are run at once, as one event that reads nothing. An execution with them has the same
//   reads-from edges but for reads that repeat earlier ones, so that the thread is ordered by and sees the same. The
//   reads of the first two iterations can be revisited, so that the executions in which the wait succeeds are explored
//   as well.
// - It does neither in many iterations: the thread waits for a new write. That is a guess, unless nothing after
//   the loop depends on how often it went round: then each execution that leaves it after a second iteration is left
//   out as a twin of one that leaves after the first (retried_iterations.cpp). If one is not, the ledger says so.

#include "counted_loops.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

namespace {

constexpr unsigned most_iterations = 20'000; // that a loop is tried out for
constexpr std::size_t word_size = 4;         // of what counters are made of
constexpr unsigned soon = 2;                 // iterations after which a state may repeat
constexpr unsigned most_unlike = 6;          // iterations explored of a loop that is to repeat, and does not

} // namespace

/// How many iterations of the loop at whose head `t` stands are explored.
unsigned counted_loops::iterations_done(const thread_state& t) const {
    unsigned done = 0;
    for (unsigned i = last_iteration(t, t.next_index); i != 0; i = last_iteration(t, i)) ++done;
    return done;
}

/// Notes the four-byte words of the stack of `t` in which its loop counts: those that the iteration before its last,
/// which began with event `first`, changed. @return false when that is not known, or when the last one changed others
bool counted_loops::find_counters(const thread_state& t, unsigned first) {
    const event& last = graph_.at(graph_.in_thread(t.id, first));
    const event& before = graph_.at(graph_.in_thread(t.id, last_iteration(t, first)));
    const memory_range own = program_.own_stack(t);
    const char* stacks[2];
    for (const event* head : {&before, &last}) {
        if (head->node == none || (head->node & kept_bit) != 0) return false;
        const auto then = program_.images().stack_of(state_before(*head), t.id);
        if (own.begin < then.sp || own.end - then.sp > then.size) return false;
        stacks[head == &last] = then.bytes + (own.begin - then.sp);
    }
    counters_.clear();
    for (std::size_t i = 0; i + word_size <= own.size(); i += word_size) {
        const bool counts = std::memcmp(stacks[0] + i, stacks[1] + i, word_size) != 0;
        if (counts) counters_.push_back(own.begin + i);
        const void* const now = reinterpret_cast<const void*>(own.begin + i);
        if (!counts && std::memcmp(stacks[1] + i, now, word_size) != 0) return false;
    }
    return true;
}

/// Whether the stack of `t` differs from the copy that was taken in its counters alone.
bool counted_loops::only_counted(const memory_range& own) const {
    for (std::uintptr_t at = own.begin; at + word_size <= own.end; at += word_size) {
        const std::size_t offset = at - own.begin;
        if (!stack_copy_.same_word(offset, at, word_size) &&
            std::find(counters_.begin(), counters_.end(), at) == counters_.end())
            return false;
    }
    return true;
}

/// How the loop of `t` goes on when each iteration reads what its events from `first` up to `end` did: it leaves the
/// loop, or its state and the memory are as one iteration before. It has left it, too, when it stands at the head but
/// anything has changed that its last iteration did not change: a loop around it has gone on.
counted_loops::end_of_loop counted_loops::try_loop(thread_state& t, unsigned first, unsigned end) {
    end_of_loop found{loop_end::unknown, 0};
    if (!find_counters(t, first)) return {loop_end::repeats, 0};
    execution_.speculate([&](const saved_state& now) {
        for (; found.how == loop_end::unknown && found.iterations < most_iterations; ++found.iterations) {
            const memory_range own = program_.own_stack(t);
            stack_copy_.take(own, t);
            const std::uint32_t random = t.random;
            if (!iterate(t, first, end) || !program_.images().same_heaps(now) ||
                !program_.same_memory(now, t) || program_.own_stack(t).begin != own.begin ||
                !only_counted(own))
                found.how = loop_end::gives_up;
            else if (t.random == random && same_as_taken(t, own))
                found.how = loop_end::repeats;
        }
        return true;
    });
    return found;
}

/// What becomes of `t`, whose pending read begins another iteration that is like none before.
thread_status counted_loops::counted(thread_state& t) {
    const unsigned last = last_iteration(t, t.next_index);
    if (last == 0 || last >= t.yielded_at || !facts_.limits.reduce.iteration_count)
        return thread_status::ready;
    t.counting = t.what.site;
    t.counted_at = t.next_index;
    if (last_iteration(t, last) == 0) return thread_status::ready;
    t.waiting_from = last;
    if (!next_iteration_repeats(t)) return thread_status::ready;
    const end_of_loop found = try_loop(t, last, t.next_index);
    // What an iteration leaves in padding may never be the same, although nothing reads it.
    if (found.how == loop_end::gives_up ||
        (found.how == loop_end::repeats && iterations_done(t) < most_unlike)) {
        if (found.how == loop_end::gives_up || found.iterations > soon) t.gives_up = found.iterations;
        return thread_status::ready;
    }
    if (!left_out_.may_leave_out(t, last)) return thread_status::ready;
    facts_.take_for_granted(assumption::retried_iteration, t.what.site);
    facts_.result.counting[t.what.site].endless = true;
    return thread_status::waiting;
}

/// Runs the iterations after which `t` gives up as one event.
void counted_loops::skip_iterations(thread_id id, std::uint32_t stamp, std::uint32_t iterations) {
    thread_state& t = program_.thread(id);
    t.gives_up = 0;
    t.dirty = true;
    const unsigned first = last_iteration(t, t.next_index), end = t.next_index;
    const std::uintptr_t head = t.what.site;
    if (first == 0)
        throw refuted{
            {.kind = failure_kind::nondeterminism,
             .message = "the program is not deterministic: a thread gave up waiting where it did not wait",
             .thread = id,
             .site = head}};
    facts_.take_for_granted(assumption::iteration_count, head);
    facts_.result.counting[head].endless = true; // but for the iterations that are explored
    execution_.add_skipped(t, stamp, iterations);
    for (unsigned i = 0; i < iterations; ++i) iterate(t, first, end);
    t.counting = 0;
}

} // namespace ringproof::verify
