// SPDX-License-Identifier: Apache-2.0
#pragma once
// Threads that add to a counter and wait until all have, in each memory order.

#include "program.hpp"

#include <atomic>
#include <type_traits>

namespace ringproof::verify::locks {

struct start_counter {
    std::atomic<int> come = 0, go = 0;
};

/// Calls `f` with a constant, since a compiler takes an order that it does not know for the strongest.
template <class Function>
void with_order(int which, Function f) {
    using enum std::memory_order;
    switch (which) {
    case 0:
        return f(std::integral_constant<std::memory_order, relaxed>{});
    case 1:
        return f(std::integral_constant<std::memory_order, acq_rel>{});
    default:
        return f(std::integral_constant<std::memory_order, seq_cst>{});
    }
}
constexpr std::memory_order of_load(std::memory_order order) {
    return order == std::memory_order::acq_rel ? std::memory_order::acquire : order;
}
constexpr std::memory_order of_store(std::memory_order order) {
    return order == std::memory_order::acq_rel ? std::memory_order::release : order;
}

/// Comes, and waits. `which`: the orders of both, and whether the first only releases
template <class Wait>
void come_and(start_counter& at, int which, Wait wait) {
    with_order(which % 3, [&](auto order) {
        if (which >= 9)
            at.come.fetch_add(1, of_store(order));
        else
            at.come.fetch_add(1, order);
        wait();
    });
}

/// Does what a statement of such a program says.
template <class Note>
void start_together(start_counter& at, statement_kind what, int which, int all, Note note) {
    const auto gather = [&at, all](int order) {
        with_order(order, [&at, all](auto constant) {
            while (at.come.load(of_load(constant)) < all) {
            }
        });
    };
    const auto pass = [&at](int order) {
        with_order(order, [&at](auto constant) {
            while (at.go.load(of_load(constant)) == 0) {
            }
        });
    };
    switch (what) {
    case statement_kind::start:
        return come_and(at, which, [&] { gather(which / 3 % 3); });
    case statement_kind::start_behind:
        return come_and(at, which, [&] { pass(which / 3 % 3); });
    case statement_kind::come:
        return come_and(at, which, [] {});
    case statement_kind::come_counted:
        return note(at.come.fetch_add(1, std::memory_order::acq_rel));
    case statement_kind::gather:
        return gather(which);
    case statement_kind::look:
        return with_order(which, [&](auto order) { note(at.come.load(of_load(order))); });
    case statement_kind::open:
        return with_order(which, [&](auto order) { at.go.store(1, of_store(order)); });
    default:
        return;
    }
}

} // namespace ringproof::verify::locks
