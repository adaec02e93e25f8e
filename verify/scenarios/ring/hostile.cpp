// SPDX-License-Identifier: Apache-2.0
// A page that somebody else writes to as he likes: each side ends, stays inside its memory and says what was wrong. The
// data itself is left alone here, since whoever overwrites it while it is read has taken the reader's record from it, in
// the language's terms and in fact; what a reader does with any bytes of the data is fuzzed, and in the zoo.

#include "mutants.hpp"

#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/mapped_memory.hpp>
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
    page() = default;
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
    std::byte* bytes_ = new (alignment) std::byte[8192]{};
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

} // namespace

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
