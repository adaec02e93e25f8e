// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

namespace ringproof::verify {

/// What a search leaves out because another execution is the same. Each can be switched off by itself, to compare with and
/// without it. Without one, loops may need a bound of their own, or `rounds`.
struct reductions {
    bool idle_iteration = true; ///< of a loop that waits: registers, stack and memory are as they were
    bool retried_iteration =
        true; ///< of a loop that tries again: an execution without it comes to the same state
    bool iteration_count = true; ///< of a loop that yields and counts: between the first two and the last
    bool undone_attempt = true;  ///< one that takes back what it added, and waits
    bool tried_look = true; ///< trials of a read amid such attempts, in a state in which it was tried before
    bool vain_wake = true;  ///< a wait that ended spuriously, and was entered again
    bool blocked_lock = true;       ///< executions in which a thread waits for a lock that has become free
    bool restored_iteration = true; ///< of a loop that polls with a lock held: it leaves all as it was
    /// Of a loop that waits: but for the addresses of what it allocates, all is as it was. Only where the user assumes it:
    /// the conditions that it needs are not each shown to decide by the judge.
    bool allocating_iteration = false;
    bool multi_lock = true;        ///< tries of std::lock() that fail, and step back
    bool assumed_read = true;      ///< reads of a value with which an assumption of the program fails
    bool stale_iteration = true;   ///< branches in which an iteration fails for a value that is replaced
    bool own_store = true;         ///< stores of a loop that write again what its thread has for itself
    bool barrier = true;           ///< orders in which threads come to a barrier
    bool symmetry = false;         ///< executions in which threads that run the same change places
    bool commuting_update = false; ///< orders of read-modify-writes whose results are not used
    bool dead_state = true; ///< of two states of a thread that differ in dead registers and stack words alone
    bool unwritten_page =
        true; ///< of two states of large memory: pages that were not written in between, as the system says

    static constexpr reductions none() {
        return {false, false, false, false, false, false, false, false, false,
                false, false, false, false, false, false, false, false, false};
    }
};

struct named_reduction {
    std::string_view name; ///< for --no-reduction
    bool reductions::*member;
};
inline constexpr std::array<named_reduction, 18> named_reductions = {{
    {"idle-iteration", &reductions::idle_iteration},
    {"retried-iteration", &reductions::retried_iteration},
    {"iteration-count", &reductions::iteration_count},
    {"undone-attempt", &reductions::undone_attempt},
    {"tried-look", &reductions::tried_look},
    {"vain-wake", &reductions::vain_wake},
    {"blocked-lock", &reductions::blocked_lock},
    {"restored-iteration", &reductions::restored_iteration},
    {"allocating-iteration", &reductions::allocating_iteration},
    {"multi-lock", &reductions::multi_lock},
    {"assumed-read", &reductions::assumed_read},
    {"stale-iteration", &reductions::stale_iteration},
    {"own-store", &reductions::own_store},
    {"barrier", &reductions::barrier},
    {"symmetry", &reductions::symmetry},
    {"commuting-update", &reductions::commuting_update},
    {"dead-state", &reductions::dead_state},
    {"unwritten-page", &reductions::unwritten_page},
}};

/// That of this name, or null.
constexpr const named_reduction* find_reduction(std::string_view name) {
    for (const named_reduction& one : named_reductions)
        if (one.name == name) return &one;
    return nullptr;
}

} // namespace ringproof::verify
