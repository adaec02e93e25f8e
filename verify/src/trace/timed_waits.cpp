// SPDX-License-Identifier: Apache-2.0
#include "timed_waits.hpp"

#include <string_view>

namespace ringproof::verify {

bool is_in_timed_wait(std::uintptr_t site, const symbols& names) {
    // A function of the program may have such a name, too.
    if (const source_position at = names.position({site}); at.known() && at.direct) return false;
    for (const std::string& function : names.functions(site))
        for (const std::string_view wait : {"wait_for", "wait_until", "try_lock_for", "try_lock_until",
                                            "try_lock_shared_for", "try_lock_shared_until", "try_acquire_for",
                                            "try_acquire_until", "wait_address_for", "wait_address_until"})
            if (function.find(wait) != std::string::npos) return true;
    return false;
}

} // namespace ringproof::verify
