// SPDX-License-Identifier: Apache-2.0
// The queues of items with each way to hand over and each barrier policy: more items than slots, and positions that
// run over 2^64.

#include "mutants.hpp"

#include <ringproof/hand_over.hpp>
#include <ringproof/mpsc_queue.hpp>
#include <ringproof/spsc_queue.hpp>

#include <thread>

namespace verify = ringproof::verify;

namespace {

/// Every item arrives once and in order, however it is handed over; what was pushed and not handed over by a batched
/// producer arrives when the queue is full, or at flush().
template <class HandOver, class Barriers>
void one_producer() {
    ringproof::spsc_queue<int, Barriers, HandOver> queue{2, ~std::uint64_t{0}};
    std::thread producer([&] {
        for (int i = 1; i <= 3; ++i) {
            while (!queue.try_push(i)) verify::cover("full"), verify::pause();
            if (i > 2) verify::cover("reuse");
        }
        queue.flush();
    });
    for (int expected = 1; expected <= 3;) {
        int item = 0;
        if (queue.try_pop(item))
            VERIFY_THAT(item == expected++);
        else
            verify::cover("empty"), verify::pause();
    }
    producer.join();
    VERIFY_THAT(queue.size_guess() == 0);
}

/// The batch forms, both sides: nobody waits, so what does not fit is not sent.
template <class HandOver, class Barriers>
void batches() {
    ringproof::spsc_queue<int, Barriers, HandOver> queue{2, ~std::uint64_t{0}};
    int sent = 0, received = 0;
    std::thread producer([&] {
        const int items[] = {1, 2, 3, 4};
        for (int round = 0; round != 2; ++round) {
            const std::size_t taken = queue.try_push_n(items + sent, 2);
            if (taken < 2) verify::cover("full");
            sent += static_cast<int>(taken);
            if (sent > 2) verify::cover("reuse");
        }
        queue.flush();
    });
    const auto drain = [&] {
        const std::size_t taken = queue.consume([&](int& item) { VERIFY_THAT(item == ++received); });
        if (taken == 0) verify::cover("empty");
    };
    drain(), drain();
    producer.join();
    drain(), drain();
    VERIFY_THAT(received == sent);
}

/// Two producers and two slots.
template <class, class Barriers>
void two_producers() {
    ringproof::mpsc_queue<int, Barriers> queue{2, ~std::uint64_t{0}};
    int accepted[2] = {0, 0}, last[2] = {0, 0}, received = 0;
    const auto produce = [&](int id) {
        for (int i = 1; i <= 2; ++i)
            if (queue.try_push(16 * id + i))
                ++accepted[id];
            else
                verify::cover("full");
    };
    const auto drain = [&] {
        const std::size_t taken = queue.consume([&](int& item) {
            VERIFY_THAT(item % 16 > last[item / 16]);
            last[item / 16] = item % 16;
            if (++received > 2) verify::cover("reuse");
        });
        if (taken == 0) verify::cover("empty");
    };
    std::thread first([&] { produce(0); }), second([&] { produce(1); });
    drain(), drain();
    first.join(), second.join();
    drain(), drain();
    VERIFY_THAT(received == accepted[0] + accepted[1]);
}

} // namespace

#define QUEUE_MUTANT(label, body, hand_over, weakened, letter)                                               \
    VERIFY("queue, " label ", " #weakened, .expect = refuted, .mutant = letter) {                            \
        body<ringproof::hand_over, ringproof::scenarios::weakened>();                                        \
    }

#define QUEUE_SET(label, body, hand_over)                                                                    \
    VERIFY("queue, " label ", acquire_release: every item once", .models = {rc11, sc, tso},                  \
           .covers = {"full", "empty", "reuse"}) {                                                           \
        body<ringproof::hand_over, ringproof::scenarios::watched>();                                         \
    }                                                                                                        \
    VERIFY("queue, " label ", fences: every item once", .models = {rc11, sc, tso},                           \
           .covers = {"full", "empty", "reuse"}) {                                                           \
        body<ringproof::hand_over, ringproof::fences>();                                                     \
    }                                                                                                        \
    VERIFY("queue, " label ", control_dependency: every item once", .models = {sc, tso},                     \
           .covers = {"full", "empty", "reuse"}) {                                                           \
        body<ringproof::hand_over, ringproof::control_dependency>();                                         \
    }                                                                                                        \
    VERIFY("queue, " label ", control_dependency under the rules of ISO C++", .expect = refuted) {           \
        body<ringproof::hand_over, ringproof::control_dependency>();                                         \
    }                                                                                                        \
    RINGPROOF_EACH_MUTANT(QUEUE_MUTANT, label, body, hand_over)
QUEUE_SET("one producer, each", one_producer, each)
QUEUE_SET("one producer, in_band", one_producer, in_band)
QUEUE_SET("one producer, batched", one_producer, batched<2>)
QUEUE_SET("one producer, each, in batches", batches, each)
QUEUE_SET("one producer, in_band, in batches", batches, in_band)
QUEUE_SET("one producer, batched, in batches", batches, batched<2>)
QUEUE_SET("two producers", two_producers, each)
