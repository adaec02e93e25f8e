// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is known, and tried out, of attempts that take back what they added: undone_attempts.cpp.

#include "../program/images.hpp"
#include "../program/memory_digest.hpp"
#include "../program/thread.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// What is known of a location to which additions are made that are taken back.
struct attempts_on {
    std::uintptr_t address = 0;
    bool given_up = false;                              ///< someone can tell
    std::vector<std::uintptr_t> sites;                  ///< where attempts are made
    std::vector<std::pair<thread_id, value_t>> changes; ///< which, by whom
    std::vector<value_t> values;                        ///< that the location has had
};

/// An attempt as it is made: by which request, in which state; and the values that it may meet.
struct attempt_made {
    const request& head;
    const std::string& state;
    const std::vector<value_t>& values;
    const saved_state& before;
    const std::optional<memory_digest>& look; ///< of that state
};

/// A state, and what the pending read there sees.
struct meeting {
    const saved_state* state;
    value_t seen;
};
struct attempt_values {
    std::uintptr_t address;
    const std::vector<value_t>& values;
};

} // namespace ringproof::verify
