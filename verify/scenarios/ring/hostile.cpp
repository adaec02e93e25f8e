// SPDX-License-Identifier: Apache-2.0
// Memory that somebody else writes to as he likes: each side ends, stays inside and says what was wrong. Positions and
// the headers of records are written at any time, also between a reader's check and its use of them. Payloads are left
// alone: whoever overwrites one while it is read has taken the reader's record from it, in the language's terms and in
// fact, and no reader decides anything by them. What a reader does with any bytes at rest is fuzzed, and in the zoo.

#include "mutants.hpp"

#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/mapped_memory.hpp>
#include <ringproof/producer/single_in_band.hpp>
#include <ringproof/record_ring.hpp>

#include <array>
#include <cstring>
#include <new>
#include <thread>
#include <type_traits>

namespace verify = ringproof::verify;

namespace {

using ringproof::perf_abi, ringproof::read_error, ringproof::record_header, ringproof::record_ring;

/// A page in perf's layout and 4096 bytes of data.
class page {
  public:
    page() { std::memset(bytes_, 0, 8192); }
    page(const page&) = delete;
    page& operator=(const page&) = delete;
    ~page() { ::operator delete(bytes_, alignment); }
    [[nodiscard]] ringproof::ring_memory map() const {
        return ringproof::mapped_memory::foreign(bytes_, 8192);
    }
    [[nodiscard]] std::atomic_ref<std::uint64_t> word(std::size_t at) const {
        return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(bytes_ + at));
    }
    void put(std::size_t at, std::uint64_t value) const { std::memcpy(bytes_ + at, &value, 8); }

  private:
    static constexpr std::align_val_t alignment{4096};
    std::byte* bytes_ = static_cast<std::byte*>(::operator new(8192, alignment));
};

constexpr std::uint64_t garbage[] = {~std::uint64_t{0}, std::uint64_t{1} << 63, 4097};

/// Computes with whatever is in tail.
struct trusting : ringproof::single {
    template <class Barriers, class Layout>
    class producer_side : public ringproof::single::producer_side<Barriers, Layout> {
      public:
        using ringproof::single::producer_side<Barriers, Layout>::producer_side;
        [[nodiscard]] ringproof::refusal reserve(std::uint64_t& at, std::uint64_t size,
                                                 std::uint64_t capacity,
                                                 const std::atomic<std::uint64_t>& tail) noexcept {
            at = Barriers::stat(this->head());
            if (capacity - (at - Barriers::load_tail(tail)) < size) return ringproof::refusal::full;
            return ringproof::refusal::none;
        }
    };
};

/// A producer whose tail is written by somebody who is no consumer.
template <class Producer>
void hostile_tail() {
    const page memory;
    record_ring<Producer, ringproof::scenarios::watched, ringproof::refuse, perf_abi> ring(memory.map());
    std::thread enemy([&] {
        for (const auto value : garbage)
            memory.word(perf_abi::tail_at).store(value, std::memory_order_relaxed);
    });
    const std::array<std::byte, 1992> body{};
    for (int i = 0; i != 3; ++i) verify::cover(ring.try_write(body) ? "accepted" : "refused");
    enemy.join();
    // Two are in the ring, and tail is beyond both. (`nested` computes modulo the capacity, as perf does.)
    if constexpr (!std::is_same_v<Producer, ringproof::nested>) VERIFY_THAT(!ring.try_write(body));
}

/// A consumer whose head is written by somebody who has written one record, and a header that can't be true.
template <class Producer>
void hostile_head() {
    const page memory;
    memory.put(4096, std::bit_cast<std::uint64_t>(record_header{9, 0, 64}));
    memory.put(4096 + 64, std::bit_cast<std::uint64_t>(record_header{9, 0, 4}));
    record_ring<Producer, ringproof::scenarios::watched, ringproof::refuse, perf_abi> ring(memory.map());
    std::thread enemy([&] {
        const auto head = memory.word(perf_abi::head_at);
        for (const std::uint64_t value : {64, 128}) head.store(value, std::memory_order_relaxed);
        for (const auto value : garbage) head.store(value, std::memory_order_relaxed);
    });
    for (int i = 0; i != 3; ++i) {
        unsigned sum = 0;
        for (const auto record : ring.read()) {
            VERIFY_THAT(record.size() == 56);
            verify::cover("delivered");
            for (const auto byte : record.bytes().first) sum += static_cast<unsigned>(byte);
        }
        VERIFY_THAT(sum == 0);
        if (ring.error() == read_error::head_out_of_range) verify::cover("head out of range");
        if (ring.error() == read_error::size_too_small) verify::cover("size too small");
        if (ring.error() != read_error::none) ring.resynchronise();
        VERIFY_THAT(ring.error() == read_error::none);
    }
    enemy.join();
}

constexpr std::uint64_t header_of(std::uint32_t type, std::uint16_t misc, std::uint16_t size) {
    return std::bit_cast<std::uint64_t>(record_header{type, misc, size});
}

/// What no header may be: no size, not a multiple of 8, less than its filling, more than there is, and padding that
/// would be passed over for ever.
constexpr std::uint64_t bad_headers[] = {
    header_of(9, 0, 0), header_of(9, 0, 12), header_of(9, 7 << ringproof::detail::filling_shift, 8),
    header_of(9, 0, 0xfff8), header_of(ringproof::record_type::padding, 0, 0)};

/// Reads a ring whose first header an enemy writes to after it was handed over.
template <class Ring>
void hostile_header(Ring& ring, std::uint64_t& first, std::uint64_t bad) {
    std::thread enemy([&] {
        const std::atomic_ref word(first);
        word.store(bad, std::memory_order_relaxed);
        word.store(header_of(9, 0, 56), std::memory_order_relaxed);
    });
    unsigned count = 0;
    for (const auto record : ring.read()) {
        const auto bytes = record.bytes();
        VERIFY_THAT(record.size() <= 56 && bytes.size() == record.size());
        for (const auto part : {bytes.first, bytes.second})
            if (!part.empty()) VERIFY_THAT(part.front() == std::byte{} && part.back() == std::byte{});
        VERIFY_THAT(++count <= 8);
    }
    if (count != 0) verify::cover("delivered");
    if (ring.error() != read_error::none) verify::cover("said");
    enemy.join();
}

/// By head, in a page of perf's.
template <class Producer>
void hostile_header_to_head() {
    for (const auto bad : bad_headers) {
        const page memory;
        memory.put(4096, header_of(9, 0, 64));
        memory.put(perf_abi::head_at, 64);
        const auto map = memory.map();
        auto& first = *reinterpret_cast<std::uint64_t*>(map.data());
        record_ring<Producer, ringproof::scenarios::watched, ringproof::refuse, perf_abi> ring(memory.map());
        hostile_header(ring, first, bad);
    }
}

/// In band: the header itself hands the record over.
void hostile_header_in_band() {
    for (const auto bad : bad_headers) {
        record_ring<ringproof::single_in_band, ringproof::scenarios::watched> ring(64);
        auto& first = *reinterpret_cast<std::uint64_t*>(ring.memory().data());
        hostile_header(ring, first, bad);
    }
}

/// Takes a size for what it says.
struct trusts_sizes : ringproof::single {
    template <class Barriers>
    class consumer_side : public ringproof::detail::reads_to_head<Barriers> {
      public:
        using ringproof::detail::reads_to_head<Barriers>::reads_to_head;
        [[nodiscard]] std::uint64_t available(std::uint64_t at, std::uint64_t tail,
                                              std::uint64_t capacity) const noexcept {
            const auto is = ringproof::detail::reads_to_head<Barriers>::available(at, tail, capacity);
            return is == 0 ? 0 : 0x10000;
        }
    };
};

} // namespace

VERIFY("hostile header, single: whatever it becomes, the consumer ends and stays inside",
       .models = {rc11, sc, tso}, .covers = {"delivered", "said"}) {
    hostile_header_to_head<ringproof::single>();
}
VERIFY("hostile header, nested: whatever it becomes, the consumer ends and stays inside",
       .models = {rc11, sc, tso}, .covers = {"delivered", "said"}) {
    hostile_header_to_head<ringproof::nested>();
}
VERIFY("hostile header, single_in_band: whatever it becomes, the consumer ends and stays inside",
       .models = {rc11, sc, tso}, .covers = {"delivered", "said"}) {
    hostile_header_in_band();
}
VERIFY("hostile header, a consumer that trusts sizes", .expect = refuted) {
    hostile_header_to_head<trusts_sizes>();
}

VERIFY("hostile page, single: whatever is in tail, the producer stays inside", .models = {rc11, sc, tso},
       .covers = {"accepted", "refused"}) {
    hostile_tail<ringproof::single>();
}
VERIFY("hostile page, a producer that trusts tail", .expect = refuted) { hostile_tail<trusting>(); }
VERIFY("hostile page, nested: whatever is in tail, the producer stays inside", .models = {rc11, sc, tso},
       .covers = {"accepted", "refused"}) {
    hostile_tail<ringproof::nested>();
}
VERIFY("hostile page, single: whatever is in head, the consumer ends and says why", .models = {rc11, sc, tso},
       .covers = {"delivered", "head out of range", "size too small"}) {
    hostile_head<ringproof::single>();
}
VERIFY("hostile page, nested: whatever is in head, the consumer ends and says why", .models = {rc11, sc, tso},
       .covers = {"delivered", "head out of range", "size too small"}) {
    hostile_head<ringproof::nested>();
}
