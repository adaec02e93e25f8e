// SPDX-License-Identifier: Apache-2.0
#include "ringproof/mapped_memory.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>

#include "ringproof/record_ring.hpp"

using namespace ringproof;

TEST_CASE("data that is mapped twice is the same data twice") {
    const auto memory = GENERATE(true, false) ? mapped_memory::shared(8192, {true, false})
                                              : mapped_memory::anonymous(8192, {true, true});
    CHECK(memory.reach() == 2 * memory.capacity());
    std::memcpy(memory.data() + 8190, "abcd", 4); // across the end
    CHECK(std::memcmp(memory.data(), "cd", 2) == 0);
    CHECK(std::memcmp(memory.data() + 8192 + 8190, "ab", 2) == 0);
}

TEST_CASE("no record of a ring that is mapped twice is ever split") {
    record_ring<> ring(mapped_memory::anonymous(4096, {true, false}));
    for (int i = 0; i != 500; ++i) {
        auto room = ring.begin(100);
        REQUIRE(room);
        CHECK(room.bytes().contiguous());
        std::memset(room.bytes().first.data(), i, 100);
        room.commit();
        for (auto one : ring.read()) {
            REQUIRE(one.bytes().contiguous());
            REQUIRE(one.bytes().first[99] == static_cast<std::byte>(i));
        }
    }
}

TEST_CASE("memory with huge pages begins where one can begin, and says whether the system took the advice") {
    const bool mirrored = GENERATE(false, true), anonymous = GENERATE(false, true);
    constexpr std::size_t capacity = 4 * mapped_memory::huge_page;
    const auto make = [&](bool huge) {
        const mapping how{mirrored, huge};
        return anonymous ? mapped_memory::anonymous(capacity, how) : mapped_memory::shared(capacity, how);
    };
    CHECK_FALSE(make(false).huge_pages());
    record_ring<> ring(make(true));
    const auto& memory = ring.memory();
    CHECK(reinterpret_cast<std::uintptr_t>(memory.control()) % mapped_memory::huge_page == 0);
    if (!memory.huge_pages()) WARN("this system has no transparent huge pages");
    // All of it is there, whatever the pages.
    for (int i = 0; i != 600; ++i) {
        auto room = ring.begin(30000);
        REQUIRE(room);
        for (const auto part : {room.bytes().first, room.bytes().second})
            if (!part.empty()) std::memset(part.data(), i, part.size());
        room.commit();
        for (auto one : ring.read()) REQUIRE(one.bytes().first[0] == static_cast<std::byte>(i));
    }
}

TEST_CASE("memory with a name or a descriptor is found again by others") {
    const std::string name = "/ringproof-test-" + std::to_string(::getpid());
    const auto memory = mapped_memory::named(name.c_str(), 4096);
    CHECK_THROWS_AS(mapped_memory::named(name.c_str(), 4096), std::system_error);
    const auto same = mapped_memory::open(name.c_str());
    ::shm_unlink(name.c_str());
    const auto again = mapped_memory::attach(memory.descriptor());
    std::memcpy(memory.data(), "here", 5);
    CHECK(std::strcmp(reinterpret_cast<const char*>(same.data()), "here") == 0);
    CHECK(std::strcmp(reinterpret_cast<const char*>(again.data()), "here") == 0);
    CHECK(same.attached());
    CHECK_FALSE(memory.attached());
    CHECK_THROWS_AS(mapped_memory::open("/ringproof-no-such"), std::system_error);
    CHECK_THROWS_AS(mapped_memory::attach(-1), std::system_error);
}

TEST_CASE("sizes that are not whole pages or no power of two are refused") {
    CHECK_THROWS_AS(mapped_memory::anonymous(64), std::invalid_argument);
    CHECK_THROWS_AS(mapped_memory::anonymous(3 * 4096), std::invalid_argument);
    CHECK_THROWS_AS(mapped_memory::shared(0), std::invalid_argument);
    CHECK_THROWS_AS(mapped_memory::shared(std::size_t{1} << 63), std::invalid_argument);
    alignas(4096) static std::byte page[4096];
    CHECK_THROWS_AS(mapped_memory::foreign(page, sizeof page), std::invalid_argument);
    CHECK_THROWS_AS(mapped_memory::foreign(page, sizeof page + 100), std::invalid_argument);
}
