// SPDX-License-Identifier: Apache-2.0
#pragma once
// What travels through the queues. Every payload says which producer sent it and as which number, and
// every word of it enters a checksum, so that a lost, doubled, reordered or torn one is noticed.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ringproof::bench {

using item = std::uint64_t;

template <std::size_t Bytes>
struct record {
    static_assert(Bytes % 8 == 0 && Bytes > 0);
    std::array<std::uint64_t, Bytes / 8> words;
};

/// Producer in the top 16 bits, sequence number below.
constexpr std::uint64_t make_tag(std::uint64_t producer, std::uint64_t sequence) {
    return producer << 48 | sequence;
}
constexpr std::uint64_t producer_of(std::uint64_t tag) { return tag >> 48; }
constexpr std::uint64_t sequence_of(std::uint64_t tag) { return tag & ((std::uint64_t{1} << 48) - 1); }

inline void stamp(item& i, std::uint64_t tag) { i = tag; }
inline std::uint64_t tag_of(const item& i) { return i; }
inline std::uint64_t checksum(const item& i) { return i; }

template <std::size_t Bytes>
void stamp(record<Bytes>& r, std::uint64_t tag) {
    for (std::size_t i = 0; i < r.words.size(); ++i) r.words[i] = tag + i;
}
template <std::size_t Bytes>
std::uint64_t tag_of(const record<Bytes>& r) {
    return r.words[0];
}
template <std::size_t Bytes>
std::uint64_t checksum(const record<Bytes>& r) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : r.words) sum += word;
    return sum;
}

/// The sum of checksums of the first `count` payloads of `producer`, modulo 2^64, without adding them up.
template <class Payload>
constexpr std::uint64_t expected_checksum(std::uint64_t producer, std::uint64_t count) {
    constexpr std::uint64_t words = sizeof(Payload) / 8;
    const std::uint64_t sequences = count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
    const std::uint64_t tags = make_tag(producer, 0) * count + sequences;
    return tags * words + words * (words - 1) / 2 * count;
}

/// Entries in each queue, and bytes of payload in a queue of records, whatever their size: in rings of bytes the
/// same number of bytes. A power of two, which is all that some queues can have.
constexpr std::size_t queue_capacity = 4096;
constexpr std::size_t record_queue_bytes = 256 * 1024;

template <class Payload>
constexpr std::size_t capacity_for() {
    return sizeof(Payload) <= sizeof(item)
               ? queue_capacity
               : std::max<std::size_t>(std::bit_floor(record_queue_bytes / sizeof(Payload)), 16);
}

} // namespace ringproof::bench
