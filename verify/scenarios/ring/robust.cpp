// SPDX-License-Identifier: Apache-2.0
// The ring between processes: one producer is killed at any of its accesses, another lives, and the consumer recovers. A
// process is a thread here, with the page in memory that all of them see; being killed is ending between two accesses.

#include "mutants.hpp"
#include "shared_page.hpp"

#include <ringproof/layout/between_processes.hpp>
#include <ringproof/mapped_memory.hpp>
#include <ringproof/producer/robust.hpp>
#include <ringproof/record_ring.hpp>

#include <array>
#include <memory>
#include <thread>

#include <pthread.h>

namespace verify = ringproof::verify;

namespace {

using ringproof::between_processes, ringproof::record_ring, ringproof::refuse;
using page = ringproof::scenarios::shared_page;

/// What the operating system knows of the one that may be killed.
struct fate {
    std::atomic<bool> killed{false}; ///< to be seen at any time
    std::atomic<bool> gone{false};   ///< it has ended; what it stored before can be seen
};
fate* victim = nullptr;

/// The proof of death that ships is the end of the process, as /proc says it.
struct identity {
    static constexpr bool knows_forks = false;
    static inline std::uint64_t making = 0; ///< whose ring object is being made
    static std::uint64_t own() noexcept { return making; }
    static bool dead(std::uint64_t who) noexcept {
        return who == 2 && victim->gone.load(std::memory_order_acquire);
    }
};
/// Taken for dead because it was told to end: as good as a time-out.
struct hasty : identity {
    static bool dead(std::uint64_t who) noexcept {
        return who == 2 && victim->killed.load(std::memory_order_relaxed);
    }
};

/// Whoever is killed ends before one of its accesses.
template <class Base>
struct mortal : Base {
    using position = typename Base::position;
    static void come_near() noexcept {
        if (!victim->killed.load(std::memory_order_relaxed)) return;
        verify::cover("killed");
        victim->gone.store(true, std::memory_order_release);
        ::pthread_exit(nullptr);
    }
    static position load_tail(const std::atomic<position>& tail) noexcept {
        return come_near(), Base::load_tail(tail);
    }
    static bool claim_announced(std::atomic<position>& word, position& expected, position desired) noexcept {
        return come_near(), Base::claim_announced(word, expected, desired);
    }
    static void announce(std::atomic<position>& word, position value) noexcept {
        come_near(), Base::announce(word, value);
    }
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        come_near(), Base::commit(word, value);
    }
};

/// What is announced does not come with the claim.
struct claimed_relaxed : ringproof::scenarios::watched {
    static bool claim_announced(std::atomic<position>& reserved, position& expected,
                                position desired) noexcept {
        return claim(reserved, expected, desired);
    }
    static void announce(std::atomic<position>& word, position value) noexcept { set_own(word, value); }
};

/// A ring of three: 1 reads and recovers, 2 is the victim, 3 is another.
struct ring_of_three {
    ring_of_three() { victim = &of_the_victim; }
    template <class Ring>
    [[nodiscard]] std::unique_ptr<Ring> producer(std::uint64_t who) const {
        identity::making = who;
        return std::make_unique<Ring>(memory.map());
    }
    fate of_the_victim;
    page memory;
};

/// Records of 264 bytes where one of 3,848 leaves no room, until the consumer has read that.
template <class Identity, class Barriers>
void killed_anywhere() {
    using robust = ringproof::robust_producer<Identity>;
    using living_ring = record_ring<robust, Barriers, refuse, between_processes>;
    using dying_ring = record_ring<robust, mortal<Barriers>, refuse, between_processes>;
    constexpr std::size_t size = 256;
    ring_of_three all;
    const auto first_ring = all.template producer<living_ring>(1);
    auto* const mine = all.template producer<dying_ring>(2).release(); // not destroyed when it is killed
    const auto third_ring = all.template producer<living_ring>(3);
    living_ring &ring = *first_ring, &other = *third_ring;
    const auto write = [](auto& to, std::uint64_t number, std::size_t bytes) {
        auto room = to.try_begin(bytes);
        if (!room) return verify::cover("full"), false;
        room.copy_from(std::as_bytes(std::span(&number, 1)));
        room.copy_from(std::as_bytes(std::span(&number, 1)), bytes - 8);
        return true;
    };
    unsigned delivered[3] = {0, 0, 0};
    const auto drain = [&] {
        for (const auto record : ring.read()) {
            std::array<std::uint64_t, 480> got;
            const std::size_t words = record.copy_to(std::as_writable_bytes(std::span(got))) / 8;
            VERIFY_THAT(words == size / 8 || words == got.size());
            VERIFY_THAT(got[0] == got[words - 1] && got[0] < 3 && (words == got.size()) == (got[0] == 0));
            VERIFY_THAT(++delivered[got[0]] == 1);
        }
        VERIFY_THAT(ring.error() == ringproof::read_error::none);
    };
    VERIFY_THAT(write(ring, 0, 3840));
    bool accepted = false;
    std::thread dying([&] { static_cast<void>(write(*mine, 1, size)); });
    std::thread living([&] { accepted = write(other, 2, size); });
    drain(); // there is room from now on
    all.of_the_victim.killed.store(true, std::memory_order_relaxed);
    drain();
    const auto first = ring.recover();
    VERIFY_THAT(!first.orphan);
    dying.join(), living.join();
    drain();
    const auto second = ring.recover();
    VERIFY_THAT(second.complete && !second.orphan);
    drain();
    const auto lost = first.records + second.records;
    VERIFY_THAT(ring.lost() == lost && lost + delivered[1] <= 1);
    VERIFY_THAT(delivered[0] == 1 && delivered[2] == unsigned{accepted});
    if (lost != 0) verify::cover("recovered");
    if (delivered[1] != 0) verify::cover("its record arrived");
    if (lost == 0 && delivered[1] == 0) verify::cover("it had claimed nothing");
    VERIFY_THAT(ring.size_guess() == 0);
}

/// One is dead from the beginning; the other dies within its first record.
struct dead_from_the_start : identity {
    static bool dead(std::uint64_t who) noexcept { return who == 2 || (who == 3 && identity::dead(2)); }
};

/// Dies with its claim made and no header written.
template <class Base>
struct dies_before_its_header : Base {
    static void commit(std::uint64_t&, std::uint64_t) noexcept {
        victim->gone.store(true, std::memory_order_release);
        ::pthread_exit(nullptr);
    }
};

/// A place that recover() gives back is taken while it does so, and whoever takes it dies in turn: what it said it was
/// at must not be wiped out by what recover() wrote before.
template <class Barriers>
void a_place_is_taken_again() {
    using robust = ringproof::robust_producer<dead_from_the_start>;
    using living_ring = record_ring<robust, Barriers, refuse, between_processes>;
    using dying_ring = record_ring<robust, dies_before_its_header<Barriers>, refuse, between_processes>;
    ring_of_three all;
    const auto first_ring = all.template producer<living_ring>(1);
    living_ring& ring = *first_ring;
    all.template producer<living_ring>(2).release(); // takes the second place, and is never destroyed
    std::thread dying([&] {
        auto* const mine = all.template producer<dying_ring>(3).release();
        static_cast<void>(mine->try_write(std::as_bytes(std::span("dies"))));
    });
    const auto first = ring.recover();
    VERIFY_THAT(!first.orphan);
    dying.join();
    if (all.memory.word(between_processes::places_at + 64) == 3) verify::cover("the place of the dead");
    const auto second = ring.recover();
    VERIFY_THAT(second.complete && !second.orphan);
    VERIFY_THAT(first.records + second.records == 1 && ring.lost() == 1);
}

/// A place is taken and given back with nothing before or behind it.
struct place_relaxed : ringproof::scenarios::watched {
    static bool take_place(std::atomic<position>& owner, position expected, position desired) noexcept {
        return claim(owner, expected, desired);
    }
};

using namespace ringproof::scenarios;

} // namespace

VERIFY("robust: a producer is killed anywhere, and the others' records arrive", .models = {rc11, sc, tso},
       .covers = {"killed", "recovered", "its record arrived", "it had claimed nothing", "full"}) {
    killed_anywhere<identity, watched>();
}
VERIFY("robust, fences: a producer is killed anywhere, and the others' records arrive",
       .models = {rc11, sc, tso},
       .covers = {"killed", "recovered", "its record arrived", "it had claimed nothing", "full"}) {
    killed_anywhere<identity, ringproof::fences>();
}
VERIFY("robust, control_dependency: a producer is killed anywhere, and the others' records arrive",
       .models = {sc, tso}, .covers = {"killed", "recovered"}) {
    killed_anywhere<identity, ringproof::control_dependency>();
}
VERIFY("robust, taken for dead before it has ended", .expect = refuted) { killed_anywhere<hasty, watched>(); }
VERIFY("robust, announced and claimed relaxed", .expect = refuted) {
    killed_anywhere<identity, claimed_relaxed>();
}
VERIFY("robust, A relaxed", .expect = refuted, .mutant = 'A') { killed_anywhere<identity, without_a>(); }
VERIFY("robust, B relaxed", .expect = refuted, .mutant = 'B') { killed_anywhere<identity, without_b>(); }
VERIFY("robust, C relaxed", .expect = refuted, .mutant = 'C') { killed_anywhere<identity, without_c>(); }
VERIFY("robust, D relaxed", .expect = refuted, .mutant = 'D') { killed_anywhere<identity, without_d>(); }

VERIFY("robust: the place of the dead is taken again", .models = {rc11, sc, tso},
       .covers = {"the place of the dead"}) {
    a_place_is_taken_again<watched>();
}
VERIFY("robust: the place of the dead is taken again, by an exchange that orders nothing",
       .expect = refuted) {
    a_place_is_taken_again<place_relaxed>();
}
