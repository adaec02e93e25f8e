// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>

#include "ringproof/layout/padded.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Every shared word in the control page, so that producers of several processes find them there.
///
///     byte    0  "ringprf1"     8  capacity      written once
///           128  reserved                        producers
///           256  lost                            producers, rarely
///           384  tail                            consumer
///           512  56 places of 64 bytes: {who, what it is at}, one per producer
///
/// Needs memory that processes can share: mapped_memory.hpp.
struct between_processes {
    static constexpr bool has_page = false; ///< none of perf's
    static constexpr bool many_processes = true;

    static constexpr std::uint64_t magic = 0x3166'7270'676e'6972; // "ringprf1"
    static constexpr std::size_t reserved_at = 128, lost_at = 256, reported_at = 264, paused_at = 272,
                                 tail_at = 384, places_at = 512, places = 56,
                                 page_bytes = places_at + 64 * places;

    [[nodiscard]] static constexpr std::size_t offset(shared_word which) noexcept {
        switch (which) {
        case shared_word::tail:
            return tail_at;
        case shared_word::lost:
            return lost_at;
        case shared_word::reported:
            return reported_at;
        case shared_word::paused:
            return paused_at;
        case shared_word::head:
        case shared_word::reserved:
        case shared_word::aux_head: // not in this page: aux_area refuses this layout
        case shared_word::aux_tail:
            break;
        }
        return reserved_at;
    }

    /// A word in the page, which is zero at first.
    [[nodiscard]] static std::atomic<std::uint64_t>* at(const ring_memory& memory, std::size_t where,
                                                        std::uint64_t start) noexcept {
        static_assert(sizeof(std::atomic<std::uint64_t>) == 8 &&
                      std::atomic<std::uint64_t>::is_always_lock_free);
        auto* const bytes = memory.control() + where;
        return memory.attached() ? std::launder(reinterpret_cast<std::atomic<std::uint64_t>*>(bytes))
                                 : new (bytes) std::atomic<std::uint64_t>(start);
    }

    template <shared_word Which>
    class word {
      public:
        word(std::uint64_t start, const ring_memory* memory) noexcept
            : at_(at(*memory, offset(Which), start)) {}
        [[nodiscard]] std::atomic<std::uint64_t>& operator*() noexcept { return *at_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& operator*() const noexcept { return *at_; }

      private:
        std::atomic<std::uint64_t>* at_;
    };

    using positions = padded::positions;

    /// @throws std::invalid_argument when the memory is no such ring
    static positions begin(const ring_memory& memory, std::uint64_t start) {
        if (memory.control() == nullptr || memory.control_size() < page_bytes)
            throw std::invalid_argument("a ring between processes needs memory with a control page");
        if (!memory.attached()) {
            const std::uint64_t capacity = memory.capacity();
            std::memcpy(memory.control() + 8, &capacity, 8);
            std::memcpy(memory.control(), &magic, 8);
            return {start, start};
        }
        const auto load = [&](std::size_t where) {
            std::uint64_t value;
            std::memcpy(&value, memory.control() + where, 8);
            return value;
        };
        if (load(0) != magic || load(8) != memory.capacity())
            throw std::invalid_argument(
                "the control page is not that of a ring between processes of this size");
        const positions there{load(reserved_at), load(tail_at)};
        if (there.tail % 8 != 0)
            throw std::invalid_argument("the control page's tail is not a multiple of 8");
        return there;
    }
};

} // namespace ringproof
