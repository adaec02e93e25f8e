// SPDX-License-Identifier: Apache-2.0
// Items from two producers to one consumer; each slot's own word commits it.

#include "mutants.hpp"

#include <ringproof/mpsc_queue.hpp>

#include <thread>

namespace verify = ringproof::verify;

namespace {

/// Two producers with `each` items: every one arrives once, each producer's in its order.
template <class Barriers>
void from_two_producers(int each, std::size_t capacity, std::uint64_t start) {
    ringproof::mpsc_queue<int, Barriers> queue{capacity, start};
    const auto produce = [&](int id) {
        for (int i = 1; i <= each; ++i)
            while (!queue.try_push(16 * id + i)) verify::cover("full"), verify::pause();
    };
    std::thread first(produce, 0), second(produce, 1);
    int seen[2] = {0, 0};
    for (int popped = 0; popped < 2 * each;) {
        int item = 0;
        if (!queue.try_pop(item)) {
            verify::cover("empty"), verify::pause();
            continue;
        }
        VERIFY_THAT(item % 16 == ++seen[item / 16]);
        if (static_cast<std::size_t>(++popped) > capacity) verify::cover("reuse");
    }
    first.join();
    second.join();
}

template <class Barriers>
void in_order() {
    from_two_producers<Barriers>(2, 2, 0);
}

template <class Barriers>
void across_the_wrap() {
    // Positions 2^64 - 2 to 1.
    from_two_producers<Barriers>(2, 2, ~std::uint64_t{1});
    verify::cover("wrap");
}

/// Room for all: no slot is reused, so that what is seen is the reservation alone.
void with_room() { from_two_producers<ringproof::scenarios::watched>(2, 4, 0); }

} // namespace

RINGPROOF_RING_SCENARIO("mpsc_queue: items arrive once and each producer's in order", in_order, "full",
                        "empty", "reuse", "contention")
RINGPROOF_RING_SCENARIO("mpsc_queue: positions run over 2^64", across_the_wrap, "full", "empty", "reuse",
                        "wrap", "contention")

VERIFY("mpsc_queue: two producers with room for all", .models = {rc11, sc, tso},
       .covers = {"empty", "contention"}) {
    with_room();
}
