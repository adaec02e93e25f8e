// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words that threads update without looking at the result, and all that may tell in which order they did.

#include "program.hpp"

#include <array>
#include <atomic>
#include <latch>
#include <new>

namespace ringproof::verify::locks {

struct updated_words {
    std::array<std::atomic<int>, 2> counters = {};
    std::array<std::atomic<unsigned>, 2> bits = {};
    std::array<std::atomic<int>, 2> messages = {};

    alignas(std::latch) unsigned char room_of_latch[sizeof(std::latch)] = {};

    std::latch& latch() { return *std::launder(reinterpret_cast<std::latch*>(room_of_latch)); }
    int sum() const {
        return counters[0].load() + 16 * counters[1].load() +
               256 * static_cast<int>(bits[0].load() + 16 * bits[1].load());
    }
};

inline constexpr int update_orders = 5;
/// The order with this number, from the weakest on.
inline std::memory_order update_order(int value) {
    constexpr std::memory_order orders[update_orders] = {std::memory_order_relaxed, std::memory_order_release,
                                                         std::memory_order_acquire, std::memory_order_acq_rel,
                                                         std::memory_order_seq_cst};
    return orders[value];
}
/// The same for what only reads, or only writes.
inline std::memory_order order_of_load(int value) {
    return value == 0  ? std::memory_order_relaxed
           : value < 4 ? std::memory_order_acquire
                       : std::memory_order_seq_cst;
}
inline std::memory_order order_of_store(int value) {
    return value == 0  ? std::memory_order_relaxed
           : value < 4 ? std::memory_order_release
                       : std::memory_order_seq_cst;
}

template <class Note>
void use_updated(updated_words& on, statement_kind what, int object, int value, Note note) {
    const auto i = static_cast<std::size_t>(object);
    switch (what) {
    case statement_kind::update:
        on.counters[i].fetch_add(1, update_order(value));
        return;
    case statement_kind::update_down:
        on.counters[i].fetch_sub(1, update_order(value));
        return;
    case statement_kind::update_bits:
        on.bits[i].fetch_or(1u << value, update_order(value));
        return;
    case statement_kind::update_counted:
        return note(on.counters[i].fetch_add(1, update_order(value)));
    case statement_kind::look_at_updated:
        return note(on.counters[i].load(order_of_load(value)));
    case statement_kind::set_updated:
        return on.counters[i].store(5, order_of_store(value));
    case statement_kind::send:
        return on.messages[i].store(1, order_of_store(value));
    case statement_kind::receive:
        return note(on.messages[i].load(order_of_load(value)));
    case statement_kind::count_latch:
        return on.latch().count_down();
    case statement_kind::wait_latch:
        return on.latch().wait();
    case statement_kind::try_latch:
        return note(on.latch().try_wait());
    default:
        std::atomic_thread_fence(update_order(value));
    }
}

} // namespace ringproof::verify::locks
