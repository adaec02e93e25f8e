// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the running thread has done since its last request that is settled only with the next.

#include "thread.hpp"

namespace ringproof::verify {

/// Plain writes beside its own stack since the running thread's last request: did they change anything?
struct overwritten {
    std::uintptr_t address;
    std::uint8_t size;
    unsigned char bytes[16];
};

/// A volatile access, or a piece of one that races, of the running thread, that its next request completes: what a read
/// found in memory, where the value it reads now stands; or what a write found there.
struct volatile_access {
    std::uintptr_t address = 0, site = 0;
    std::uintptr_t function_frame = 0; ///< of the function whose local variable is written, otherwise 0
    std::uint8_t size = 0;             ///< 0: none
    bool write = false;
    value_t before = 0;
};

} // namespace ringproof::verify
