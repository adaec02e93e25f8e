// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every final state of an X86 test, by exhaustive search of an abstract machine: threads take turns
// on one memory, each behind a FIFO store buffer that its own loads look into first. This is the
// x86-TSO machine of Sewell, Sarkar, Owens, Zappa Nardelli and Myreen ("x86-TSO: a rigorous and
// usable programmer's model for x86 multiprocessors", CACM 53(7), 2010): MFENCE waits for the
// thread's buffer to be empty; a locked instruction does so too and then reads and writes memory in
// one step; LFENCE and SFENCE add no order among loads and stores of write-back memory. Without the
// buffers it is sequential consistency.
//
// What is seen on hardware must be among these states; anything else is a bug of the runner or of
// the processor.

#include "../parse/x86.hpp"

#include <optional>
#include <set>

namespace ringproof::litmus {

enum class machine { sc, tso };

struct final_states {
    std::set<std::vector<std::int64_t>> values; ///< of the shown locations, in their order
    std::uint64_t explored = 0;                 ///< states of the machine visited
};

/// @returns nothing if the test leaves what the machine models (an address that is no variable's,
/// an address in a shown value) or has more than `most` states, or more than fit in half a GiB; that
/// says nothing about the test
std::optional<final_states> explore(const x86::program& p, const std::vector<location>& shown, machine m,
                                    std::uint64_t most = 1'000'000);

} // namespace ringproof::litmus
