// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a search of a program has found, as a user wants to see it.

#include <ringproof/silicon/a64/program.hpp>
#include <ringproof/silicon/execution.hpp>
#include <ringproof/silicon/way.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::silicon::a64 {

/// An access of the execution that fails, in words.
struct shown_access {
    std::size_t thread = 0, index = 0;
    std::string place, instruction, what; ///< "queue.hpp:42", "ldar w1, [x0]", "reads ready = 0x1"
    source_place source;
    std::string location, value;                             ///< "ready", "0x1"; empty of barriers
    std::optional<std::pair<std::size_t, std::size_t>> from; ///< of a read: thread and index of the write
    bool from_start = false;                                 ///< it reads what was there at the start
};

/// A thread that waits for ever.
struct shown_wait {
    std::size_t thread = 0;
    std::string place, what; ///< "queue.cpp:12", "waits for mutex m"
};

/// An instruction that would have to order more.
struct shown_order {
    source_place source;
    std::string place, instruction; ///< "queue.hpp:42", "ldr w0, [x0]"
    std::string becomes;            ///< "ldar"; of a barrier before it "dmb ish"
    std::string cxx;                ///< "memory_order_acquire", "atomic_thread_fence(memory_order_seq_cst)"
    bool is_barrier = false;
};

/// Orders that together forbid the execution that fails.
struct missing_orders {
    std::vector<shown_order> orders;
    std::string verdict; ///< of the program with them; "refuted": another execution fails that they do not
                         ///< forbid; empty: not searched to the end
    std::uint64_t executions = 0;
};

struct findings {
    std::uint64_t executions = 0, blocked = 0;
    std::uint64_t failing = 0;   ///< executions that fail, as far as it went
    bool cut = false;            ///< a thread ran longer than its limit
    bool stopped = false;        ///< by the time, or an interrupt
    bool limited = false;        ///< by the number of executions
    bool random = false;         ///< some executions, not all
    bool bounded = false;        ///< a wait timed out as often as is followed
    bool early_left_out = false; ///< a wait could have ended early once more, or a store-exclusive failed
    std::string hang;            ///< where a thread waits for ever, if that is no error
    std::string failure;         ///< of the first execution that fails
    std::vector<shown_wait> waits;
    std::vector<shown_access> shown;
    std::string token; ///< of the execution that fails, for a replay
    std::shared_ptr<const part_of_execution> failing_execution;
    bool interleaving = false;                       ///< it is one that threads have which take turns
    std::vector<missing_orders> missing;             ///< ways to forbid it, if they were looked for
    bool more_missing = false;                       ///< the time ended that search: there may be other ways
    std::vector<std::vector<shown_access>> complete; ///< executions, if some are to be shown
    std::uint64_t choices = 0;                       ///< alternatives that the search went into
    std::vector<tree_part> rest;                     ///< of a search that was stopped: what is left
    std::size_t threads = 0;
    unsigned processes = 1;   ///< that searched
    std::size_t accesses = 0; ///< of the execution that fails: how long it is
    double done = 0;          ///< the share of the tree that has been searched, about
    double seconds = 0;
};

/// The failure, and the execution that fails.
void print(const findings& f, std::FILE* out);
/// What would forbid the execution that fails, if that was looked for.
void print_missing(const findings& f, std::FILE* out);
/// The complete executions that were kept.
void print_complete(const findings& f, std::FILE* out);

} // namespace ringproof::silicon::a64
