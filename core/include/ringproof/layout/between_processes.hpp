// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>

#include "ringproof/barriers.hpp"
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
    static constexpr bool has_aux = false; ///< it has one source

    static constexpr std::uint64_t magic =
        std::bit_cast<std::uint64_t>(std::array{'r', 'i', 'n', 'g', 'p', 'r', 'f', '1'});
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

    /// A word in the page, which `begin` has made.
    [[nodiscard]] static std::atomic<std::uint64_t>* at(const ring_memory& memory,
                                                        std::size_t where) noexcept {
        return std::launder(reinterpret_cast<std::atomic<std::uint64_t>*>(memory.control() + where));
    }

    template <shared_word Which>
    class word {
      public:
        word(std::uint64_t, const ring_memory* memory) noexcept : at_(at(*memory, offset(Which))) {}
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
            const auto make = [&](std::size_t where, std::uint64_t value) {
                new (memory.control() + where) std::atomic<std::uint64_t>(value);
            };
            make(8, memory.capacity());
            for (const std::size_t where : {reserved_at, tail_at}) make(where, start);
            for (const std::size_t where : {lost_at, reported_at, paused_at}) make(where, 0);
            for (std::size_t i = 0; i != 2 * places; ++i) make(places_at + 64 * (i / 2) + 8 * (i % 2), 0);
            make(0, 0);
            // Last, and a release: whoever sees it attaches to a page that is complete.
            acquire_release::announce(*at(memory, 0), magic);
            return {start, start};
        }
        // Others may be writing and reading already.
        const auto load = [&](std::size_t where) { return acquire_release::announced(*at(memory, where)); };
        if (acquire_release::announced(*at(memory, 0)) != magic || load(8) != memory.capacity())
            throw std::invalid_argument(
                "the control page is not that of a ring between processes of this size, or its "
                "maker has not come to make the ring in it yet");
        const positions there{load(reserved_at), load(tail_at)};
        if (there.tail % 8 != 0)
            throw std::invalid_argument("the control page's tail is not a multiple of 8");
        return there;
    }
};

} // namespace ringproof
