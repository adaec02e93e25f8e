// SPDX-License-Identifier: Apache-2.0
// Condition variables, time, and the words that only calls of the runtime access: locks and conditions.
//
// The word of a condition variable has a bit for each thread that waits. wait() sets its own before it unlocks the mutex,
// notify() clears one or all, and the wait ends when its bit is gone. As in the C library, notify() orders nothing by
// itself, and the end of a wait acquires: what orders the program is its mutex. A wait that ends early (spuriously) does not
// set its bit: nobody can tell that it waited.
#include "thread_run.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::silicon::a64 {

/// Accesses of the runtime are shared from the first on.
void thread_run::learn_of_call(std::uint64_t address) {
    if (memory_.at(address, word_of_call).whose == memory::owner::none)
        refuse("a mutex or a condition variable lies where no memory is");
    const auto known = sharing_.access(self_, address, word_of_call, true, true);
    const std::vector<piece> pieces = sharing_.pieces_of(address, word_of_call);
    if (pieces.empty() || known == sharing::answer::learnt) throw learnt("a word of the runtime is shared");
    if (pieces.size() != 1)
        refuse(
            "a part of this mutex or condition variable is accessed by other than its functions: this is not "
            "modelled");
}

std::optional<std::uint64_t> thread_run::read_word_of_call(std::uint64_t address, bool acquires) {
    if (alone_) {
        std::uint32_t value = 0;
        std::memcpy(&value, reinterpret_cast<const void*>(address), word_of_call);
        return value;
    }
    learn_of_call(address);
    event e;
    e.is_read = e.atomic = true;
    e.acquire = acquires;
    e.address = address;
    e.bytes = word_of_call;
    const std::size_t read = add(e);
    const std::optional<word> value = loaded(read);
    if (!value) return wait_for(from_read(read)->needs), std::nullopt;
    control_ = both(control_, from_read(read));
    return value->low;
}

/// The write of a read-modify-write, whose read was just before.
void thread_run::write_word_of_call(std::uint64_t address, std::uint64_t value, bool releases) {
    if (alone_) {
        const auto word = static_cast<std::uint32_t>(value);
        std::memcpy(reinterpret_cast<void*>(address), &word, word_of_call);
        return;
    }
    event e;
    e.is_write = e.atomic = true;
    e.release = releases;
    e.address = address;
    e.bytes = word_of_call;
    e.rmw_read = static_cast<int>(result_->events.size()) - 1;
    ++effects_;
    add(e, word{value, 0});
}

/// Which of the alternatives this run takes. Nothing when the search has to choose first.
std::optional<std::uint32_t> thread_run::choice(std::uint32_t alternatives) {
    const std::uint32_t place = places_++;
    if (chosen_ < past_.chosen.size() && past_.chosen[chosen_].first == place)
        return past_.chosen[chosen_++].second;
    result_->asks_at = place;
    result_->alternatives = alternatives;
    stop(run::end::asks);
    return {};
}

/// An end that leaves the thread as the one before did is left out: the execution in which it tries for the first time only
/// now does the same from here on, with less order.
std::optional<bool> thread_run::ends_early(std::uint64_t effects, unsigned most, bool may_tell) {
    if (alone_ || limits_.ends == spurious::never) return false;
    early_end& last = early_[pc_];
    if (limits_.ends == spurious::few && last.in_a_row >= most) {
        result_->early_left_out = result_->early_left_out || may_tell;
        last.in_a_row = 0;
        return false;
    }
    const std::optional<std::uint32_t> chosen = choice(2);
    if (!chosen) return {};
    if (*chosen == 0) {
        last.in_a_row = 0;
        return false;
    }
    last.at.effects += effects;
    at_head now = here();
    if (last.in_a_row > 0 && last.at == now) return stop(run::end::impossible), std::nullopt;
    last.at = std::move(now);
    ++last.in_a_row;
    return true;
}

thread_run::next thread_run::wait_begin() {
    constexpr unsigned most_ends = 3, effects = 2; // it unlocks and locks its mutex
    const bool timed = cpu_.value(1) != 0;
    const std::optional<bool> early = ends_early(effects, timed ? 1 : most_ends, !timed);
    if (!early) return next::over;
    if (*early) return done(1);
    const std::uint64_t address = cpu_.value(0);
    const std::optional<std::uint64_t> waiters = read_word_of_call(address, false);
    if (!waiters) return next::over;
    looks_ = 0; // the library looks at the clock when it is woken: little time has passed then
    write_word_of_call(address, *waiters | std::uint64_t{1} << self_);
    return done(0);
}

/// A wait that may time out does so, or is woken. A thread's third that is not woken is not followed any further.
thread_run::next thread_run::wait_end() {
    constexpr unsigned most_time_outs = 2;
    const std::uint64_t address = cpu_.value(0), self = std::uint64_t{1} << self_;
    const bool may_time_out = cpu_.value(1) != 0;
    bool times_out = alone_ && may_time_out;
    if (!alone_ && may_time_out && time_outs_ < most_time_outs) {
        const std::optional<std::uint32_t> chosen = choice(2);
        if (!chosen) return next::over;
        times_out = *chosen == 1;
    }
    const std::optional<std::uint64_t> waiters = read_word_of_call(address, true);
    if (!waiters) return next::over;
    const bool woken = (*waiters & self) == 0;
    if (woken) return times_out ? stop(run::end::impossible) : done(0); // the other choice has it
    if (times_out) {
        ++time_outs_;
        time_ = std::max(time_, cpu_.value(2));
        write_word_of_call(address, *waiters & ~self);
        return done(1);
    }
    if (alone_) return fail("lost wake-up: main() waits for ever on a condition variable");
    if (may_time_out && time_outs_ < most_time_outs) return stop(run::end::impossible);
    result_->bounded = may_time_out;
    return stuck_at(waiting::condition);
}

thread_run::next thread_run::notify() {
    const std::uint64_t address = cpu_.value(0);
    const bool all = cpu_.value(1) != 0;
    const std::optional<std::uint64_t> waiters = read_word_of_call(address, false);
    if (!waiters) return next::over;
    if (*waiters == 0) return done(0);
    std::uint64_t left = 0;
    if (const int count = __builtin_popcountll(*waiters); !all && count > 1) {
        const std::optional<std::uint32_t> which = choice(static_cast<std::uint32_t>(count));
        if (!which) return next::over;
        std::uint64_t one = *waiters;
        for (std::uint32_t k = 0; k < *which; ++k) one &= one - 1;
        left = *waiters & ~(one & -one);
    }
    write_word_of_call(address, left);
    return done(0);
}

/// Each thread has its own time, which passes with each look and each sleep: first a microsecond, then ever more, up to
/// an hour, so that a loop that waits for a deadline ends after a few rounds. Between threads it orders nothing.
std::uint64_t thread_run::look_at_clock() {
    constexpr std::uint64_t longest_step = 3'600'000'000'000;
    std::uint64_t step = 1'000;
    for (unsigned i = 3; i < looks_ && step < longest_step; ++i) step *= 100;
    ++looks_;
    time_ += std::min(step, longest_step);
    return time_;
}

} // namespace ringproof::silicon::a64
