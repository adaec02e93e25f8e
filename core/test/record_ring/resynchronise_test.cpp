// SPDX-License-Identifier: Apache-2.0
// Going on behind damage, in a ring's own memory.
#include "ringproof/record_ring.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"

using namespace ringproof;

namespace {

using payload = std::array<std::byte, 24>; // 32 bytes with its header

payload filled_with(unsigned value) {
    payload result;
    result.fill(std::byte(value));
    return result;
}

/// A ring of 32 records, of which the second is damaged: reading stops there.
template <class Ring>
void damage(Ring& ring) {
    REQUIRE(ring.write(filled_with(1)));
    auto room = ring.begin(sizeof(payload));
    std::byte* const header = room.bytes().first.data() - sizeof(record_header);
    room.commit();
    const record_header wrong{record_type::sample, 0, 20};
    std::memcpy(header, &wrong, sizeof wrong);
    while (ring.write(filled_with(2))) {
    }
    REQUIRE(ring.consume([](const record&) {}) == 1);
    REQUIRE(ring.error() == read_error::size_unaligned);
}

} // namespace

TEMPLATE_TEST_CASE("who resynchronises has no error any more, and all the room", "", single, nested) {
    record_ring<TestType> ring(1024);
    damage(ring);
    const std::uint64_t behind = ring.capacity() - TestType::keeps_free / 8 * 32;
    CHECK(ring.resynchronise() == behind - 32);
    CHECK(ring.error() == read_error::none);
    CHECK(ring.skipped_bytes() == behind - 32);
    CHECK(ring.size_guess() == 0);
    CHECK(ring.write(std::array<std::byte, 900>{}));
    CHECK(ring.consume([](const record& one) { CHECK(one.size() == 900); }) == 1);
    CHECK(ring.resynchronise() == 0);
    CHECK(ring.skipped_bytes() == behind - 32);
}

TEMPLATE_TEST_CASE("what is written behind the damage is whole, also while some of it is given back", "",
                   single, nested) {
    record_ring<TestType> ring(1024);
    damage(ring);
    static_cast<void>(ring.resynchronise());
    std::size_t written = 0, whole = 0;
    while (ring.write(filled_with(0xff))) ++written;
    REQUIRE(written >= 31);
    const auto look = [&](const record& one) { whole += one.template as<payload>() == filled_with(0xff); };
    {
        auto batch = ring.read();
        for (auto one : batch) {
            look(one);
            batch.release(); // which writes to the lines of what has been read, and to no others
            break;
        }
    }
    CHECK(ring.consume(look) == written - 1);
    CHECK(ring.error() == read_error::none);
    CHECK(whole == written);
}

TEST_CASE("a ring goes on at a multiple of 8, wherever a hostile head is") {
    ring_memory memory = mapped_memory::shared(4096), attached = mapped_memory::attach(memory.descriptor());
    record_ring<single, acquire_release, refuse, perf_abi> reader(std::move(attached));
    const std::uint64_t head = (1 << 20) + 5;
    std::memcpy(memory.control() + perf_abi::head_at, &head, sizeof head);
    CHECK(reader.consume([](const record&) {}) == 0);
    CHECK(reader.error() == read_error::head_out_of_range);
    CHECK(reader.resynchronise() == 1 << 20);
    std::uint64_t tail = 0;
    std::memcpy(&tail, memory.control() + perf_abi::tail_at, sizeof tail);
    CHECK(tail == 1 << 20);
}

TEST_CASE("a reader of somebody else's ring writes nothing but tail") {
    ring_memory memory = mapped_memory::shared(4096), attached = mapped_memory::attach(memory.descriptor());
    const ring_memory view = mapped_memory::attach(memory.descriptor());
    using ring_type = record_ring<single, acquire_release, refuse, perf_abi>;
    ring_type writer(std::move(memory)), reader(std::move(attached));
    while (writer.write(filled_with(0xff))) {
    }
    const std::vector<std::byte> before(view.data(), view.data() + view.capacity());
    CHECK(reader.consume([](const record&) {}) == 128);
    CHECK(std::vector<std::byte>(view.data(), view.data() + view.capacity()) == before);
    CHECK(writer.write(filled_with(1)));
}
