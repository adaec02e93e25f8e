// SPDX-License-Identifier: Apache-2.0
#include "ringproof/producer/robust.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "ringproof/mapped_memory.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;

namespace {

/// Kills its process before a chosen access.
struct dying_barriers : acquire_release {
    static inline int accesses_left = -1;
    static void come_near() noexcept {
        if (accesses_left >= 0 && accesses_left-- == 0) ::kill(::getpid(), SIGKILL);
    }
    static position load_tail(const std::atomic<position>& tail) noexcept {
        return come_near(), acquire_release::load_tail(tail);
    }
    static position claimed(const std::atomic<position>& word) noexcept {
        return come_near(), acquire_release::claimed(word);
    }
    static bool claim_announced(std::atomic<position>& word, position& expected, position desired) noexcept {
        return come_near(), acquire_release::claim_announced(word, expected, desired);
    }
    static void announce(std::atomic<position>& word, position value) noexcept {
        come_near(), acquire_release::announce(word, value);
    }
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        come_near(), acquire_release::commit(word, value);
    }
};

using ring_type = record_ring<robust, acquire_release, refuse, between_processes>;
using dying_ring = record_ring<robust, dying_barriers, refuse, between_processes>;

bool write(auto& ring, std::uint64_t number) {
    const std::array<std::uint64_t, 3> payload{number, ~number, number * 7};
    return ring.try_write(std::as_bytes(std::span(payload)));
}

std::vector<std::uint64_t> drain(ring_type& ring) {
    std::vector<std::uint64_t> result;
    for (auto one : ring.read()) {
        const auto got = one.as<std::array<std::uint64_t, 3>>().value_or(std::array<std::uint64_t, 3>{});
        result.push_back(got[1] == ~got[0] && got[2] == got[0] * 7 ? got[0] : 9999);
    }
    return result;
}

/// Runs `work` in a child. @return how it ended, as waitpid says it; 0: it came to its end
template <class Work>
int in_child(Work&& work, bool wait = true) {
    const pid_t child = ::fork();
    if (child == 0) {
        work();
        ::_exit(0);
    }
    int status = 0;
    if (!wait) {
        siginfo_t info{};
        ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT); // it stays a zombie
        return child;
    }
    ::waitpid(child, &status, 0);
    return status;
}

using list = std::vector<std::uint64_t>;

} // namespace

TEST_CASE("wherever a producer is killed, the others' records arrive and its own arrives, was never there or "
          "is lost") {
    int steps = 0, lost = 0;
    for (bool ended = false; !ended; ++steps) {
        ring_type ring(mapped_memory::shared(4096), {0 - std::uint64_t{64}, 0, 0});
        REQUIRE(write(ring, 1));
        const int status = in_child([&] {
            dying_ring mine(mapped_memory::attach(ring.memory().descriptor()));
            dying_barriers::accesses_left = steps;
            write(mine, 2);
            dying_barriers::accesses_left = -1;
        });
        ended = status == 0;
        REQUIRE(write(ring, 3)); // it may lie behind the dead one's
        std::vector<std::uint64_t> delivered = drain(ring);
        const recovery done = ring.recover();
        REQUIRE(done.complete);
        REQUIRE_FALSE(done.orphan);
        for (auto number : drain(ring)) delivered.push_back(number);
        REQUIRE(ring.error() == read_error::none);
        REQUIRE(ring.lost() == done.records);
        if (done.records == 0)
            REQUIRE((delivered == list{1, 2, 3} || delivered == list{1, 3}));
        else
            REQUIRE(delivered == list{1, 3});
        lost += static_cast<int>(done.records);
        REQUIRE(ring.size_guess() == 0);
        REQUIRE(write(ring, 4));
        REQUIRE(drain(ring) == list{4});
        REQUIRE(ring.recover().records == 0);
    }
    CHECK(steps == 8); // seven places to die at, and one life
    CHECK(lost == 2);  // after the claim and after the mark
}

TEST_CASE("two that were killed one behind the other, both before they had a header, are both recovered") {
    ring_type ring(mapped_memory::shared(4096));
    for (int i = 0; i != 2; ++i)
        REQUIRE(in_child([&] {
                    dying_ring mine(mapped_memory::attach(ring.memory().descriptor()));
                    dying_barriers::accesses_left = 4; // claimed, announced, tail, claim, then: the mark
                    write(mine, 2);
                }) != 0);
    REQUIRE(write(ring, 3));
    CHECK(drain(ring).empty());
    const recovery done = ring.recover();
    CHECK(done.records == 2);
    CHECK(done.complete);
    CHECK(drain(ring) == list{3});
    CHECK(ring.lost() == 2);
}

TEST_CASE("a producer that was killed and not waited for is dead all the same") {
    ring_type ring(mapped_memory::shared(4096));
    const int child = in_child(
        [&] {
            ring_type mine(mapped_memory::attach(ring.memory().descriptor()));
            auto room = mine.begin(8);
            ::kill(::getpid(), SIGKILL);
        },
        false);
    CHECK(ring.recover().records == 1);
    ::waitpid(child, nullptr, 0);
}

TEST_CASE("nothing is taken from a producer that lives, however long it takes") {
    ring_type ring(mapped_memory::shared(4096));
    ring_type other(mapped_memory::attach(ring.memory().descriptor()));
    auto room = other.begin(8);
    REQUIRE(room);
    REQUIRE(write(ring, 5));
    for (int i = 0; i != 3; ++i) {
        const recovery done = ring.recover();
        CHECK(done.records == 0);
        CHECK(drain(ring).empty());
    }
    CHECK(other.try_begin(8).why() == refusal::reservation_open);
    room.discard();
    CHECK(drain(ring) == list{5});
}

TEST_CASE("the places of dead producers are given back by recover") {
    ring_type ring(mapped_memory::shared(4096));
    for (std::size_t i = 1; i != between_processes::places; ++i)
        in_child([&] {
            ring_type mine(mapped_memory::attach(ring.memory().descriptor()));
            write(mine, i);
            ::kill(::getpid(), SIGKILL);
        });
    CHECK_THROWS_WITH(ring_type(mapped_memory::attach(ring.memory().descriptor())),
                      Catch::Contains("recover()"));
    CHECK(ring.recover().records == 0);
    { const ring_type again(mapped_memory::attach(ring.memory().descriptor())); }
    CHECK(drain(ring).size() == between_processes::places - 1);
}

TEST_CASE("what nobody has claimed is never guessed at") {
    ring_type ring(mapped_memory::shared(4096));
    REQUIRE(write(ring, 1));
    std::memset(ring.memory().data(), 0, 8); // as if a consumer had died while it zeroed
    const recovery done = ring.recover();
    CHECK(done.orphan);
    CHECK(done.records == 0);
}

TEST_CASE("memory that is no ring between processes is refused, and so are types that mark a reservation") {
    CHECK_THROWS_WITH(ring_type(ring_memory::heap(4096)), Catch::Contains("control page"));
    const auto raw = mapped_memory::shared(4096);
    CHECK_THROWS_WITH(ring_type(mapped_memory::attach(raw.descriptor())),
                      Catch::Contains("not that of a ring"));
    ring_type ring(mapped_memory::anonymous(4096));
    CHECK(ring.try_begin(8, {0x8000'0001, 0}).why() == refusal::reserved_misc);
}
