// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

#include "ringproof/wake/watermark.hpp"

namespace ringproof {

/// The consumer sleeps on the flag itself, in std::atomic's wait: `ring.wait()`. Threads of one process.
class futex {
  public:
    static constexpr bool has_descriptor = false;

    void raised(std::atomic<std::uint32_t>& flag) noexcept { flag.notify_one(); }
    void lowered() noexcept {}
    void collect() noexcept {}

    template <class Barriers>
    void sleep(const std::atomic<std::uint32_t>& flag, std::uint32_t seen) noexcept {
        Barriers::sleep_while(flag, seen);
    }
};

using futex_wakeup = watermark<futex>;

} // namespace ringproof
