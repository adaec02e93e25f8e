// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "ringproof/record_area.hpp"

namespace ringproof {

/// When full: the oldest records stay, the new one is refused, and `lost()` counts it. Nothing of it is in the ring.
struct refuse {
    static constexpr bool can_pause = false;
    static constexpr std::size_t report_size = 0;

    template <class ProducerSide>
    [[nodiscard]] static std::size_t wanted(const ProducerSide&) noexcept {
        return 0;
    }

    template <class ProducerSide>
    static void report(ProducerSide&, const detail::record_area&, std::uint64_t, std::uint64_t) noexcept {}
};

} // namespace ringproof
