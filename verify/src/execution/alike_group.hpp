// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/thread.hpp"

namespace ringproof::verify {

/// Whether `t` belongs to the alike threads whose first is `first`. The program keeps the state of threads that another
/// execution created and this one has not: these belong to no group.
inline bool is_in_group(const thread_state& t, thread_id first) {
    return t.status != thread_status::unborn && t.first_alike == first;
}

} // namespace ringproof::verify
