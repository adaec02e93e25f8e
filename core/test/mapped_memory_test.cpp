// SPDX-License-Identifier: Apache-2.0
#include "ringproof/mapped_memory.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ringproof/layout/perf_abi.hpp"
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

TEST_CASE("memory of the pool of huge pages is huge, or refused, or ordinary, as was asked for") {
    const bool mirrored = GENERATE(false, true), anonymous = GENERATE(false, true);
    constexpr std::size_t capacity = mapped_memory::huge_page;
    const auto make = [&](huge_pool pool) {
        const mapping how{mirrored, false, pool};
        return anonymous ? mapped_memory::anonymous(capacity, how) : mapped_memory::shared(capacity, how);
    };
    // Preferred, there is memory in any case, and a ring can be in it.
    record_ring<single, acquire_release, refuse, perf_abi> ring(make(huge_pool::preferred));
    REQUIRE(ring.memory().capacity() == capacity);
    const std::vector<std::byte> body(30000, std::byte{7});
    for (int i = 0; i != 200; ++i) {
        REQUIRE(ring.write(body));
        for (auto one : ring.read()) REQUIRE(one.bytes().first[0] == std::byte{7});
    }
    try {
        const auto memory = make(huge_pool::required);
        CHECK(memory.huge_pages());
        CHECK(memory.control_size() == mapped_memory::huge_page);
        CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % mapped_memory::huge_page == 0);
        std::memcpy(memory.data(), "here", 5);
        const auto again = mapped_memory::attach(memory.descriptor());
        CHECK(again.capacity() == capacity);
        CHECK(std::strcmp(reinterpret_cast<const char*>(again.data()), "here") == 0);
        if (mirrored) CHECK(std::memcmp(memory.data() + capacity, "here", 5) == 0);
    } catch (const std::system_error& error) {
        WARN("no free huge pages in this system's pool: " << error.what());
        CHECK(std::string(error.what()).size() > 10);
    }
}

TEST_CASE("memory that can't have pages of the pool says so where they are required") {
    const mapping how{false, false, huge_pool::required}, wish{false, false, huge_pool::preferred};
    CHECK_THROWS_WITH(mapped_memory::shared(4096, how), Catch::Contains("the smallest has 2097152"));
    CHECK_THROWS_WITH(mapped_memory::named("/ringproof-pool", 4096, how), Catch::Contains("with a name"));
    CHECK_FALSE(mapped_memory::shared(4096, wish).descriptor() < 0);
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
