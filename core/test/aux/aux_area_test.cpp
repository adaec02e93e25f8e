// SPDX-License-Identifier: Apache-2.0
#include "ringproof/aux/aux_area.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/wake/futex.hpp"

using namespace ringproof;

namespace {

using ring_type = record_ring<single, acquire_release, refuse, padded, futex_wakeup>;
using area_type = aux_area<ring_type>;

/// The byte that a source without gaps has at this position.
std::byte byte_at(std::uint64_t position) {
    return static_cast<std::byte>((position * 0x9e37'79b9'7f4a'7c15U) >> 56U);
}

std::vector<std::byte> bytes_from(std::uint64_t position, std::size_t size) {
    std::vector<std::byte> result(size);
    for (std::size_t i = 0; i != size; ++i) result[i] = byte_at(position + i);
    return result;
}

bool is_from(std::uint64_t position, ring_bytes<const std::byte> bytes) {
    std::uint64_t at = position;
    for (const auto one : bytes.first)
        if (one != byte_at(at++)) return false;
    for (const auto one : bytes.second)
        if (one != byte_at(at++)) return false;
    return true;
}

std::vector<aux_record> records(ring_type& ring) {
    std::vector<aux_record> result;
    for (auto one : ring.read()) {
        REQUIRE(one.type() == record_type::aux);
        result.push_back(one.as<aux_record>().value());
    }
    return result;
}

/// Writes `size` bytes; what it took is the result.
std::uint64_t trace(area_type& aux, std::size_t size, std::uint64_t flags = 0) {
    auto room = aux.begin();
    if (!room) return 0;
    room.flag(flags);
    room.append(bytes_from(room.position(), size));
    return room.commit();
}

/// Section by section what Linux does, without threads: the judge of random scripts.
struct kernel_model {
    std::uint64_t size, head, tail, watermark, wakeup = head;
    bool is_open = false, disabled = false;
    std::uint64_t granted = 0, flags = 0;
    std::uint64_t wakes = 0;
    std::vector<aux_record> told = {};

    bool begin() {
        if (disabled || is_open) return false;
        granted = head - tail < size ? (tail - (head + 1)) & (size - 1) : 0;
        flags = 0;
        if (granted == 0) {
            disabled = true;
            ++wakes;
            return false;
        }
        return is_open = true;
    }
    void cross() {
        if (head - wakeup < watermark) return;
        wakeup = head / watermark * watermark;
        ++wakes;
    }
    void skip(std::uint64_t by) { head += by, granted -= by, cross(); }
    void end(std::uint64_t by) {
        const auto at = head;
        head += by;
        if (by != 0 || (flags & ~(aux_flag::overwrite | aux_flag::format)) != 0)
            told.push_back({at, by, flags & ~aux_flag::overwrite});
        const bool truncated = (flags & aux_flag::truncated) != 0;
        const auto before = wakes;
        cross();
        if (truncated && before == wakes) ++wakes;
        disabled = truncated;
        is_open = false;
    }
    void consume(std::uint64_t by) { tail += by, disabled = false; }
};

} // namespace

TEST_CASE("an AUX area gives, tells and refuses what the kernel's does, for random scripts") {
    const std::uint64_t seed = GENERATE(range(0, 40));
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    const std::size_t size = std::size_t{64} << below(4);
    const std::uint64_t start = below(2) == 0 ? 0 : 0 - below(3 * size);
    ring_type ring(1 << 16);
    // A power of two, so that a multiple of it stays one past 2^64.
    area_type aux(ring, size, {start, std::uint64_t{1} << (3 + below(3))});
    kernel_model model{size, start, start, aux.watermark()};
    std::uint64_t wakes = 0;
    const auto count_wake = [&] {
        if (!ring.ready()) return;
        ++wakes;
        // Finding it empty lowers the flag; the records are compared as they come.
        for (const auto& one : records(ring)) {
            REQUIRE(!model.told.empty());
            CHECK(one.offset == model.told.front().offset);
            CHECK(one.size == model.told.front().size);
            CHECK(one.flags == model.told.front().flags);
            model.told.erase(model.told.begin());
        }
    };
    for (int step = 0; step != 500; ++step) {
        if (below(3) != 0) {
            const bool may = model.begin();
            auto room = aux.begin();
            REQUIRE(static_cast<bool>(room) == may);
            CHECK((room.why() == aux_refusal::none) == may);
            if (!may) {
                count_wake();
                REQUIRE(wakes == model.wakes);
                continue;
            }
            REQUIRE(room.room() == model.granted);
            CHECK(room.wake_at() == model.wakeup + model.watermark);
            if (below(4) == 0) {
                const std::uint64_t by = below(model.granted + 2);
                REQUIRE(room.skip(by) == (by <= model.granted));
                if (by <= model.granted) model.skip(by);
                count_wake();
            }
            const std::uint64_t wanted = below(model.granted + (below(8) == 0 ? 9 : 1));
            const std::uint64_t flags = below(6) == 0 ? std::uint64_t{1} << below(10) : 0;
            room.flag(flags);
            const auto taken = room.append(bytes_from(room.position(), wanted));
            REQUIRE(taken == std::min(wanted, model.granted));
            model.flags = flags | (taken < wanted ? aux_flag::truncated : 0);
            CHECK(room.commit() == taken);
            model.end(taken);
            count_wake();
            REQUIRE(wakes == model.wakes);
        } else {
            auto chunk = aux.read(below(2) == 0 ? below(size) : size);
            REQUIRE(aux.error() == read_error::none);
            REQUIRE(chunk.offset() == model.tail);
            REQUIRE(chunk.size() <= model.head - model.tail);
            const std::size_t back = below(2) == 0 ? chunk.size() : below(chunk.size() + 1);
            chunk.give_back(back);
            model.consume(back);
        }
        REQUIRE(aux.is_stopped() == model.disabled);
    }
    CHECK(wakes > 0);
}

TEST_CASE("bytes of an AUX area come out as they went in, also around the end and past 2^64") {
    ring_type ring(4096);
    area_type aux(ring, 256, {0 - std::uint64_t{1000}, 0});
    std::uint64_t expected = 0 - std::uint64_t{1000};
    for (std::size_t round = 0; round != 100; ++round) {
        const std::size_t size = 1 + round * 37 % 255;
        REQUIRE(trace(aux, size) == size);
        const auto told = records(ring);
        REQUIRE(told.size() == 1);
        CHECK(told[0].offset == expected);
        CHECK(told[0].size == size);
        auto chunk = aux.read();
        REQUIRE(chunk.offset() == expected);
        REQUIRE(chunk.size() == size);
        CHECK(is_from(expected, chunk.bytes()));
        expected += size;
    }
}

TEST_CASE("a source that fills its room in place publishes only what it says") {
    ring_type ring(4096);
    area_type aux(ring, 128);
    {
        auto room = aux.begin();
        REQUIRE(room.bytes().size() == 127);
        for (std::size_t i = 0; i != 20; ++i) room.bytes().first[i] = byte_at(i);
        CHECK(room.commit(20) == 20);
        CHECK_FALSE(room);
        CHECK(room.bytes().size() == 0);
    }
    auto chunk = aux.read();
    CHECK(chunk.size() == 20);
    CHECK(is_from(0, chunk.bytes()));
}

TEST_CASE("more than the room is cut and said to be") {
    ring_type ring(4096);
    area_type aux(ring, 64);
    {
        auto room = aux.begin();
        CHECK(room.commit(1000) == 63);
    }
    CHECK(records(ring).at(0).flags == aux_flag::truncated);
    CHECK(aux.is_stopped());
    CHECK(aux.begin().why() == aux_refusal::stopped);
    CHECK(aux.read().size() == 63); // the chunk ends here
    CHECK_FALSE(aux.is_stopped());
    CHECK(aux.begin());
}

TEST_CASE("bytes are left out before the first of a transaction, and nowhere else") {
    ring_type ring(4096);
    area_type aux(ring, 64);
    {
        auto room = aux.begin();
        CHECK(room.skip(3));
        CHECK(room.append(bytes_from(3, 10)) == 10);
        CHECK_FALSE(room.skip(5));
        CHECK_FALSE(room.skip(0));
        CHECK(room.position() == 13);
        CHECK(room.append(bytes_from(13, 2)) == 2);
    }
    const auto told = records(ring);
    REQUIRE(told.size() == 1);
    CHECK(told[0].offset == 3);
    CHECK(told[0].size == 12);
    CHECK(aux.read(3).size() == 3);
    auto chunk = aux.read();
    CHECK(chunk.size() == 12);
    CHECK(is_from(3, chunk.bytes()));
}

TEST_CASE("transactions of an AUX area don't nest, and the refused one does no harm") {
    ring_type ring(4096);
    area_type aux(ring, 64);
    auto outer = aux.begin();
    outer.append(bytes_from(0, 5));
    auto inner = aux.begin();
    CHECK_FALSE(inner);
    CHECK(inner.why() == aux_refusal::open);
    CHECK(inner.append(bytes_from(0, 5)) == 0);
    CHECK(inner.commit() == 0);
    CHECK(outer.commit() == 5);
    CHECK(aux.read().size() == 5);
    CHECK(aux.begin());
}

TEST_CASE("nothing is told where there is nothing to tell") {
    ring_type ring(4096);
    area_type aux(ring, 64);
    for (const std::uint64_t flags : {std::uint64_t{0}, aux_flag::overwrite, std::uint64_t{0x100}})
        trace(aux, 0, flags);
    CHECK(records(ring).empty());
    trace(aux, 0, aux_flag::partial);
    const auto told = records(ring);
    REQUIRE(told.size() == 1);
    CHECK(told[0].flags == aux_flag::partial);
    CHECK(told[0].size == 0);
}

TEST_CASE("after a transaction of many watermarks small ones don't wake") {
    ring_type ring(4096);
    area_type aux(ring, 1024, {0, 64});
    CHECK(trace(aux, 700) == 700);
    CHECK(ring.ready());
    records(ring);
    REQUIRE_FALSE(ring.ready());
    trace(aux, 3); // 703: the next multiple is 704
    CHECK_FALSE(ring.ready());
    trace(aux, 1);
    CHECK(ring.ready());
}

TEST_CASE("a full ring loses the AUX record and counts it, and the bytes are delivered") {
    ring_type ring(64);
    area_type aux(ring, 256);
    trace(aux, 1);
    trace(aux, 1);
    trace(aux, 1); // two records of 32 bytes fit
    CHECK(ring.lost() == 1);
    CHECK(records(ring).size() == 2);
    CHECK(aux.read().size() == 3);
}

TEST_CASE("positions of an AUX area that can't be are refused by either side") {
    auto page = mapped_memory::shared(4096);
    std::byte* const control = page.control();
    using shared_ring = record_ring<single, acquire_release, refuse, perf_abi>;
    shared_ring ring(std::move(page));
    aux_area<shared_ring> aux(ring, 64);
    const auto set = [&](std::size_t at, std::uint64_t value) { std::memcpy(control + at, &value, 8); };
    set(perf_abi::aux_head_at, 65);
    CHECK(aux.read().size() == 0);
    CHECK(aux.error() == read_error::head_out_of_range);
    set(perf_abi::aux_head_at, 64);
    CHECK(aux.read().size() == 64);
    CHECK(aux.error() == read_error::none);

    // After a head of 0, or a lap behind it: more than the area holds, whatever is left of it in the area's size.
    for (const std::uint64_t tail : {std::uint64_t{1}, std::uint64_t{5}, 0 - std::uint64_t{64}}) {
        aux_area<shared_ring> other(ring, 64);
        set(perf_abi::aux_tail_at, tail);
        CHECK(other.begin().why() == aux_refusal::no_room);
    }
}

TEST_CASE("an AUX area in perf's layout has its positions where perf's page has them") {
    auto page = mapped_memory::shared(4096);
    std::byte* const control = page.control();
    using shared_ring = record_ring<single, acquire_release, refuse, perf_abi>;
    shared_ring ring(std::move(page));
    aux_area<shared_ring> aux(ring, 4096, {100, 0});
    const auto get = [&](std::size_t at) {
        std::uint64_t value = 0;
        std::memcpy(&value, control + at, 8);
        return value;
    };
    auto room = aux.begin();
    room.append(bytes_from(100, 30));
    room.commit();
    CHECK(get(1056) == 130);
    CHECK(get(1064) == 100);
    aux.read(10).give_back(10);
    CHECK(get(1064) == 110);
}

TEST_CASE(
    "a source whose consumer can call nothing goes on when it has been read, or there is nothing to read") {
    auto memory = mapped_memory::shared(4096);
    std::byte* const control = memory.control();
    using shared_ring = record_ring<single, acquire_release, refuse, perf_abi>;
    shared_ring ring(std::move(memory));
    aux_area<shared_ring> aux(ring, 64, {100, 0, true});
    aux.begin().append(bytes_from(100, 63));
    CHECK(aux.begin().why() == aux_refusal::no_room);
    CHECK(aux.begin().why() == aux_refusal::stopped);
    CHECK(aux.is_stopped());
    const std::uint64_t tail = 110;
    std::memcpy(control + 1064, &tail, 8); // what another process stores
    CHECK(aux.begin().room() == 10);
    CHECK_FALSE(aux.is_stopped());
    const std::uint64_t all = 163;
    std::memcpy(control + 1064, &all, 8);
    aux.begin().flag(aux_flag::truncated); // stopped, and nothing there whose reading could move tail
    CHECK(aux.is_stopped());
    aux.wait_for_restart();
    CHECK(aux.begin().room() == 63);
}

TEST_CASE("an AUX area of more than 4 GiB keeps its sizes") {
    if constexpr (sizeof(std::size_t) == 8) {
        const std::size_t size = std::size_t{1} << 33U;
        ring_type ring(4096);
        std::optional<ring_memory> memory;
        try {
            memory.emplace(mapped_memory::shared(size));
        } catch (const std::system_error& error) {
            WARN("not here: " << error.what());
            return;
        }
        area_type aux(ring, std::move(*memory));
        CHECK(aux.watermark() == size / 2);
        const std::uint64_t far = size - 100; // only the pages that are touched cost anything
        {
            auto room = aux.begin();
            REQUIRE(room.room() == size - 1);
            REQUIRE(room.skip(far));
            REQUIRE(room.room() == 99);
            room.append(bytes_from(far, 50));
        }
        CHECK(records(ring).at(0).offset == far);
        aux.read(static_cast<std::size_t>(far)).give_back(static_cast<std::size_t>(far));
        {
            auto room = aux.begin();
            REQUIRE(room.room() == size - 1 - 50);
            room.append(bytes_from(far + 50, 100)); // around the end
        }
        auto chunk = aux.read();
        REQUIRE(chunk.size() == 150);
        CHECK(chunk.bytes().second.size() == 50);
        CHECK(is_from(far, chunk.bytes()));
    }
}

TEST_CASE("a source and a consumer on two threads deliver every byte, through all stops") {
    ring_type ring(1024);
    area_type aux(ring, 128, {0 - std::uint64_t{5000}, 32});
    constexpr std::uint64_t total = 20000;
    const std::uint64_t first = 0 - std::uint64_t{5000}, last = first + total;
    std::thread source([&] {
        std::mt19937_64 random(7);
        for (std::uint64_t at = first; at != last;) {
            auto room = aux.begin();
            if (!room) {
                aux.wait_for_restart();
                continue;
            }
            at += room.append(
                bytes_from(at, static_cast<std::size_t>(std::min(last - at, 1 + random() % 150))));
        }
        ring.wake();
    });
    std::uint64_t at = first, told = 0;
    bool whole = true;
    while (at != last) {
        ring.wait();
        for (auto one : ring.read()) told += one.as<aux_record>().value().size;
        auto chunk = aux.read();
        whole = whole && chunk.offset() == at && is_from(at, chunk.bytes());
        at += chunk.size();
    }
    source.join();
    for (auto one : ring.read()) told += one.as<aux_record>().value().size;
    CHECK(whole);
    CHECK((ring.lost() != 0 || told == total));
}
