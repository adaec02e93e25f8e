// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a program's instructions one after the other, as the checked program: its registers and its place are
// variables of a function, so that any loop is one in which the stack is all that tells rounds apart.

#include "shared.hpp"

namespace ringproof::verify::loops {

/// Not seen by the checker: reading the program is no part of the program.
[[gnu::noinline, gnu::no_sanitize_thread]] inline instruction fetch(const thread_code& code, int at) {
    return at < code.size ? code[at] : instruction{};
}
[[gnu::noinline, gnu::no_sanitize_thread]] inline int size_of(const thread_code& code) { return code.size; }
[[gnu::noinline, gnu::no_sanitize_thread]] inline bool maps_pages(const program& what) {
    return what.maps_pages;
}
[[gnu::noinline, gnu::no_sanitize_thread]] inline bool prints(const program& what) { return what.prints; }
[[gnu::noinline, gnu::no_sanitize_thread]] inline unsigned reported_by(const thread_code& code) {
    return code.reported;
}

/// Where an interpreter has its registers: on the stack, or in memory that it allocates anew.
struct on_the_stack {
    registers all{};
    registers& now() { return all; }
    static void next_round() {}
    static void change() {}
};
/// A block for each round, which the one before is freed behind.
struct renewed_each_round {
    std::unique_ptr<registers> all = std::make_unique<registers>();
    registers& now() { return *all; }
    void next_round() { all = std::make_unique<registers>(*all); }
    static void change() {}
};
/// A block for each value.
struct copied_for_each_change {
    std::unique_ptr<registers> all = std::make_unique<registers>();
    registers& now() { return *all; }
    static void next_round() {}
    void change() { all = std::make_unique<registers>(*all); }
};
/// Blocks that have to do with one round alone, each with the address of another one.
struct beside_temporaries {
    struct node {
        int value;
        std::unique_ptr<node> next;
    };
    registers all{};
    std::unique_ptr<node> of_round;
    registers& now() { return all; }
    void next_round() {
        of_round.reset();
        of_round = std::make_unique<node>(node{all[0], std::make_unique<node>()});
    }
    static void change() { escape(std::make_unique<int>(1).get()); }
};

template <class Registers>
void put(Registers& kept, int which, int value) {
    if (which == no_register) return;
    kept.change();
    kept.now()[static_cast<std::size_t>(which)] = value;
}

template <class Registers>
void interpret_with(const program& what, std::size_t thread, shared_memory& shared, int* own) {
    const thread_code& code = what.threads[thread];
    Registers kept;
    surroundings around;
    const auto set = [&kept](int which, int value) { put(kept, which, value); };
    const int size = size_of(code);
    for (int at = 0; at < size; ++at) {
        const instruction step = fetch(code, at);
        std::atomic<int>& location = shared.locations[static_cast<std::size_t>(step.location)];
        const int value = evaluate(step.value, kept.now());
        switch (step.what) {
        case op::load:
            set(step.target, location.load(step.order));
            break;
        case op::store:
            location.store(value, step.order);
            break;
        case op::add:
            set(step.target, location.fetch_add(value, step.order));
            break;
        case op::exchange:
            set(step.target, location.exchange(value, step.order));
            break;
        case op::compare: {
            int seen = kept.now()[static_cast<std::size_t>(step.expected)];
            const bool done = location.compare_exchange_strong(seen, value, step.order, step.failure);
            set(step.expected, seen);
            set(step.target, done);
            break;
        }
        case op::fence:
            std::atomic_thread_fence(step.order);
            break;
        case op::cell_load:
            set(step.target, *shared.cells[static_cast<std::size_t>(value)]);
            break;
        case op::cell_store:
            *shared.cells[thread] = value;
            break;
        case op::put:
            write_private(prints(what), own + step.location, value);
            break;
        case op::get:
            set(step.target, own[step.location]);
            break;
        case op::set:
            set(step.target, value);
            break;
        case op::yield:
            std::this_thread::yield();
            break;
        case op::sleep:
            sleep_a_little();
            break;
        case op::set_rounding:
            around.set_rounding(value);
            break;
        case op::get_rounding:
            set(step.target, around.rounding());
            break;
        case op::divide:
            around.divide();
            break;
        case op::clear_flags:
            around.clear_flags();
            break;
        case op::get_flag:
            set(step.target, around.inexact());
            break;
        case op::number_set:
            around.number = value * 0.5;
            break;
        case op::number_add:
            around.add(value);
            break;
        case op::number_get:
            set(step.target, around.rounded());
            break;
        case op::obtain:
            around.obtain(maps_pages(what));
            break;
        case op::give_back:
            around.give_back(maps_pages(what));
            break;
        case op::page_put:
            around.put(step.location, value);
            break;
        case op::page_get:
            set(step.target, around.get(step.location));
            break;
        case op::fail:
            fail();
            break;
        case op::loop:
            break;
        case op::break_if:
            if (holds(evaluate(step.left, kept.now()), step.how, value)) at = step.jump - 1;
            break;
        case op::when:
            if (!holds(evaluate(step.left, kept.now()), step.how, value)) at = step.jump - 1;
            break;
        case op::end:
            if (step.jump <= at) kept.next_round();
            at = step.jump - 1;
            break;
        }
    }
    for (std::size_t which = 0; which < max_registers; ++which)
        if ((reported_by(code) >> which & 1u) != 0) shared.reported[thread][which] = kept.now()[which];
}

inline void interpret(const program& what, std::size_t thread, shared_memory& shared, int* own) {
    interpret_with<on_the_stack>(what, thread, shared, own);
}
/// All do the same, in other memory.
inline constexpr std::array<thread_body, 3> allocating_interpreters = {interpret_with<renewed_each_round>,
                                                                       interpret_with<copied_for_each_change>,
                                                                       interpret_with<beside_temporaries>};

} // namespace ringproof::verify::loops
