// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

namespace ringproof {

/// The header of a record, as `struct perf_event_header` of linux/perf_event.h has it.
///
///     bytes  0        4      6      8
///            | type   | misc | size | payload … | 0-7 bytes of filling |
///            `size` counts all of it and is a multiple of 8, so a header never wraps around the end.
///
/// The kernel's ABI has no exact payload size. Three bits of `misc` that the kernel leaves alone hold the
/// number of filling bytes, so a reader of this library gets the exact size and a perf reader is not
/// disturbed.
struct record_header {
    std::uint32_t type;
    std::uint16_t misc;
    std::uint16_t size;
};
static_assert(sizeof(record_header) == 8 && std::has_unique_object_representations_v<record_header>);

namespace record_type {
inline constexpr std::uint32_t lost = 2;   ///< PERF_RECORD_LOST
inline constexpr std::uint32_t sample = 9; ///< PERF_RECORD_SAMPLE, what a program writes by default
inline constexpr std::uint32_t padding = 0xffff'ffff; ///< a discarded reservation; readers pass over it
} // namespace record_type

/// What a record is called; chosen by who writes it.
struct record_tag {
    std::uint32_t type = record_type::sample;
    std::uint16_t misc = 0; ///< bits 9 to 11 are taken (the filling)
};

/// Why a reservation was refused.
enum class refusal : std::uint8_t {
    none,
    full,             ///< the consumer has to read first
    too_large,        ///< no record of this size can ever fit: see max_payload()
    paused,           ///< see pause()
    reservation_open, ///< `single` holds one reservation at a time
    reserved_misc,    ///< the tag uses misc bits 9 to 11, or the type of padding
    elsewhere,        ///< `one_cpu`: the thread is not, or no longer, on the ring's CPU; nothing is lost yet
};

/// What a reader found wrong in the ring's memory. It reads nothing from there on.
enum class read_error : std::uint8_t {
    none,
    head_out_of_range, ///< head is before tail, or more than the capacity ahead of it
    size_too_small,    ///< a record's size is less than its own header and filling
    size_unaligned,    ///< a record's size is not a multiple of 8
    size_too_large,    ///< a record reaches past what has been written
};

namespace detail {

inline constexpr std::size_t header_size = sizeof(record_header);
inline constexpr std::size_t largest_record = 0xfff8; ///< the largest multiple of 8 in a u16
inline constexpr unsigned filling_shift = 9;
inline constexpr std::uint16_t filling_mask = 7U << filling_shift;

/// The size of a record in the ring for this payload, a multiple of 8.
[[nodiscard]] constexpr std::size_t record_size(std::size_t payload) noexcept {
    return header_size + (payload + 7) / 8 * 8;
}

/// The header of a record with `beside` bytes of its own after the payload and its filling.
[[nodiscard]] constexpr std::uint64_t header_word(record_tag tag, std::size_t payload,
                                                  std::size_t beside = 0) noexcept {
    const auto filling = static_cast<std::uint16_t>((0 - payload) % 8 << filling_shift);
    const auto misc = static_cast<std::uint16_t>(tag.misc | filling);
    const auto size = static_cast<std::uint16_t>(record_size(payload) + beside);
    if constexpr (std::endian::native == std::endian::little) // the same, in one register
        return tag.type | std::uint64_t{misc} << 32 | std::uint64_t{size} << 48;
    return std::bit_cast<std::uint64_t>(record_header{tag.type, misc, size});
}

[[nodiscard]] constexpr std::size_t filling(record_header header) noexcept {
    return static_cast<std::size_t>((header.misc & filling_mask) >> filling_shift);
}

/// Is this a record that lies within the next `available` bytes? Asked before any of its fields is used.
[[nodiscard]] constexpr read_error check(record_header header, std::uint64_t available) noexcept {
    if (header.size % 8 != 0) return read_error::size_unaligned;
    if (header.size < header_size + filling(header)) return read_error::size_too_small;
    if (header.size > available) return read_error::size_too_large;
    return read_error::none;
}

} // namespace detail

/// A run of bytes in a ring: in one piece, or in two when it goes around the end.
template <class Byte>
struct ring_bytes {
    std::span<Byte> first;
    std::span<Byte> second; ///< empty unless the run goes around the end

    [[nodiscard]] std::size_t size() const noexcept { return first.size() + second.size(); }
    [[nodiscard]] bool contiguous() const noexcept { return second.empty(); }
};

/// A record in place. Its bytes are the ring's: they are valid until the batch it came from ends.
class record {
  public:
    record(record_header header, ring_bytes<const std::byte> payload) noexcept
        : header_(header), payload_(payload) {}

    [[nodiscard]] std::uint32_t type() const noexcept { return header_.type; }
    [[nodiscard]] std::uint16_t misc() const noexcept {
        return static_cast<std::uint16_t>(header_.misc & ~detail::filling_mask);
    }

    /// Bytes of payload, exactly as many as were reserved.
    [[nodiscard]] std::size_t size() const noexcept { return payload_.size(); }

    [[nodiscard]] ring_bytes<const std::byte> bytes() const noexcept { return payload_; }

    /// Copies as much of the payload as `to` can hold. @return how many bytes
    std::size_t copy_to(std::span<std::byte> to) const noexcept {
        const std::size_t front = std::min(to.size(), payload_.first.size());
        const std::size_t back = std::min(to.size() - front, payload_.second.size());
        if (front != 0) std::memcpy(to.data(), payload_.first.data(), front);
        if (back != 0) std::memcpy(to.data() + front, payload_.second.data(), back);
        return front + back;
    }

    /// The payload as a T, if it has exactly the size of one.
    template <class T>
    [[nodiscard]] std::optional<T> as() const noexcept {
        static_assert(std::is_trivially_copyable_v<T>, "record::as<T>() requires a trivially copyable T");
        std::array<std::byte, sizeof(T)> raw;
        if (size() != sizeof(T)) return std::nullopt;
        if (payload_.contiguous())
            std::memcpy(raw.data(), payload_.first.data(), sizeof(T)); // of a known size
        else
            copy_to(raw);
        return std::bit_cast<T>(raw);
    }

  private:
    record_header header_;
    ring_bytes<const std::byte> payload_;
};

} // namespace ringproof
