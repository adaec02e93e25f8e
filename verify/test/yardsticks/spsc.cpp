// SPDX-License-Identifier: Apache-2.0
// The single-producer ring in perf's shape: parameters are the items and the slots.

#include "program.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace yardsticks {
namespace {

using enum std::memory_order;

constexpr unsigned most_slots = 4;
constexpr unsigned most_items = 16;

/// What one form of the ring does; the orders are named as in perf's table.
struct form {
    bool tries = false;   ///< skip an item rather than wait
    bool atomics = false; ///< slots are relaxed atomics, not plain integers
    bool defer = false;   ///< look at the values only after the loop
    waiting waits = waiting::marked;
    std::memory_order load_tail = acquire;
    std::memory_order publish_head = release;
    std::memory_order load_head = acquire;
    std::memory_order release_tail = release;
};

std::atomic<unsigned> head, tail;
std::array<unsigned, most_slots> plain_slots;
std::array<std::atomic<unsigned>, most_slots> atomic_slots;

template <form Form>
void producer(unsigned items, unsigned slots) {
    unsigned h = 0;
    for (unsigned i = 0; i < items; ++i) {
        if constexpr (Form.tries) {
            if (h - tail.load(Form.load_tail) == slots) continue;
        } else {
            while (h - tail.load(Form.load_tail) == slots) round_without_effect<Form.waits>();
        }
        if constexpr (Form.atomics)
            atomic_slots[h & (slots - 1)].store(h + 1, relaxed);
        else
            plain_slots[h & (slots - 1)] = h + 1;
        head.store(++h, Form.publish_head);
    }
}

template <form Form>
void consumer(unsigned items, unsigned slots) {
    std::array<unsigned, most_items> seen;
    unsigned t = 0;
    for (unsigned i = 0; i < items; ++i) {
        if constexpr (Form.tries) {
            if (head.load(Form.load_head) == t) continue;
        } else {
            while (head.load(Form.load_head) == t) round_without_effect<Form.waits>();
        }
        unsigned value = 0;
        if constexpr (Form.atomics)
            value = atomic_slots[t & (slots - 1)].load(relaxed);
        else
            value = plain_slots[t & (slots - 1)];
        if constexpr (Form.defer)
            seen[t] = value;
        else
            VERIFY_THAT(value == t + 1);
        tail.store(++t, Form.release_tail);
    }
    if constexpr (Form.defer)
        for (unsigned i = 0; i < t; ++i) VERIFY_THAT(seen[i] == i + 1);
}

template <form Form>
void ring(const parameters& p) {
    const auto items = static_cast<unsigned>(p.a);
    const auto slots = static_cast<unsigned>(p.b);
    together([=] { producer<Form>(items, slots); }, [=] { consumer<Form>(items, slots); });
}

constexpr auto unmarked = waiting::unmarked;

constexpr program programs[] = {
    {"spsc spin", 2, ring<form{}>},
    {"spsc spin defer", 2, ring<form{.defer = true}>},
    {"spsc spin atomic", 2, ring<form{.atomics = true}>},
    {"spsc spin atomic defer", 2, ring<form{.atomics = true, .defer = true}>},
    {"spsc spin unmarked", 2, ring<form{.waits = unmarked}>},
    {"spsc spin atomic unmarked", 2, ring<form{.atomics = true, .waits = unmarked}>},
    {"spsc try", 2, ring<form{.tries = true}>},
    {"spsc try defer", 2, ring<form{.tries = true, .defer = true}>},
    {"spsc try atomic", 2, ring<form{.tries = true, .atomics = true}>},
    {"spsc try atomic defer", 2, ring<form{.tries = true, .atomics = true, .defer = true}>},
    // One order relaxed: A, B, C, D.
    {"spsc spin -P_LD", 2, ring<form{.load_tail = relaxed}>},
    {"spsc spin -P_ST", 2, ring<form{.publish_head = relaxed}>},
    {"spsc spin -C_LD", 2, ring<form{.load_head = relaxed}>},
    {"spsc spin -C_ST", 2, ring<form{.release_tail = relaxed}>},
    {"spsc spin unmarked -P_LD", 2, ring<form{.waits = unmarked, .load_tail = relaxed}>},
    {"spsc spin unmarked -P_ST", 2, ring<form{.waits = unmarked, .publish_head = relaxed}>},
    {"spsc spin unmarked -C_LD", 2, ring<form{.waits = unmarked, .load_head = relaxed}>},
    {"spsc spin unmarked -C_ST", 2, ring<form{.waits = unmarked, .release_tail = relaxed}>},
    {"spsc try -P_LD", 2, ring<form{.tries = true, .load_tail = relaxed}>},
    {"spsc try -P_ST", 2, ring<form{.tries = true, .publish_head = relaxed}>},
    {"spsc try -C_LD", 2, ring<form{.tries = true, .load_head = relaxed}>},
    {"spsc try -C_ST", 2, ring<form{.tries = true, .release_tail = relaxed}>},
    {"spsc spin atomic -P_LD", 2, ring<form{.atomics = true, .load_tail = relaxed}>},
    {"spsc spin atomic -P_ST", 2, ring<form{.atomics = true, .publish_head = relaxed}>},
    {"spsc spin atomic -C_LD", 2, ring<form{.atomics = true, .load_head = relaxed}>},
    {"spsc spin atomic -C_ST", 2, ring<form{.atomics = true, .release_tail = relaxed}>},
    {"spsc spin atomic defer -C_ST", 2, ring<form{.atomics = true, .defer = true, .release_tail = relaxed}>},
    {"spsc try atomic -P_LD", 2, ring<form{.tries = true, .atomics = true, .load_tail = relaxed}>},
    {"spsc try atomic -P_ST", 2, ring<form{.tries = true, .atomics = true, .publish_head = relaxed}>},
    {"spsc try atomic -C_LD", 2, ring<form{.tries = true, .atomics = true, .load_head = relaxed}>},
    {"spsc try atomic -C_ST", 2, ring<form{.tries = true, .atomics = true, .release_tail = relaxed}>},
};

} // namespace

std::span<const program> spsc_programs() { return programs; }

} // namespace yardsticks
