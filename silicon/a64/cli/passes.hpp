// SPDX-License-Identifier: Apache-2.0
#pragma once
// Passes of a search, which begins anew as long as more becomes known of the memory.

#include "findings.hpp"

#include <chrono>

namespace ringproof::silicon::a64 {

/// All that is learnt on the way is known when it ends. @param once is one pass: gets the findings, and how often the
/// search has begun anew; throws `learnt`
template <class Once>
findings until_all_is_known(const Once& once) {
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned begun = 0;; ++begun) {
        try {
            findings f;
            once(f, begun);
            f.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            return f;
        } catch (const learnt&) { // the program has noted what
        }
    }
}

} // namespace ringproof::silicon::a64
