// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the runner and a generated library say to each other. The library is compiled alone, without
// any header, so frame.cpp writes the same declarations as text; keep both in step.
//
//  an instance: one copy of the test's variables, each in cache lines of its own
//
//      base + order[k] ──► │ variable 0 … │ variable 1 … │ …     (variable_pitch bytes each)
//
//  `order` gives the byte offset of the k-th instance to run; all threads of a batch share it.
//  `out` of a thread holds, per k, the registers that a final state shows.

#include <cstddef>
#include <cstdint>

namespace ringproof::litmus {

inline constexpr std::size_t variable_pitch = 64;

/// Counts final states: open addressing, `values` holds `mask + 1` rows of the shown values.
struct state_table {
    std::uint64_t* counts;
    std::int64_t* values;
    std::uint64_t mask;
    std::uint64_t used;
};

using run_function = void (*)(char* base, const std::uint32_t* order, std::uint64_t from, std::uint64_t to,
                              char* out);
/// One instruction of a thread, on many instances; `saved` holds the thread's registers between its
/// instructions, so that another thread can have the CPU in the middle.
using step_function = void (*)(char* base, const std::uint32_t* order, std::uint64_t from, std::uint64_t to,
                               char* out, std::uint64_t* saved);
/// Loads what the thread will load, so that the loads of the test hit its cache; or flushes from all
/// caches what it will store to, so that its stores take long.
using hint_function = void (*)(char* base, const std::uint32_t* order, std::uint64_t from, std::uint64_t to);
/// Adds the instances [from, to) to the table and resets them; stops early when the table is half
/// full. @returns the first instance not done
using collect_function = std::uint64_t (*)(char* base, const std::uint32_t* order, std::uint64_t from,
                                           std::uint64_t to, char* const* outs, state_table* table);
/// Sets the variables of the instances [from, to) to their initial values.
using reset_function = void (*)(char* base, const std::uint32_t* order, std::uint64_t from, std::uint64_t to);

/// The one exported symbol, `ringproof_litmus_test`.
struct generated_test {
    std::uint64_t threads;
    std::uint64_t instance_bytes;
    const std::uint64_t* out_bytes;   ///< per thread
    const run_function* run;          ///< per thread
    const hint_function* touch;       ///< per thread
    const hint_function* flush;       ///< per thread
    const std::uint64_t* steps;       ///< per thread: its instructions, 0 if it jumps and so has no steps
    const step_function* const* step; ///< per thread and instruction
    const std::uint64_t* saved_words; ///< per thread: of `saved`, for each instance
    collect_function collect;
    reset_function reset;
};

} // namespace ringproof::litmus
