// SPDX-License-Identifier: Apache-2.0
// A flight recorder that many threads share. Its area is the smallest, 64 bytes: two pages, each with room for one
// record of 24 bytes, or for two of 16 and 8, so that a lap is soon over. It begins one lap before 2^64.

#include "mutants.hpp"

#include <ringproof/recorder.hpp>
#include <ringproof/verify/interrupt.hpp>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>

namespace verify = ringproof::verify;

namespace {

using number = std::uint64_t;
constexpr std::uint64_t start = 0 - std::uint64_t{64};

/// The policy that ships, telling the checker where writers met.
struct watched : ringproof::acquire_release {
    static bool claim_over(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        const bool won = acquire_release::claim_over(reserved, expected, desired);
        if (!won) verify::cover("contention");
        return won;
    }
};

template <class Barriers>
using ring_of = ringproof::recorder<ringproof::shared, ringproof::paged, Barriers>;

/// A record of 24 bytes, which fills a page, or of 16, that says its number in each word.
template <std::size_t Words = 2, class Writer>
bool write(Writer& to, number which) {
    std::array<number, Words> words;
    words.fill(which);
    return to.write(std::as_bytes(std::span(words)));
}

/// The number of a record, which is whole.
number number_of(const ringproof::record& one) {
    if (one.size() == 8) return *one.as<number>();
    const auto words = one.as<std::array<number, 2>>();
    VERIFY_THAT(words.has_value() && (*words)[0] == (*words)[1]);
    return (*words)[0];
}

/// Whole, and newest first: of records with numbers that rise.
void check_falling(const ringproof::snapshot& seen) {
    VERIFY_THAT(seen.error() == ringproof::snapshot_error::none || seen.records().empty());
    number newer = ~number{0};
    for (const auto& record : seen.records()) {
        const number which = number_of(record);
        VERIFY_THAT(which != 0 && which < newer);
        newer = which;
    }
}

/// One writer enters a page again while a snapshot is taken. @param since all, or the newest page only
template <class Barriers>
void live_snapshot(std::uint64_t since = start) {
    ring_of<Barriers> ring{64, start, 1};
    auto mine = ring.writer();
    VERIFY_THAT(write(mine, 1) && write(mine, 2));
    std::thread writer([&] { VERIFY_THAT(write(mine, 3)); });
    const auto seen = ring.take_since(since);
    check_falling(seen);
    // What there is, and what is missing, make all of it.
    VERIFY_THAT(seen.head() - since == seen.missed_bytes() + 32 * seen.records().size());
    if (!seen.records().empty() && number_of(seen.records()[0]) == 3) verify::cover("newest seen");
    if (seen.missed_bytes() > seen.head() - since - 64) verify::cover("left out");
    writer.join();
}
constexpr std::uint64_t newest_page = start + 64;

/// The same with two writers, who enter a page each.
template <class Barriers>
void two_writers_and_a_snapshot() {
    ring_of<Barriers> ring{64, start, 2};
    auto a = ring.writer(), b = ring.writer();
    VERIFY_THAT(write(a, 1) && write(a, 2));
    std::thread one([&] { VERIFY_THAT(write(a, 3)); }), other([&] { VERIFY_THAT(write(b, 3)); });
    const auto seen = ring.take_since(newest_page);
    VERIFY_THAT(seen.error() == ringproof::snapshot_error::none || seen.records().empty());
    for (const auto& record : seen.records()) VERIFY_THAT(number_of(record) == 3);
    VERIFY_THAT(seen.head() - newest_page == seen.missed_bytes() + 32 * seen.records().size());
    if (seen.records().size() == 2) verify::cover("both seen");
    one.join();
    other.join();
}

/// One thread enters the page again that another has written a lap before, or is still at work in. At rest the newest
/// are there.
template <class Barriers>
void a_page_entered_again() {
    ring_of<Barriers> ring{64, start, 2};
    auto a = ring.writer(), b = ring.writer();
    std::thread one([&] { VERIFY_THAT(write(a, 1)); });
    std::thread other([&] { VERIFY_THAT(write(b, 2) && write(b, 3)); });
    one.join();
    other.join();
    const auto seen = ring.take();
    VERIFY_THAT(seen.error() == ringproof::snapshot_error::none && !seen.records().empty());
    for (const auto& record : seen.records()) VERIFY_THAT(number_of(record) >= 1 && number_of(record) <= 3);
    VERIFY_THAT(number_of(seen.records()[0]) == 3 ||
                (seen.records().size() == 2 && number_of(seen.records()[0]) == 1));
    if (seen.records().size() == 1) { // the other page was passed over
        VERIFY_THAT(seen.head() - start == 128);
        verify::cover("passed over");
    }
    if (seen.records().size() == 2 && seen.missed_bytes() == 32) verify::cover("entered again");
}

/// A page is entered again by one thread, and another writes behind it, where a third had written a lap before.
template <class Barriers>
void behind_the_one_who_entered() {
    ring_of<Barriers> ring{64, start, 3};
    auto mine = ring.writer(), a = ring.writer(), b = ring.writer();
    VERIFY_THAT(mine.write({}));                    // and 16 bytes are left
    std::atomic<bool> there{false}, entered{false}; // which order nothing
    std::thread before([&] {
        VERIFY_THAT(write<1>(a, 1));
        there.store(true, std::memory_order_relaxed);
    });
    std::thread behind([&] {
        while (!entered.load(std::memory_order_relaxed)) verify::pause();
        VERIFY_THAT(write<1>(b, 3));
    });
    while (!there.load(std::memory_order_relaxed)) verify::pause();
    VERIFY_THAT(write(mine, 2) && mine.write({}));
    entered.store(true, std::memory_order_relaxed);
    before.join();
    behind.join();
    const auto seen = ring.take();
    VERIFY_THAT(seen.error() == ringproof::snapshot_error::none && seen.records().size() >= 2);
    VERIFY_THAT(seen.records()[0].size() == 8 && number_of(seen.records()[0]) == 3);
    VERIFY_THAT(seen.records()[1].size() == 0);
    if (seen.records().size() == 3) verify::cover("behind");
}

/// A writer that stops in the middle of a record, before it has written the first word of it, until it may go on. Which
/// orders nothing.
struct stopping : watched {
    static void put_words(std::uint64_t* to, const std::byte* from, std::size_t count) noexcept {
        number which = 0;
        if (count != 0) std::memcpy(&which, from, sizeof which);
        if (which >= stops_from) {
            stopped.fetch_add(1, std::memory_order_relaxed);
            while (!go_on.load(std::memory_order_relaxed)) verify::pause();
        }
        watched::put_words(to, from, count);
    }
    static constexpr number stops_from = 100;
    static inline std::atomic<unsigned> stopped{0};
    static inline std::atomic<bool> go_on{false};
};

/// One is stopped for laps: its page is passed over, and comes back into use when it is done.
template <class Barriers>
void a_stopped_writer() {
    ring_of<Barriers> ring{64, start, 2};
    auto mine = ring.writer(), other = ring.writer();
    std::thread stops([&] { VERIFY_THAT(write(other, 100)); });
    while (Barriers::stopped.load(std::memory_order_relaxed) == 0) verify::pause();
    for (number i = 1; i != 5; ++i) VERIFY_THAT(write(mine, i));
    const auto meanwhile = ring.take();
    check_falling(meanwhile);
    VERIFY_THAT(meanwhile.records().size() == 1 && number_of(meanwhile.records()[0]) == 4);
    if (meanwhile.head() - start > 5 * 32)
        verify::cover("passed over"); // five records, and a page that has none
    Barriers::go_on.store(true, std::memory_order_relaxed);
    const auto late = ring.take(); // while it writes on
    check_falling(late);
    VERIFY_THAT(late.records().size() == 1);
    stops.join();
    VERIFY_THAT(write(mine, 5) && write(mine, 6));
    const auto after = ring.take();
    check_falling(after);
    VERIFY_THAT(after.records().size() == 2 && number_of(after.records()[1]) == 5);
    VERIFY_THAT(ring.lost() == 0);
}

/// Every page has a writer stopped in it: the next record is refused, and counted.
template <class Barriers>
void all_stopped() {
    ring_of<Barriers> ring{64, start, 3};
    auto mine = ring.writer(), a = ring.writer(), b = ring.writer();
    std::thread one([&] { VERIFY_THAT(write(a, 100)); }), other([&] { VERIFY_THAT(write(b, 100)); });
    while (Barriers::stopped.load(std::memory_order_relaxed) != 2) verify::pause();
    VERIFY_THAT(!write(mine, 1) && ring.lost() == 1);
    if (ring.lost() != 0) verify::cover("refused");
    VERIFY_THAT(ring.take().records().empty());
    Barriers::go_on.store(true, std::memory_order_relaxed);
    one.join();
    other.join();
    const auto seen = ring.take();
    VERIFY_THAT(seen.records().size() == 2 && seen.missed_bytes() == 0);
    for (const auto& record : seen.records()) VERIFY_THAT(number_of(record) == 100);
}

/// Two threads have one place between them: what is refused is counted, and told by the next record.
template <class Barriers>
void one_place_for_two() {
    ring_of<Barriers> ring{128, start, 1};
    unsigned accepted = 0;
    std::thread other([&] { accepted += write<1>(ring, 1); });
    const bool mine = write<1>(ring, 2);
    other.join();
    accepted += mine;
    VERIFY_THAT(accepted + ring.lost() == 2 && accepted >= 1);
    VERIFY_THAT(write<1>(ring, 3));
    number told = 0, records = 0;
    const auto seen = ring.take();
    VERIFY_THAT(seen.missed_bytes() == 0);
    for (const auto& record : seen.records()) {
        if (record.type() == ringproof::record_type::lost)
            told += record.template as<ringproof::lost_record>()->count;
        else
            ++records;
    }
    VERIFY_THAT(told == ring.lost() && records == accepted + 1);
    if (told != 0) verify::cover("refused");
}

/// A place is given back in one page and taken in the other: whoever finds it there knows of both.
template <class Barriers>
void a_place_handed_on() {
    ring_of<Barriers> ring{64, start, 2};
    auto mine = ring.writer();
    std::atomic<unsigned> steps{0}; // which order nothing
    std::thread a([&] {
        VERIFY_THAT(write(ring, 1));
        steps.store(1, std::memory_order_relaxed);
    });
    std::thread b([&] {
        while (steps.load(std::memory_order_relaxed) != 1) verify::pause();
        verify::assume(write(ring, 2)); // not where the place still looks taken
        steps.store(2, std::memory_order_relaxed);
    });
    while (steps.load(std::memory_order_relaxed) != 2) verify::pause();
    VERIFY_THAT(write(mine, 3));
    a.join();
    b.join();
    const auto seen = ring.take();
    VERIFY_THAT(seen.error() == ringproof::snapshot_error::none && !seen.records().empty());
    VERIFY_THAT(number_of(seen.records()[0]) == 3);
    if (seen.records().size() == 2) {
        VERIFY_THAT(number_of(seen.records()[1]) == 2);
        verify::cover("entered again");
    }
}

/// A handler comes in anywhere in a record, and writes with the same writer; a snapshot is taken by another thread.
template <class Barriers>
void a_handler() {
    ring_of<Barriers> ring{64, start, 2};
    auto mine = ring.writer();
    VERIFY_THAT(write(mine, 1) && write(mine, 2));
    std::thread writer([&] {
        const verify::interrupt irq([&] {
            VERIFY_THAT(write(mine, 3));
            verify::cover("came in");
        });
        VERIFY_THAT(write(mine, 3));
    });
    const auto seen = ring.take_since(newest_page);
    VERIFY_THAT(seen.error() == ringproof::snapshot_error::none || seen.records().empty());
    for (const auto& record : seen.records()) VERIFY_THAT(number_of(record) == 3);
    writer.join();
    const auto last = ring.take();
    VERIFY_THAT(last.records().size() == 2 && ring.lost() == 0);
    for (const auto& record : last.records()) VERIFY_THAT(number_of(record) == 3 || number_of(record) == 2);
}

struct without_i : watched {
    static void intended() noexcept {}
};
struct without_j : watched {
    static position load_intent(const std::atomic<position>& intent) noexcept { return stat(intent); }
};
struct without_k : watched {
    static void mark(std::atomic<position>& place, position value) noexcept { set_own(place, value); }
};
struct without_l : watched {
    static position load_mark(const std::atomic<position>& place) noexcept { return stat(place); }
};
template <std::memory_order Order>
struct m_as : watched {
    static bool claim_over(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        return reserved.compare_exchange_strong(expected, desired, Order, std::memory_order_relaxed);
    }
};
using m_not_releasing = m_as<std::memory_order_acquire>;
using m_not_acquiring = m_as<std::memory_order_release>;
struct place_taken_relaxed : watched {
    static bool take_place(std::atomic<position>& owner, position expected, position desired) noexcept {
        return claim(owner, expected, desired);
    }
};
struct without_c : watched {
    static position load_head(const std::atomic<position>& head) noexcept { return stat(head); }
};

/// Steps left out, with all letters in place.
struct without_looking : watched { // at the marks: whoever comes enters the page
    static position load_mark(const std::atomic<position>&) noexcept { return 1; }
};
struct done_before_it_writes : watched {
    static void mark(std::atomic<position>& place, position value) noexcept {
        watched::mark(place, value % 2 == 0 ? 3 : value);
    }
};
struct without_looking_again : watched { // at head, after the copy
    static position load_intent(const std::atomic<position>&) noexcept { return start + 64; }
};
struct refused_from_an_old_head : watched { // not looked at again before a record is refused
    static bool claim_over(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        return expected == desired || watched::claim_over(reserved, expected, desired);
    }
};
struct padding_not_written : watched {
    static void put_word(std::uint64_t& word, std::uint64_t value) noexcept {
        if (static_cast<std::uint32_t>(value) != ringproof::record_type::padding)
            watched::put_word(word, value);
    }
};
template <class Broken>
struct stopping_and : stopping {
    static position load_mark(const std::atomic<position>& place) noexcept {
        return Broken::load_mark(place);
    }
    static void mark(std::atomic<position>& place, position value) noexcept { Broken::mark(place, value); }
};

/// A page is closed by the one who finds it too short, and then entered; `records` of 8 bytes lie between.
template <class Barriers>
void closed() {
    ring_of<Barriers> ring{64, start, 2};
    auto a = ring.writer(), b = ring.writer();
    // What is left of each page is a lap later what is in the way.
    VERIFY_THAT(write(a, 1) && write(a, 2));
    std::thread one([&] { VERIFY_THAT(write<1>(a, 3)); });
    VERIFY_THAT(write<1>(b, 3));
    one.join();
    const auto seen = ring.take();
    VERIFY_THAT(seen.error() == ringproof::snapshot_error::none && seen.records().size() == 2);
    for (const auto& record : seen.records()) VERIFY_THAT(record.size() == 8 && number_of(record) == 3);
}

} // namespace

#define RECORDER_SHARED(sentence, body, ...)                                                                 \
    VERIFY("recorder, shared: " sentence, .models = {rc11, sc, tso}, .covers = {__VA_ARGS__}) { body; }
#define RECORDER_BROKEN(sentence, body)                                                                      \
    VERIFY("recorder, shared: " sentence, .expect = refuted) { body; }

RECORDER_SHARED("a live snapshot has whole records only", live_snapshot<watched>(), "newest seen", "left out")
RECORDER_BROKEN("a live snapshot, I relaxed", live_snapshot<without_i>())
RECORDER_BROKEN("a live snapshot, J relaxed", live_snapshot<without_j>())
RECORDER_BROKEN("a live snapshot, K relaxed", live_snapshot<without_k>())
RECORDER_BROKEN("a live snapshot, M not releasing", live_snapshot<m_not_releasing>())
VERIFY("recorder, shared: a live snapshot, C relaxed", .expect = refuted, .mutant = 'C') {
    live_snapshot<without_c>();
}
RECORDER_BROKEN("a live snapshot that doesn't look at the marks", live_snapshot<without_looking>())
RECORDER_BROKEN("a live snapshot that doesn't look at head again", live_snapshot<without_looking_again>())
RECORDER_BROKEN("a live snapshot of a writer that says it is done before",
                live_snapshot<done_before_it_writes>())

RECORDER_SHARED("a live snapshot of the newest page", live_snapshot<watched>(newest_page), "newest seen")
RECORDER_BROKEN("a live snapshot of the newest page, L relaxed", live_snapshot<without_l>(newest_page))

RECORDER_SHARED("two writers and a live snapshot", two_writers_and_a_snapshot<watched>(), "both seen",
                "contention")
RECORDER_BROKEN("two writers and a live snapshot, K relaxed", two_writers_and_a_snapshot<without_k>())
RECORDER_BROKEN("two writers and a live snapshot, L relaxed", two_writers_and_a_snapshot<without_l>())
RECORDER_BROKEN("two writers and a live snapshot, M not releasing",
                two_writers_and_a_snapshot<m_not_releasing>())

RECORDER_SHARED("a page is entered again", a_page_entered_again<watched>(), "passed over", "entered again",
                "contention")
RECORDER_BROKEN("a page is entered again, K relaxed", a_page_entered_again<without_k>())
RECORDER_BROKEN("a page is entered again, L relaxed", a_page_entered_again<without_l>())
RECORDER_BROKEN("a page is entered again, M not releasing", a_page_entered_again<m_not_releasing>())
RECORDER_BROKEN("a page is entered again, C relaxed", a_page_entered_again<without_c>())
RECORDER_BROKEN("a page is entered again without a look at the marks",
                a_page_entered_again<without_looking>())

RECORDER_SHARED("who writes behind the one who entered", behind_the_one_who_entered<watched>(), "behind")
RECORDER_BROKEN("who writes behind the one who entered, M not acquiring",
                behind_the_one_who_entered<m_not_acquiring>())

RECORDER_SHARED("a page is closed", closed<watched>(), "contention")
RECORDER_BROKEN("a page is closed without padding", closed<padding_not_written>())

RECORDER_SHARED("a stopped writer's page is passed over", a_stopped_writer<stopping>(), "passed over")
RECORDER_BROKEN("a stopped writer's page is entered", a_stopped_writer<stopping_and<without_looking>>())
RECORDER_BROKEN("a stopped writer has said that it is done",
                a_stopped_writer<stopping_and<done_before_it_writes>>())
RECORDER_SHARED("with a writer stopped in every page, a record is refused and counted",
                all_stopped<stopping>(), "refused")

RECORDER_SHARED("two threads with one place between them", one_place_for_two<watched>(), "refused")
RECORDER_SHARED("a handler writes with the writer it interrupts", a_handler<watched>(), "came in")

RECORDER_SHARED("a place is handed on", a_place_handed_on<watched>(), "entered again")
RECORDER_BROKEN("a place is handed on, and taken relaxed", a_place_handed_on<place_taken_relaxed>())

RECORDER_BROKEN("who writes behind the one who entered is refused from an old head",
                behind_the_one_who_entered<refused_from_an_old_head>())
