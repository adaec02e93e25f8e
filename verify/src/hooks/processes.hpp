// SPDX-License-Identifier: Apache-2.0
#pragma once
// Processes that the program makes by fork().

#include <cstdint>

namespace ringproof::verify {

/// Ends the process of the running thread, which has no other.
[[noreturn]] void end_process(int code, std::uintptr_t site);

} // namespace ringproof::verify
