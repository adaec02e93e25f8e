// SPDX-License-Identifier: Apache-2.0
// Memory in which somebody has made another ring is refused, whatever differs.
#include <catch2/catch.hpp>
#include <cstring>

#include "ringproof/aux/aux_area.hpp"
#include "ringproof/layout/between_processes.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;

namespace {

using page_ring = record_ring<single, acquire_release, refuse, perf_abi>;
using process_ring = record_ring<robust, acquire_release, refuse, between_processes>;

template <class Ring>
Ring attached_to(const ring_memory& memory) {
    return Ring(mapped_memory::attach(memory.descriptor()));
}

void put(const ring_memory& memory, std::size_t offset, std::uint64_t value) {
    std::memcpy(memory.control() + offset, &value, sizeof value);
}

} // namespace

TEST_CASE("a page of perf's that describes other data is refused") {
    const ring_memory memory = mapped_memory::shared(4096);
    CHECK_NOTHROW(attached_to<page_ring>(memory)); // which says nothing, as kernels before 4.1
    put(memory, perf_abi::data_offset_at, memory.control_size());
    put(memory, perf_abi::data_size_at, memory.capacity());
    CHECK_NOTHROW(attached_to<page_ring>(memory));
    put(memory, perf_abi::data_offset_at, 2 * memory.control_size());
    CHECK_THROWS_WITH(attached_to<page_ring>(memory), Catch::Contains("another data area"));
    put(memory, perf_abi::data_offset_at, 0);
    put(memory, perf_abi::data_size_at, 2 * memory.capacity());
    CHECK_THROWS_WITH(attached_to<page_ring>(memory), Catch::Contains("another data area"));
    put(memory, perf_abi::data_size_at, 0);
    put(memory, perf_abi::tail_at, 12);
    CHECK_THROWS_WITH(attached_to<page_ring>(memory), Catch::Contains("data_tail"));
    put(memory, perf_abi::tail_at, 16);
    put(memory, perf_abi::head_at, 20);
    CHECK_THROWS_WITH(attached_to<page_ring>(memory), Catch::Contains("head"));
}

TEST_CASE("a page that describes another AUX area is refused") {
    const ring_memory memory = mapped_memory::shared(4096);
    page_ring ring(mapped_memory::attach(memory.descriptor()));
    CHECK_NOTHROW(aux_area<page_ring>(ring, 1024));
    put(memory, perf_abi::aux_size_at, 1024);
    CHECK_NOTHROW(aux_area<page_ring>(ring, 1024));
    CHECK_THROWS_WITH(aux_area<page_ring>(ring, 2048), Catch::Contains("another size"));
}

TEST_CASE("a ring between processes of another size, or with a tail that can't be, is refused") {
    ring_memory memory = mapped_memory::shared(4096);
    const ring_memory view = mapped_memory::attach(memory.descriptor());
    CHECK_THROWS_WITH(attached_to<process_ring>(view), Catch::Contains("not that of a ring"));
    const process_ring ring(std::move(memory));
    CHECK_NOTHROW(attached_to<process_ring>(view));
    put(view, 8, 8192);
    CHECK_THROWS_WITH(attached_to<process_ring>(view), Catch::Contains("of this size"));
    put(view, 8, 4096);
    put(view, between_processes::tail_at, 12);
    CHECK_THROWS_WITH(attached_to<process_ring>(view), Catch::Contains("tail"));
    put(view, between_processes::tail_at, 0);
    CHECK_NOTHROW(attached_to<process_ring>(view));
}
