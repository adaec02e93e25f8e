// SPDX-License-Identifier: Apache-2.0
// What must hold on every machine of what rings put into memory: sizes, alignment and the order of bytes. One program
// without a test library, so that it is built for another machine, or another libc, in seconds: machine_test.sh.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>

#include <linux/perf_event.h>

#include "ringproof/layout/between_processes.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/mpsc_queue.hpp"
#include "ringproof/paged_recorder.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/recorder.hpp"
#include "ringproof/ringproof.h"
#include "ringproof/spsc_queue.hpp"

using namespace ringproof;

namespace {

int held = 0, failed = 0;

void check(bool holds, const char* sentence) {
    ++(holds ? held : failed);
    if (!holds) std::printf("does not hold: %s\n", sentence);
}

constexpr bool little = std::endian::native == std::endian::little;
constexpr std::array<std::byte, 13> payload{std::byte{1}, std::byte{2}, std::byte{3}};

void records() {
    using bytes = std::array<std::uint8_t, 8>;
    const auto header = std::bit_cast<bytes>(detail::header_word({0x0102'0304, 0x0001}, payload.size()));
    // 13 bytes and 3 of filling behind 8 of header; the filling stands in misc from bit 9 on.
    check(header == (little ? bytes{4, 3, 2, 1, 1, 6, 24, 0} : bytes{1, 2, 3, 4, 6, 1, 0, 24}),
          "a record begins with type, misc and size, each in the machine's order");
    perf_event_header kernels{};
    std::memcpy(&kernels, header.data(), sizeof kernels);
    check(kernels.type == 0x0102'0304 && kernels.misc == 0x0601 && kernels.size == 24,
          "perf_event_header of this machine reads it");

    // Positions have 64 bits also where sizes have 32: around 2^32 and around 2^64.
    for (const std::uint64_t start : {(std::uint64_t{1} << 32) - 64, 0 - std::uint64_t{64}}) {
        record_ring<single> ring(256, start);
        recorder<single> newest(256, start);
        std::size_t delivered = 0;
        for (int i = 0; i != 20; ++i) {
            check(ring.write(payload) && newest.write(payload), "there is room");
            delivered += ring.consume([](const record& one) {
                check(one.size() == 13 && one.type() == record_type::sample, "it comes out as it went in");
            });
        }
        check(delivered == 20, "every record is delivered");
        check(newest.take().records().size() >= 256 / 32 - 1, "a recorder keeps what fits");

        const std::uint64_t page = start + 64 - 4096; // where one of a shared recorder's begins
        recorder<shared> of_many(4096, page);
        check(of_many.write(payload) && of_many.write(payload), "there is room");
        const snapshot seen = of_many.take_since(page);
        check(seen.records().size() == 2 && seen.missed_bytes() == 0,
              "a shared recorder knows where it began");
    }
}

template <class T>
T at(const ring_memory& memory, std::size_t offset) {
    T value;
    std::memcpy(&value, memory.control() + offset, sizeof value);
    return value;
}

void pages() {
    ring_memory memory = mapped_memory::shared(4096);
    const ring_memory view = mapped_memory::attach(memory.descriptor());
    ring_memory twice = mapped_memory::attach(memory.descriptor(), {.mirrored = true});
    record_ring<single, acquire_release, refuse, perf_abi> writer(std::move(memory), {4096 - 16, 0, 0});
    record_ring<single, acquire_release, refuse, perf_abi> reader(std::move(twice));
    check(writer.write(payload), "there is room in the page");
    const auto page = at<perf_event_mmap_page>(view, 0);
    check(page.cap_bit0_is_deprecated == 1 && page.cap_bit0 == 0 && page.size == 96,
          "what every kernel says");
    check(page.data_head == 4096 + 8 && page.data_tail == 4096 - 16 && page.data_size == 4096 &&
              page.data_offset == mapped_memory::page_size(),
          "perf_event_mmap_page of this machine reads the positions");
    std::size_t whole = 0;
    for (auto one : reader.read()) whole += one.bytes().contiguous() && one.size() == 13 ? 1 : 0;
    check(whole == 1, "mapped twice, a record is in one piece across the end");

    ring_memory processes = mapped_memory::shared(4096);
    const ring_memory other = mapped_memory::attach(processes.descriptor());
    using process_ring = record_ring<robust, acquire_release, refuse, between_processes>;
    process_ring maker(std::move(processes));
    process_ring attached(mapped_memory::attach(other.descriptor()));
    check(std::string_view(reinterpret_cast<const char*>(other.control()), 8) == "ringprf1",
          "the page between processes begins with its name");
    check(maker.write(payload) && attached.write(payload) && attached.consume([](const record&) {}) == 2,
          "both sides are one ring");
}

/// Sees where the words lie that slots are handed over by.
int misaligned = 0;
struct looks_at_words : acquire_release {
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        misaligned += reinterpret_cast<std::uintptr_t>(&word) % 8 != 0 ? 1 : 0;
        acquire_release::commit(word, value);
    }
};

void words() {
    mpsc_queue<int, looks_at_words> many(8);
    spsc_queue<int, looks_at_words, in_band> one(8);
    for (int i = 0; i != 8; ++i) check(many.try_push(i) && one.try_push(i), "there is a slot");
    check(misaligned == 0, "a word of 64 bits between threads lies at a multiple of 8");
    bool refused = false;
    try {
        const spsc_queue<int> larger(std::numeric_limits<std::size_t>::max() / 4 + 1);
    } catch (const std::invalid_argument& error) {
        refused =
            std::string_view(error.what()).find("does not fit the address space") != std::string_view::npos;
    }
    check(refused, "a ring larger than the address space is refused with that reason");
}

void c() {
    ringproof_ring* const ring = ringproof_create(RINGPROOF_SHARED, 128, nullptr, 0);
    check(ring != nullptr && ringproof_write(ring, "one", 3, RINGPROOF_SAMPLE) == RINGPROOF_OK, "C writes");
    std::size_t size = 0;
    const auto take = [](const ringproof_record* record, void* to) {
        *static_cast<std::size_t*>(to) = record->bytes.first_size;
        return 0;
    };
    check(ringproof_read(ring, 1, take, &size) == 1 && size == 3, "and C reads");
    ringproof_destroy(ring);
}

} // namespace

int main() {
    records();
    pages();
    words();
    c();
    std::printf("%zu bits, %s-endian: %d checks hold, %d do not\n", 8 * sizeof(void*),
                little ? "little" : "big", held, failed);
    return failed == 0 ? 0 : 1;
}
