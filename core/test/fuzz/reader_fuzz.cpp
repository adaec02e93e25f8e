// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever somebody else has put into a control page and the data area, every reader of the core ends, stays
// inside, and delivers no more bytes than there are.
//
//     core_fuzz_reader [-max_total_time=60] core/test/fuzz/corpus
//
// Input: 1 byte which reader, 8 bytes head, 8 bytes tail, 32 bytes for two producers' places, then the data from tail on.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "ringproof/layout/between_processes.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/recorder.hpp"

namespace {

using namespace ringproof;

constexpr std::size_t page = 4096, capacity = 4096;
alignas(page) std::byte memory[page + capacity];

std::uint64_t checksum = 0;

void must(bool condition) {
    if (!condition) std::abort();
}

/// Touches every byte that a reader hands out. @return how many of the ring they took
std::size_t use(const record& one, const std::byte* from, std::size_t size) {
    for (const auto part : {one.bytes().first, one.bytes().second}) {
        if (part.empty()) continue;
        must(part.data() >= from && part.data() + part.size() <= from + size);
        for (const std::byte byte : part) checksum = checksum * 31 + static_cast<std::uint64_t>(byte);
    }
    return one.size() + sizeof(record_header);
}

template <class Ring>
void consume(Ring& ring) {
    for (int round = 0; round != 3; ++round) {
        std::size_t bytes = 0;
        ring.consume([&](const record& one) { bytes += use(one, memory + page, capacity); });
        must(bytes <= capacity);
        if constexpr (Ring::can_resynchronise)
            if (ring.error() != read_error::none) {
                ring.resynchronise();
                must(ring.error() == read_error::none);
            }
        if constexpr (Ring::recovers) ring.recover();
    }
}

template <class Direction>
void take(std::uint64_t since) {
    const snapshot_reader<Direction> reader(mapped_memory::foreign(memory, sizeof memory));
    const auto seen = reader.take(since);
    std::size_t bytes = 0;
    for (const auto& one : seen.records()) {
        must(one.bytes().contiguous());
        for (const std::byte byte : one.bytes().first)
            checksum = checksum * 31 + static_cast<std::uint64_t>(byte);
        bytes += one.size() + sizeof(record_header);
    }
    must(bytes <= capacity);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 49 || mapped_memory::page_size() != page) return 0;
    const auto word = [&](std::size_t at) {
        std::uint64_t value;
        std::memcpy(&value, data + at, 8);
        return value;
    };
    const unsigned which = data[0] % 5;
    const std::uint64_t head = word(1), tail = word(9) / 8 * 8;
    std::memset(memory, 0, sizeof memory);
    const auto put = [&](std::size_t at, std::uint64_t value) { std::memcpy(memory + at, &value, 8); };
    const auto body = std::span(data, size).subspan(49).first(std::min(size - 49, capacity));
    // Where the reader begins.
    const std::uint64_t from = which == 2 ? head : which == 3 ? head - body.size() : tail;
    for (std::size_t i = 0; i != body.size(); ++i)
        memory[page + (from + i) % capacity] = static_cast<std::byte>(body[i]);
    try {
        if (which == 4) {
            put(0, between_processes::magic);
            put(8, capacity);
            put(between_processes::reserved_at, head);
            put(between_processes::tail_at, tail);
            for (std::size_t i = 0; i != 2; ++i) {
                // Numbers that no process has: proven dead, where the input says so.
                put(between_processes::places_at + 64 * i,
                    word(17 + 16 * i) % 2 == 0 ? 0 : std::uint64_t{0x7fffffff} << 32);
                put(between_processes::places_at + 64 * i + 8, word(25 + 16 * i));
            }
            record_ring<robust, acquire_release, refuse, between_processes> ring(
                mapped_memory::foreign(memory, sizeof memory));
            consume(ring);
            return 0;
        }
        put(perf_abi::head_at, head);
        put(perf_abi::tail_at, tail);
        if (which == 2) {
            take<backward>(word(17));
        } else if (which == 3) {
            take<forward>(word(17));
        } else if (which == 1) {
            record_ring<nested, fences, keep_oldest, perf_abi> ring(
                mapped_memory::foreign(memory, sizeof memory));
            consume(ring);
        } else {
            record_ring<single, acquire_release, refuse, perf_abi> ring(
                mapped_memory::foreign(memory, sizeof memory));
            consume(ring);
        }
    } catch (const std::exception&) {
        // Refused, with a sentence.
    }
    return 0;
}
