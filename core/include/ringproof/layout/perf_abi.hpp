// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "ringproof/barriers.hpp" // what it asks of the machine's atomics
#include "ringproof/layout/padded.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Head and tail where `struct perf_event_mmap_page` has them, one page before the data, so that readers written
/// for the kernel's ring read ours, and ours the kernel's. Positions that only the producer knows stay private.
///
///     byte   40  capabilities   cap_bit0_is_deprecated, as every kernel sets it
///            72  size           96: the bytes of the page's first part that are there
///          1024  data_head      written by the producer      one line: the ABI puts the two sides side by
///          1032  data_tail      written by the consumer      side, which costs what padding saves
///          1040  data_offset    written once
///          1048  data_size      written once
///          1056  aux_head       written by the source       of an AUX area beside the ring: aux_area.hpp
///          1064  aux_tail       written by its consumer
///          1072  aux_offset     where it is in the ring's file, and how large: written once, by whoever maps it
///          1080  aux_size
///
/// Memory that somebody else has made a ring in is taken over as it is and not written to, apart from data_tail by
/// the consumer; what the page says about the data is checked first.
struct perf_abi {
    static constexpr bool has_page = true;
    static constexpr bool many_processes = false;
    static constexpr bool has_aux = true;

    static constexpr std::size_t capabilities_at = 40, size_at = 72, head_at = 1024, tail_at = 1032,
                                 data_offset_at = 1040, data_size_at = 1048, aux_head_at = 1056,
                                 aux_tail_at = 1064, aux_offset_at = 1072, aux_size_at = 1080,
                                 page_bytes = 1088;

    /// cap_bit0_is_deprecated, the second of a word of bit-fields: they begin at the other end where bytes do.
    static constexpr std::uint64_t capabilities =
        std::endian::native == std::endian::little ? std::uint64_t{1} << 1 : std::uint64_t{1} << 62;

    /// Where a word stands in the page; 0: it is not there.
    static constexpr std::size_t place(shared_word which) noexcept {
        switch (which) {
        case shared_word::head:
            return head_at;
        case shared_word::tail:
            return tail_at;
        case shared_word::aux_head:
            return aux_head_at;
        case shared_word::aux_tail:
            return aux_tail_at;
        default:
            return 0;
        }
    }

    template <shared_word Which>
    static constexpr bool in_page = place(Which) != 0;

    class page_word {
      public:
        [[nodiscard]] std::atomic<std::uint64_t>& operator*() noexcept { return *at_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& operator*() const noexcept { return *at_; }

      protected:
        page_word(std::uint64_t start, const ring_memory* memory, std::size_t offset) noexcept {
            auto* const bytes = memory->control() + offset;
            at_ = memory->attached() ? std::launder(reinterpret_cast<std::atomic<std::uint64_t>*>(bytes))
                                     : new (bytes) std::atomic<std::uint64_t>(start);
        }

      private:
        std::atomic<std::uint64_t>* at_;
    };

    template <shared_word Which>
    class word : public std::conditional_t<in_page<Which>, page_word, padded::word<Which>> {
        using base = std::conditional_t<in_page<Which>, page_word, padded::word<Which>>;

      public:
        word(std::uint64_t start, const ring_memory* memory) noexcept requires(!in_page<Which>)
            : base(start, memory) {}
        word(std::uint64_t start, const ring_memory* memory) noexcept requires(in_page<Which>)
            : base(start, memory, place(Which)) {}
    };

    using positions = padded::positions;

    /// @throws std::invalid_argument when the memory is no such ring
    static positions begin(const ring_memory& memory, std::uint64_t start) {
        if (memory.control() == nullptr || memory.control_size() < page_bytes)
            throw std::invalid_argument("a ring in perf's layout needs memory with a control page");
        if (!memory.attached()) {
            store(memory, capabilities_at, capabilities);
            const std::uint32_t size = 96;
            std::memcpy(memory.control() + size_at, &size, sizeof size);
            store(memory, data_offset_at, memory.control_size());
            store(memory, data_size_at, memory.capacity());
            return {start, start};
        }
        // Kernels before 4.1 leave both 0.
        const std::uint64_t size = load(memory, data_size_at), offset = load(memory, data_offset_at);
        if ((size != 0 && size != memory.capacity()) || (offset != 0 && offset != memory.control_size()))
            throw std::invalid_argument("the control page describes another data area than the mapping has");
        const positions there{load(memory, head_at), load(memory, tail_at)};
        if (there.tail % 8 != 0)
            throw std::invalid_argument("the control page's data_tail is not a multiple of 8");
        return there;
    }

    /// Where an AUX area of `capacity` bytes beside a ring in this memory begins.
    /// @throws std::invalid_argument when there is no page, or it describes another area
    static positions begin_aux(const ring_memory& memory, std::uint64_t start, std::uint64_t capacity) {
        if (memory.control() == nullptr || memory.control_size() < page_bytes)
            throw std::invalid_argument(
                "an AUX area in perf's layout is beside a ring whose memory has a control page");
        if (!memory.attached()) return {start, start};
        // 0: whoever has mapped it did not say.
        if (const std::uint64_t size = load(memory, aux_size_at); size != 0 && size != capacity)
            throw std::invalid_argument("the control page describes an AUX area of another size");
        return {load(memory, aux_head_at), load(memory, aux_tail_at)};
    }

    /// A word of a page that is complete, whoever made it.
    [[nodiscard]] static const std::atomic<std::uint64_t>& existing(const ring_memory& memory,
                                                                    shared_word which) noexcept {
        return *std::launder(
            reinterpret_cast<const std::atomic<std::uint64_t>*>(memory.control() + place(which)));
    }

    static void store(const ring_memory& memory, std::size_t at, std::uint64_t value) noexcept {
        std::memcpy(memory.control() + at, &value, sizeof value);
    }
    static std::uint64_t load(const ring_memory& memory, std::size_t at) noexcept {
        std::uint64_t value;
        std::memcpy(&value, memory.control() + at, sizeof value);
        return value;
    }
};

} // namespace ringproof
