// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is noted of the running thread's accesses that are no events.

#include "../runtime/thread.hpp"

#include <vector>

namespace ringproof::verify {

/// What a replay notes when it happens; the graph does not know it.
struct noted {
    thread_id thread = 0;
    std::uint32_t index = 0; ///< visible: of its event; plain: of the event before it
    bool visible = false;
    bool write = false;
    bool valued = false; ///< a plain write has its value only once it is done
    std::uint8_t size = 0;
    std::uint8_t depth = 0;
    std::uintptr_t address = 0;
    value_t value = 0;
    std::vector<std::uintptr_t> sites;
    std::vector<std::uintptr_t> pointers; ///< the stack pointer of each site's function
};
struct noted_allocation {
    std::uintptr_t address;
    std::size_t size;
    std::vector<std::uintptr_t> sites;
};

/// Plain writes beside its own stack since the running thread's last request: did they change anything?
struct overwritten {
    std::uintptr_t address;
    std::uint8_t size;
    unsigned char bytes[16];
};

/// A volatile access of the running thread that its next request completes: what a read found in memory,
/// where the value it reads now stands; or what a write found there.
struct volatile_access {
    std::uintptr_t address = 0, site = 0;
    std::uintptr_t function_frame = 0; ///< of the function whose local variable is written, otherwise 0
    std::uint8_t size = 0;             ///< 0: none
    bool write = false;
    value_t before = 0;
};

} // namespace ringproof::verify
