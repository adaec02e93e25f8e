// SPDX-License-Identifier: Apache-2.0
// A session's reader: records of several rings come out in the order of their stamps, because a record on its way is
// announced before it is stamped, and because a ring vouches only for times of which no incomplete record hides anything.

#include "mutants.hpp"

#include <ringproof/record_ring.hpp>
#include <ringproof/session/announcement.hpp>
#include <ringproof/session/ring_horizon.hpp>
#include <ringproof/session/time_merge.hpp>

#include <array>
#include <span>
#include <thread>

namespace verify = ringproof::verify;

namespace {

/// A clock that never goes back, and synchronises nothing beyond that.
struct counter_clock {
    std::atomic<std::uint64_t> time{1};
    std::uint64_t now() { return time.fetch_add(1, std::memory_order_relaxed); }
};

template <class Barriers>
struct source {
    ringproof::record_ring<ringproof::single, Barriers> ring{64};
    ringproof::announcement<Barriers> announced;

    void write(counter_clock& clock) {
        announced.begin(clock.now());
        const std::uint64_t stamp = clock.now();
        VERIFY_THAT(ring.write(std::as_bytes(std::span(&stamp, 1))));
        announced.end();
    }
};

/// Two threads, one record each; the reader makes a round while they do, and one after.
template <class Barriers>
void in_order() {
    counter_clock clock;
    std::array<source<Barriers>, 2> sources;
    ringproof::time_merge<std::uint64_t> merge;
    std::uint64_t last = 0, count = 0;
    const auto use = [&](std::uint64_t stamp, std::uint64_t) {
        VERIFY_THAT(stamp > last);
        last = stamp;
        ++count;
    };
    const auto drain = [&] {
        for (auto& one : sources)
            for (const auto record : one.ring.read()) {
                const std::uint64_t stamp = record.template as<std::uint64_t>().value();
                merge.add(stamp, stamp);
            }
    };
    std::thread a([&] { sources[0].write(clock); });
    std::thread b([&] { sources[1].write(clock); });
    std::uint64_t horizon = clock.now();
    Barriers::settle();
    for (const auto& one : sources) horizon = std::min(horizon, one.announced.oldest());
    drain();
    merge.release(horizon - 1, use);
    if (count == 1) verify::cover("one given out");
    if (count == 0 && merge.waiting_items() == 1) verify::cover("one held back");
    a.join();
    b.join();
    drain();
    merge.release_all(use);
    VERIFY_THAT(merge.late() == 0);
    VERIFY_THAT(count == 2);
}

using ringproof::scenarios::watched;

/// When the reader asks the ring what is reserved: as shipped behind the announcements, or as it must not.
enum class asks { behind_the_announcements, before_them, never };

/// Two writers of one ring, and its reader. Nothing that a round finds is older than what an earlier one vouched for: of other
/// rings that may have been given out.
template <class Barriers>
struct one_ring {
    counter_clock clock;
    ringproof::record_ring<ringproof::shared, Barriers> ring{64};
    std::array<ringproof::announcement<Barriers>, 2> announced;
    ringproof::detail::ring_horizon vouching;
    std::uint64_t vouched = 0;
    unsigned found = 0;

    void write(unsigned who) {
        announced[who].begin(clock.now());
        const std::uint64_t stamp = clock.now();
        VERIFY_THAT(ring.write(std::as_bytes(std::span(&stamp, 1))));
        announced[who].end();
    }
    void drain() {
        for (const auto record : ring.read()) {
            VERIFY_THAT(record.template as<std::uint64_t>().value() >= vouched);
            ++found;
        }
    }
    void round(asks when) {
        std::uint64_t horizon = clock.now();
        Barriers::settle();
        std::uint64_t head = when == asks::before_them ? ring.head_guess() : 0;
        for (const auto& one : announced) horizon = std::min(horizon, one.oldest());
        if (when == asks::behind_the_announcements) head = ring.head_guess();
        drain();
        vouched = when == asks::never ? horizon : vouching.after_round(ring, head, horizon);
        verify::cover(vouched == horizon ? "vouched at once" : vouched == 0 ? "not yet" : "later");
    }
};

/// The reader makes its rounds while they write, and reads what is left.
template <class Barriers>
void not_passed_by(asks when, int rounds) {
    one_ring<Barriers> all;
    std::thread a([&] { all.write(0); });
    std::thread b([&] { all.write(1); });
    for (int round = 0; round != rounds; ++round) all.round(when);
    a.join();
    b.join();
    all.drain();
    VERIFY_THAT(all.found == 2);
}

struct settle_left_out : watched {
    static void settle() noexcept {}
};

/// Idle is said with nothing behind it: the reader believes it, and misses the record.
struct idle_relaxed : watched {
    static void announce(std::atomic<position>& word, position value) noexcept { set_own(word, value); }
};

} // namespace

VERIFY("session: records of two rings come out in the order of their stamps", .models = {rc11, sc, tso},
       .covers = {"one given out", "one held back"}) {
    in_order<watched>();
}
VERIFY("session: records of two rings come out in the order of their stamps, settle left out",
       .expect = refuted) {
    in_order<settle_left_out>();
}
VERIFY("session: records of two rings come out in the order of their stamps, announced relaxed",
       .expect = refuted) {
    in_order<idle_relaxed>();
}

VERIFY("session: a record behind an incomplete one is not passed by", .models = {rc11, sc, tso},
       .covers = {"vouched at once", "not yet"}) {
    not_passed_by<watched>(asks::behind_the_announcements, 1);
}
VERIFY("session: a record behind an incomplete one is not passed by, two rounds", .models = {rc11, sc, tso},
       .covers = {"vouched at once", "not yet", "later"}) {
    not_passed_by<watched>(asks::behind_the_announcements, 2);
}
VERIFY("session: a record behind an incomplete one is not passed by, ring not asked",
       .models = {rc11, sc, tso}, .expect = refuted) {
    not_passed_by<watched>(asks::never, 1);
}
VERIFY("session: a record behind an incomplete one is not passed by, ring asked too early",
       .models = {rc11, sc, tso}, .expect = refuted) {
    not_passed_by<watched>(asks::before_them, 1);
}
VERIFY("session: a record behind an incomplete one is not passed by, settle left out", .expect = refuted) {
    not_passed_by<settle_left_out>(asks::behind_the_announcements, 1);
}
