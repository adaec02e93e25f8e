// SPDX-License-Identifier: Apache-2.0
// The ring of several producers with in-order commit: parameters are the producers, the items of
// each, and the slots.

#include "program.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace yardsticks {
namespace {

using enum std::memory_order;

constexpr unsigned most_slots = 4;

struct form {
    /// Compare the distance as unsigned: a producer whose h is so old that the consumer has passed it
    /// sees a huge distance and waits for ever.
    bool hangs = true;
    waiting waits = waiting::marked;
    std::memory_order load_tail = acquire;     ///< T_LD
    std::memory_order wait_for_turn = acquire; ///< H_LD
    std::memory_order publish_head = release;  ///< H_ST
    std::memory_order load_head = acquire;     ///< C_LD
    std::memory_order release_tail = release;  ///< C_ST
};

std::atomic<unsigned> reserved, head, tail;
std::array<unsigned, most_slots> slot;

template <form Form>
bool full(unsigned distance, unsigned slots) {
    if constexpr (Form.hangs)
        return distance >= slots;
    else
        return static_cast<int>(distance) >= static_cast<int>(slots);
}

template <form Form>
void producer(unsigned id, unsigned items, unsigned slots) {
    for (unsigned k = 0; k < items; ++k) {
        unsigned h = reserved.load(relaxed);
        while (true) {
            while (full<Form>(h - tail.load(Form.load_tail), slots)) round_without_effect<Form.waits>();
            if (reserved.compare_exchange_strong(h, h + 1, relaxed, relaxed)) break;
            round_without_effect<Form.waits>();
        }
        slot[h & (slots - 1)] = id * 16 + k + 1;
        while (head.load(Form.wait_for_turn) != h) round_without_effect<Form.waits>();
        head.store(h + 1, Form.publish_head);
    }
}

template <form Form>
void consumer(unsigned items, unsigned slots) {
    std::array<unsigned, most_threads> last{};
    for (unsigned t = 0; t < items;) {
        while (head.load(Form.load_head) == t) round_without_effect<Form.waits>();
        const unsigned value = slot[t & (slots - 1)];
        VERIFY_THAT(value % 16 == last[value / 16] + 1);
        last[value / 16] = value % 16;
        tail.store(++t, Form.release_tail);
    }
}

template <form Form>
void ring(const parameters& p) {
    const auto producers = static_cast<unsigned>(p.a);
    const auto items = static_cast<unsigned>(p.b);
    const auto slots = static_cast<unsigned>(p.c);
    threads(p.a + 1, [=](int i) {
        if (i == p.a)
            consumer<Form>(producers * items, slots);
        else
            producer<Form>(static_cast<unsigned>(i), items, slots);
    });
}

constexpr auto unmarked = waiting::unmarked;

constexpr program programs[] = {
    {"mpsc", 3, ring<form{}>},
    {"mpsc unmarked", 3, ring<form{.waits = unmarked}>},
    {"mpsc signed", 3, ring<form{.hangs = false}>},
    {"mpsc signed unmarked", 3, ring<form{.hangs = false, .waits = unmarked}>},
    {"mpsc -T_LD", 3, ring<form{.load_tail = relaxed}>},
    {"mpsc -H_LD", 3, ring<form{.wait_for_turn = relaxed}>},
    {"mpsc -H_ST", 3, ring<form{.publish_head = relaxed}>},
    {"mpsc -C_LD", 3, ring<form{.load_head = relaxed}>},
    {"mpsc -C_ST", 3, ring<form{.release_tail = relaxed}>},
};

} // namespace

std::span<const program> mpsc_programs() { return programs; }

} // namespace yardsticks
