// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

namespace dead_state {

/// What the threads of a program share.
struct shared_memory {
    std::atomic<int> x{0}, y{0};
    int* kept = nullptr; ///< an address in the stack of the one who waits, its own
    int result = 0;
};
inline shared_memory shared;

inline constexpr std::size_t subject_count = 200, pointer_count = 300;
using subject_list = std::array<void (*)(), subject_count>;
using pointer_list = std::array<void (*)(), pointer_count>;

} // namespace dead_state

#define DEAD_STATE_SUBJECTS(options)                                                                         \
    namespace dead_state::options {                                                                          \
    const subject_list& subjects();                                                                          \
    namespace pointers {                                                                                     \
    const pointer_list& subjects();                                                                          \
    }                                                                                                        \
    }
DEAD_STATE_SUBJECTS(o0)
DEAD_STATE_SUBJECTS(o1)
DEAD_STATE_SUBJECTS(o2)
DEAD_STATE_SUBJECTS(o3)
