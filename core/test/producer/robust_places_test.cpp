// SPDX-License-Identifier: Apache-2.0
// Who has which place in the control page, and who may be taken for dead.
#include <array>
#include <catch2/catch.hpp>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

#include "ringproof/layout/between_processes.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;

namespace {

/// Processes that are as alive as the test says.
struct chosen_identity {
    static constexpr bool knows_forks = false;
    static inline std::set<std::uint64_t> gone;
    static std::uint64_t own() noexcept { return 1; }
    static bool dead(std::uint64_t one) noexcept { return gone.count(one) != 0; }
};

using robust_ring = record_ring<robust, acquire_release, refuse, between_processes>;
using chosen_ring = record_ring<robust_producer<chosen_identity>, acquire_release, refuse, between_processes>;
using chosen_side = robust_producer<chosen_identity>::producer_side<acquire_release, between_processes>;

constexpr std::array<std::byte, 8> payload{}; // 16 bytes with its header

std::atomic<std::uint64_t>& word(const ring_memory& memory, std::size_t at) {
    return *between_processes::at(memory, at);
}
std::atomic<std::uint64_t>& owner(const ring_memory& memory, std::size_t place) {
    return word(memory, between_processes::places_at + 64 * place);
}
std::atomic<std::uint64_t>& at_work(const ring_memory& memory, std::size_t place) {
    return word(memory, between_processes::places_at + 64 * place + 8);
}

} // namespace

TEST_CASE("the place of one who died at work is as good as new for the next") {
    ring_memory memory = mapped_memory::shared(4096);
    const int descriptor = memory.descriptor();
    robust_ring reader(std::move(memory));
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        robust_ring mine(mapped_memory::attach(descriptor));
        const auto room = mine.begin(payload.size());
        ::_exit(room ? 0 : 1);
    }
    int ended = -1;
    REQUIRE(::waitpid(child, &ended, 0) == child);
    REQUIRE(ended == 0);
    REQUIRE(owner(reader.memory(), 1) != 0);
    CHECK(reader.recover().records == 1);
    CHECK(reader.lost() == 1);
    CHECK(owner(reader.memory(), 1) == 0);
    CHECK(at_work(reader.memory(), 1) == 0);
    robust_ring next(mapped_memory::attach(reader.memory().descriptor()));
    CHECK(owner(reader.memory(), 1) != 0);
    CHECK(next.try_write(payload));
    CHECK(reader.consume([](const record&) {}) == 1);
}

TEST_CASE("a place is given back, unless a reservation is open there") {
    const ring_memory memory = mapped_memory::shared(4096);
    between_processes::begin(memory, 0);
    {
        chosen_side side(0, &memory);
        CHECK(owner(memory, 0) == 1);
    }
    CHECK(owner(memory, 0) == 0);
    {
        chosen_side side(0, &memory);
        std::uint64_t at = 0;
        REQUIRE(side.reserve(at, 16, 4096, word(memory, between_processes::tail_at)) == refusal::none);
        CHECK(side.reserve(at, 16, 4096, word(memory, between_processes::tail_at)) ==
              refusal::reservation_open);
    }
    CHECK(owner(memory, 0) == 1);
    CHECK(at_work(memory, 0) != 0);
}

TEST_CASE("nothing is recovered where a living producer may be at work") {
    chosen_ring reader(mapped_memory::shared(4096));
    const ring_memory& memory = reader.memory();
    word(memory, between_processes::reserved_at) = 16; // somebody has claimed [0, 16), and written no header
    owner(memory, 1) = 2;
    at_work(memory, 1) = 0 | 1;
    owner(memory, 2) = 3;
    at_work(memory, 2) = 0 | 1;
    chosen_identity::gone = {2};
    recovery found = reader.recover();
    CHECK(found.records == 0);
    CHECK_FALSE(found.complete);
    CHECK_FALSE(found.orphan);
    chosen_identity::gone = {2, 3};
    found = reader.recover();
    CHECK(found.records == 1);
    CHECK(found.complete);
    CHECK(reader.lost() == 1);
    chosen_identity::gone.clear();
}

TEST_CASE("what nobody claims is damage") {
    chosen_ring reader(mapped_memory::shared(4096));
    word(reader.memory(), between_processes::reserved_at) = 16;
    CHECK(reader.recover().orphan);
    // A header that is no record's.
    const std::uint64_t bad = std::bit_cast<std::uint64_t>(
        GENERATE(record_header{9, 0, 12}, record_header{9, 0, 24}, record_header{0x8000'0000 + 56, 0, 16}));
    std::memcpy(reader.memory().data(), &bad, sizeof bad);
    const record_header rest{9, 0, 4}; // what would follow the first of them
    std::memcpy(reader.memory().data() + 8, &rest, sizeof rest);
    const recovery found = reader.recover();
    CHECK(found.orphan);
    CHECK(found.records == 0);
}
