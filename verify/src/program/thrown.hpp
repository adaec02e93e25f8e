// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exceptions of the program, which reductions take for absent as long as none has been thrown.

#include <cstdint>

namespace ringproof::verify {

struct thrown {
    /// Whether a throw of the standard library comes to our __cxa_throw, as it does unless that library binds its own
    /// functions. Tried out once, on the engine's stack.
    static bool is_noticed();
    /// A search begins, which knows of none.
    static void forget() { any = false; }

    static inline std::uint64_t count = 0; ///< of the program and of the engine
    static inline bool any = false;        ///< the program has thrown one in this search
};

} // namespace ringproof::verify
