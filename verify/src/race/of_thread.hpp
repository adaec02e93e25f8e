// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/thread.hpp"

#include <cstdint>

namespace ringproof::verify {

/// A granule, for what iterations of `t` accessed, and for what threads access that know of events of `t`: its address has
/// room for a few thread numbers. Alike threads, which change places, have that of the first.
inline std::uintptr_t of_thread(std::uintptr_t granule, const thread_state& t) {
    return granule | ((t.first_alike != 0 ? t.first_alike : t.id) & 7u);
}

/// The same where the granule is not `t`'s own, but that of a thread alike to it: under the number of the second of them,
/// which no other thread has.
inline std::uintptr_t of_alike_thread(std::uintptr_t granule, const thread_state& t) {
    return granule | ((t.first_alike + 1u) & 7u);
}

} // namespace ringproof::verify
