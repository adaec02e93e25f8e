// SPDX-License-Identifier: Apache-2.0
// Items from one producer to one consumer, more of them than slots, so that slots are reused: A and D
// are invisible before that.

#include "mutants.hpp"

#include <ringproof/spsc_queue.hpp>

#include <thread>

namespace verify = ringproof::verify;

namespace {

/// Every item arrives once and in order, from the first position on.
template <class Barriers>
void hand_over(int items, std::size_t capacity, std::uint64_t start) {
    ringproof::spsc_queue<int, Barriers> queue{capacity, start};
    std::thread producer([&] {
        for (int i = 1; i <= items; ++i) {
            while (!queue.try_push(i)) verify::cover("full"), verify::pause();
            if (static_cast<std::size_t>(i) > capacity) verify::cover("reuse");
        }
    });
    for (int expected = 1; expected <= items;) {
        int item = 0;
        if (queue.try_pop(item))
            VERIFY_THAT(item == expected++);
        else
            verify::cover("empty"), verify::pause();
    }
    producer.join();
    VERIFY_THAT(queue.empty_guess());
}

template <class Barriers>
void in_order() {
    hand_over<Barriers>(3, 2, 0);
}

template <class Barriers>
void across_the_wrap() {
    // Positions 2^64 - 2, 2^64 - 1, 0, 1.
    hand_over<Barriers>(4, 2, ~std::uint64_t{1});
    verify::cover("wrap");
}

/// The batch forms: what is pushed with one B arrives with one C.
template <class Barriers>
void in_batches() {
    ringproof::spsc_queue<int, Barriers> queue{2};
    std::thread producer([&] {
        const int items[] = {1, 2, 3, 4};
        for (std::size_t sent = 0; sent < 4;) {
            const std::size_t n = queue.try_push_n(items + sent, 4 - sent);
            if (n == 0) verify::cover("full"), verify::pause();
            sent += n;
            if (sent > 2) verify::cover("reuse");
        }
    });
    int expected = 1;
    while (expected <= 4)
        if (queue.consume([&](int& item) { VERIFY_THAT(item == expected++); }) == 0)
            verify::cover("empty"), verify::pause();
    producer.join();
}

constexpr std::size_t with_pieces = 32; // slots: a sixteenth, two, gathers

/// Popped one by one, slots come back two at a time: of 32 items pushed before, three are taken out and two slots given
/// back. The producer's third and fourth item wait for the next piece, and the fourth takes a slot that is read meanwhile.
template <class Barriers>
void in_pieces() {
    ringproof::spsc_queue<int, Barriers> queue{with_pieces, 0 - std::uint64_t{30}};
    int expected = 1;
    for (int i = 1; i <= 32; ++i) VERIFY_THAT(queue.try_push(i));
    for (; expected <= 3; ++expected) VERIFY_THAT(queue.try_pop() == expected);
    std::thread producer([&] {
        for (int i = 33; i <= 36; ++i) {
            while (!queue.try_push(i)) verify::cover("full"), verify::pause();
            verify::cover("reuse");
        }
    });
    while (expected <= 36) {
        int item = 0;
        if (queue.try_pop(item))
            VERIFY_THAT(item == expected++);
        else
            verify::cover("empty"), verify::pause();
    }
    producer.join();
    VERIFY_THAT(queue.size_guess() == 0);
}

/// Gives back a piece and forgets the end: what was popped last never comes back.
struct forgets_the_end : ringproof::scenarios::watched {
    static void release_tail(std::atomic<position>& tail, position value) noexcept {
        if (value - own(tail) >= with_pieces / 16) watched::release_tail(tail, value);
    }
};

/// The producer waits for all slots; the last piece, a single one, comes back as no more items are known of.
template <class Barriers>
void all_comes_back() {
    ringproof::spsc_queue<int, Barriers> queue{with_pieces};
    for (int i = 0; i != 31; ++i) VERIFY_THAT(queue.try_push(i));
    for (int i = 0; i != 30; ++i) VERIFY_THAT(queue.try_pop() == i);
    std::thread producer([&] {
        const int items[with_pieces] = {};
        for (std::size_t sent = 0; sent != with_pieces;) {
            const std::size_t n = queue.try_push_n(items + sent, with_pieces - sent);
            if (n == 0) verify::cover("full"), verify::pause();
            sent += n;
        }
    });
    VERIFY_THAT(queue.try_pop() == 30);
    producer.join();
}

/// What is not delivered is counted: delivered + lost == attempted.
void counts_what_it_loses() {
    ringproof::spsc_queue<int, ringproof::scenarios::watched> queue{2};
    std::thread producer([&] {
        for (int i = 1; i <= 3; ++i)
            if (!queue.push_or_lose(i)) verify::cover("full");
    });
    int last = 0;
    unsigned delivered = 0;
    for (int round = 0; round < 2; ++round) {
        int item = 0;
        if (!queue.try_pop(item)) continue;
        VERIFY_THAT(item > last);
        last = item;
        ++delivered;
    }
    producer.join();
    while (const auto item = queue.try_pop()) {
        VERIFY_THAT(*item > last);
        last = *item;
        ++delivered;
    }
    VERIFY_THAT(delivered + queue.lost() == 3);
}

} // namespace

RINGPROOF_RING_SCENARIO("spsc_queue: items arrive once and in order", in_order, "full", "empty", "reuse")
RINGPROOF_RING_SCENARIO("spsc_queue: positions run over 2^64", across_the_wrap, "full", "empty", "reuse",
                        "wrap")
RINGPROOF_RING_SCENARIO("spsc_queue: batches arrive whole", in_batches, "full", "empty", "reuse")

RINGPROOF_RING_SCENARIO("spsc_queue: popped one by one, given back in pieces", in_pieces, "full", "empty",
                        "reuse")
VERIFY("spsc_queue, popped one by one: all slots come back at the end", .models = {rc11, sc, tso},
       .covers = {"full"}) {
    all_comes_back<ringproof::scenarios::watched>();
}
VERIFY("spsc_queue, popped one by one: the end is forgotten", .expect = refuted) {
    all_comes_back<forgets_the_end>();
}

VERIFY("spsc_queue: what is lost is counted", .models = {rc11, sc, tso}, .covers = {"full"}) {
    counts_what_it_loses();
}
