// SPDX-License-Identifier: Apache-2.0
// What was tried out of a read amid attempts (undone_attempts.cpp) is remembered: threads that try again come back to the
// same state in many executions, and a trial runs them once for each value that the location may hold.
//
// A trial lets one thread run, and puts it back. What it finds is a function of what is hashed here:
// - of the thread, its stack and registers, and the request before which it stands;
// - of memory, all that a library may read that the checker does not see: the heaps, the executable's data and the stacks
//   that another thread knows. What lies on other stacks no one but their threads reads;
// - of the location, the values that the thread may see, and what is known of attempts on it.
// And of the accesses of others so far, where a trial asks whether plain accesses of an iteration repeat earlier ones, what
// is dead on a stack, or ends in a race. Such a trial is not remembered, with one exception: where a value that only attempts of others would leave
// leads to a race, the attempt is not one that fails, and what is asked then is whether the thread goes the same way as
// with the value that is there. That is asked without regard to races, and answers for all accesses of others: had
// there been no race, the attempt would fail with that value, or the same would have been asked.
// Where memory is large, or mapped, nothing is remembered.

#include "undone_attempts.hpp"

#include <algorithm>
#include <utility>

namespace ringproof::verify {

constexpr std::size_t most_remembered = 1 << 16; // 6 MB

/// Adds what the next steps of `t` depend on, unless they access memory that another thread may know: where the thread is
/// and what it will do next is in its stack and registers; a library that the checker does not see may read all memory.
bool undone_attempts::add_look(memory_digest& digest, const thread_state& t) const {
    if (!program_.images().add_to(digest, program_.begin(), program_.thread_count(), t.id)) return false;
    const std::string own = own_state(t);
    digest.add(own.data(), own.size());
    for (const std::uint64_t word :
         {std::uint64_t{t.id}, std::uint64_t{t.what.address}, std::uint64_t{t.what.site},
          std::uint64_t{t.what.frame}, std::uint64_t{t.hook_frame}, std::uint64_t{t.places},
          std::uint64_t(t.what.act), std::uint64_t(t.what.op), std::uint64_t(t.what.mo),
          std::uint64_t{t.what.size}, static_cast<std::uint64_t>(t.what.operand),
          static_cast<std::uint64_t>(t.what.operand >> 64)})
        digest.add(word);
    return true;
}

/// Of a look of `t` that may see any of `values`.
std::optional<memory_digest> undone_attempts::look_of(const thread_state& t,
                                                      const std::vector<value_t>& values) const {
    memory_digest digest;
    if (!facts_.limits.reduce.tried_look || facts_.interrupts || !add_look(digest, t)) return std::nullopt;
    digest.add(values.size());
    for (const value_t v : values) {
        digest.add(static_cast<std::uint64_t>(v));
        digest.add(static_cast<std::uint64_t>(v >> 64));
    }
    return digest;
}

/// Whether `t` goes on from here as from where it made the attempt, whatever it meets.
bool undone_attempts::goes_on_like(thread_state& t, const attempt_made& made) {
    const auto all = [&] {
        return std::all_of(made.values.begin(), made.values.end(),
                           [&](value_t v) { return same_way_from_here(t, v, &made.before, v, made.values); });
    };
    std::optional<memory_digest> look = made.look;
    if (!look || !add_look(*look, t)) return all();
    if (const auto known = same_ways_.find(look->result()); known != same_ways_.end()) return known->second;
    const bool asked_before = std::exchange(asked_of_races_, false);
    const bool like = all();
    if (!asked_of_races_ && same_ways_.size() < most_remembered) same_ways_.emplace(look->result(), like);
    asked_of_races_ = asked_of_races_ || asked_before;
    return like;
}

/// What fails_untold() finds, or found.
bool undone_attempts::fails_as_before(thread_state& t, attempts_on& on, const std::vector<value_t>& values,
                                      bool attempt) {
    std::optional<memory_digest> look = look_of(t, values);
    if (look) {
        // What is known of the location only grows; who has learnt more looks anew.
        for (const std::size_t size : {on.sites.size(), on.changes.size(), on.values.size()}) look->add(size);
        if (const auto known = tried_.find(look->result()); known != tried_.end()) return known->second;
    }
    asked_of_races_ = raced_ = false;
    const bool fails = fails_untold(t, on, values, attempt);
    if (look && !asked_of_races_ && tried_.size() < most_remembered) tried_.emplace(look->result(), fails);
    return fails;
}

} // namespace ringproof::verify
