// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

#include <vector>

namespace ringproof::verify {

/// Whether `t`, which saw its lock taken, can read it again.
inline bool reads_again(const thread_state& t, const graph& g) {
    if (t.status != thread_status::locking) return false;
    const event& last = g.at(g.in_thread(t.id, t.next_index - 1u));
    return last.blocked && !g.co_last(last.rf);
}

/// Whether `t` asks for a lock whose latest write says that it is taken.
inline bool asks_for_taken_lock(const thread_state& t, const graph& g) {
    if (!t.pending || t.what.act != action::lock) return false;
    const location_id l = g.find(t.what.address);
    return l != none && must_wait(t.what, g.at(g.loc(l).co.back()).value);
}

/// Threads that wait for a lock: blocked_locks.cpp.
class blocked_locks : public reduction {
  public:
    using reduction::reduction;
    /// Whether a read of `l` that sees a lock taken stays, and its thread reads again; otherwise writes revisit it.
    /// @throws anew
    bool applies_to(location_id l);
    /// The same of a location that has not been taken for a lock yet.
    bool may_apply_to(location_id l) const;
    /// Whether `t` asks for a lock that is taken: it goes on when all others have come as far as they can.
    bool is_taken(const thread_state& t) const {
        const bool locks = t.what.act == action::lock || t.status == thread_status::locking;
        return locks && found_taken(t); // each step asks
    }
    /// Before the pending write of `t` gets its place in coherence order. @throws anew
    void note_write(const thread_state& t, std::uint32_t place);

  private:
    bool applies() const { return facts_.limits.reduce.blocked_lock && !facts_.interrupts; }
    struct lock {
        std::uintptr_t address;
        bool given_up;
    };
    /// Whether each write of the location has the one before it in coherence order also before it in porf.
    bool follow_each_other(const location& at) const;
    bool found_taken(const thread_state& t) const;
    bool is_given_up(std::uintptr_t address) const;
    [[noreturn]] static void give_up(lock& l);
    std::vector<lock> locks_; ///< that were seen taken, of those in the program's memory
};

} // namespace ringproof::verify
