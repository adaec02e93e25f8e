// SPDX-License-Identifier: Apache-2.0
#include "ringproof/layout/perf_abi.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

#include <linux/perf_event.h>

#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;

static_assert(perf_abi::capabilities_at == offsetof(perf_event_mmap_page, capabilities));
static_assert(perf_abi::size_at == offsetof(perf_event_mmap_page, size));
static_assert(perf_abi::head_at == offsetof(perf_event_mmap_page, data_head));
static_assert(perf_abi::tail_at == offsetof(perf_event_mmap_page, data_tail));
static_assert(perf_abi::data_offset_at == offsetof(perf_event_mmap_page, data_offset));
static_assert(perf_abi::data_size_at == offsetof(perf_event_mmap_page, data_size));
static_assert(perf_abi::page_bytes == sizeof(perf_event_mmap_page));
static_assert(sizeof(record_header) == sizeof(perf_event_header));

namespace {

template <class Producer>
using ring_type = record_ring<Producer, acquire_release, keep_oldest, perf_abi>;
constexpr std::array<std::byte, 24> payload{std::byte{1}, std::byte{2}};

template <class T>
T at(const ring_memory& memory, std::size_t offset) {
    T value;
    std::memcpy(&value, memory.control() + offset, sizeof value);
    return value;
}

} // namespace

TEMPLATE_TEST_CASE("the page says what the kernel's says, and head and tail move in it", "", single, nested) {
    auto memory = mapped_memory::shared(4096);
    const ring_memory view = mapped_memory::attach(memory.descriptor());
    ring_type<TestType> ring(std::move(memory));
    perf_event_mmap_page kernels{};
    kernels.cap_bit0_is_deprecated = 1;
    CHECK(at<std::uint64_t>(view, 40) == kernels.capabilities);
    CHECK(at<std::uint32_t>(view, 72) == 96);
    CHECK(at<std::uint64_t>(view, 1040) == mapped_memory::page_size());
    CHECK(at<std::uint64_t>(view, 1048) == 4096);
    REQUIRE(ring.write(payload));
    CHECK(at<std::uint64_t>(view, 1024) == 32);
    CHECK(ring.consume([](const record&) {}) == 1);
    CHECK(at<std::uint64_t>(view, 1032) == 32);
}

TEMPLATE_TEST_CASE("another mapping of the same memory is the ring's other side", "", single, nested) {
    ring_memory memory = mapped_memory::shared(4096);
    ring_memory other = mapped_memory::attach(memory.descriptor(), {true, false});
    ring_type<TestType> producer(std::move(memory), {0 - std::uint64_t{64}, 0, 0});
    ring_type<TestType> consumer(std::move(other));
    std::size_t delivered = 0;
    for (int round = 0; round != 1000; ++round) {
        CHECK(producer.write(payload));
        for (auto one : consumer.read()) {
            ++delivered;
            CHECK(one.bytes().contiguous()); // it is mapped twice there
            CHECK(one.template as<std::array<std::byte, 24>>() == payload);
        }
    }
    CHECK(delivered == 1000);
    CHECK(producer.lost() == 0);
}

TEST_CASE("a page that is not this ring's is refused with a reason") {
    CHECK_THROWS_WITH(ring_type<single>(ring_memory::heap(4096)), Catch::Contains("control page"));
    ring_memory memory = mapped_memory::shared(4096);
    const auto put = [&](std::size_t offset, std::uint64_t value) {
        std::memcpy(memory.control() + offset, &value, sizeof value);
    };
    put(1048, 8192);
    CHECK_THROWS_WITH(ring_type<single>(mapped_memory::attach(memory.descriptor())),
                      Catch::Contains("data area"));
    put(1048, 0);
    put(1032, 3);
    CHECK_THROWS_WITH(ring_type<single>(mapped_memory::attach(memory.descriptor())),
                      Catch::Contains("data_tail"));
}

TEST_CASE("a head that can't be true is an error, and resynchronising goes on from it") {
    ring_memory memory = mapped_memory::shared(4096);
    ring_memory attached = mapped_memory::attach(memory.descriptor());
    ring_type<single> writer(std::move(memory));
    ring_type<single> reader(std::move(attached));
    const ring_memory evil =
        mapped_memory::attach(reader.capacity() != 0 ? writer.memory().descriptor() : -1);
    const auto set_head = [&](std::uint64_t value) {
        std::memcpy(evil.control() + 1024, &value, sizeof value);
    };
    set_head(1 << 20);
    CHECK(reader.consume([](const record&) {}) == 0);
    CHECK(reader.error() == read_error::head_out_of_range);
    CHECK(reader.resynchronise() == 1 << 20);
    CHECK(reader.skipped_bytes() == 1 << 20);
    CHECK(reader.consume([](const record&) {}) == 0);
    CHECK(reader.error() == read_error::none);
    set_head((1 << 20) + 37); // not a multiple of 8: the end of it is no record
    const record_header header{9, 0, 32};
    std::memcpy(evil.data(), &header, sizeof header);
    CHECK(reader.consume([](const record&) {}) == 1);
    CHECK(reader.error() != read_error::none);
}
