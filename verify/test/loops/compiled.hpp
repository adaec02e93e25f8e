// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs as machine code: the instructions of a thread unfold into one function, with loops that are loops
// and registers that are local variables. What the compiler keeps of a round in registers, what it spills, and
// which dead values it leaves there, is what tells rounds apart.

#include "generate.hpp"
#include "shared.hpp"

#include <utility>

namespace ringproof::verify::loops {

/// So many programs of each kind are compiled, those of the first seeds.
inline constexpr std::size_t compiled_of_each = 14;
inline constexpr std::size_t compiled_count = compiled_of_each * kind_names.size();

constexpr program compiled_program(std::size_t which) {
    return generate(static_cast<kind>(which % kind_names.size()), 1'000 + which / kind_names.size());
}

/// @tparam Level tells apart what the same program becomes in files that are compiled in different ways
template <int Level, std::size_t Which, std::size_t Thread>
class compiled {
  public:
    static void run(shared_memory& shared, int* own) {
        registers r{};
        surroundings around;
        block<0, code().size>(r, around, shared, own);
        report(r, shared, std::make_index_sequence<max_registers>());
    }

  private:
    static constexpr program what_ = compiled_program(Which);
    static constexpr const thread_code& code() { return what_.threads[Thread]; }

    [[gnu::always_inline]] static int value(const operand& of, const registers& r) { return evaluate(of, r); }
    template <int Target>
    [[gnu::always_inline]] static void set(registers& r, int to) {
        if constexpr (Target != no_register) r[static_cast<std::size_t>(Target)] = to;
    }

    /// Does what stands from Begin up to End. @return whether to leave the innermost loop
    template <int Begin, int End>
    [[gnu::always_inline]] static bool block(registers& r, surroundings& around, shared_memory& shared,
                                             int* own) {
        if constexpr (Begin < End) {
            constexpr instruction step = code()[Begin];
            if constexpr (step.what == op::loop) {
                while (!block<Begin + 1, step.jump - 1>(r, around, shared, own)) {
                }
                return block<step.jump, End>(r, around, shared, own);
            } else if constexpr (step.what == op::when) {
                if (holds(value(step.left, r), step.how, value(step.value, r)) &&
                    block<Begin + 1, step.jump - 1>(r, around, shared, own))
                    return true;
                return block<step.jump, End>(r, around, shared, own);
            } else if constexpr (step.what == op::break_if) {
                if (holds(value(step.left, r), step.how, value(step.value, r))) return true;
                return block<Begin + 1, End>(r, around, shared, own);
            } else {
                access<Begin>(r, around, shared, own);
                return block<Begin + 1, End>(r, around, shared, own);
            }
        } else {
            return false;
        }
    }

    template <int At>
    [[gnu::always_inline]] static void access(registers& r, surroundings& around, shared_memory& shared,
                                              int* own) {
        constexpr instruction step = code()[At];
        std::atomic<int>& location = shared.locations[static_cast<std::size_t>(step.location)];
        const int operand = value(step.value, r);
        if constexpr (step.what == op::load) {
            set<step.target>(r, location.load(step.order));
        } else if constexpr (step.what == op::store) {
            location.store(operand, step.order);
        } else if constexpr (step.what == op::add) {
            set<step.target>(r, location.fetch_add(operand, step.order));
        } else if constexpr (step.what == op::exchange) {
            set<step.target>(r, location.exchange(operand, step.order));
        } else if constexpr (step.what == op::compare) {
            int& expected = r[static_cast<std::size_t>(step.expected)];
            set<step.target>(r,
                             location.compare_exchange_strong(expected, operand, step.order, step.failure));
        } else if constexpr (step.what == op::fence) {
            std::atomic_thread_fence(step.order);
        } else if constexpr (step.what == op::cell_load) {
            set<step.target>(r, *shared.cells[static_cast<std::size_t>(operand)]);
        } else if constexpr (step.what == op::cell_store) {
            *shared.cells[Thread] = operand;
        } else if constexpr (step.what == op::put) {
            write_private(what_.prints, own + step.location, operand);
        } else if constexpr (step.what == op::get) {
            set<step.target>(r, own[step.location]);
        } else if constexpr (step.what == op::set) {
            set<step.target>(r, operand);
        } else if constexpr (step.what == op::yield) {
            std::this_thread::yield();
        } else if constexpr (step.what == op::sleep) {
            sleep_a_little();
        } else if constexpr (step.what == op::set_rounding) {
            around.set_rounding(operand);
        } else if constexpr (step.what == op::get_rounding) {
            set<step.target>(r, around.rounding());
        } else if constexpr (step.what == op::divide) {
            around.divide();
        } else if constexpr (step.what == op::clear_flags) {
            around.clear_flags();
        } else if constexpr (step.what == op::get_flag) {
            set<step.target>(r, around.inexact());
        } else if constexpr (step.what == op::number_set) {
            around.number = operand * 0.5;
        } else if constexpr (step.what == op::number_add) {
            around.add(operand);
        } else if constexpr (step.what == op::number_get) {
            set<step.target>(r, around.rounded());
        } else if constexpr (step.what == op::obtain) {
            around.obtain(what_.maps_pages);
        } else if constexpr (step.what == op::give_back) {
            around.give_back(what_.maps_pages);
        } else if constexpr (step.what == op::page_put) {
            around.put(step.location, operand);
        } else if constexpr (step.what == op::page_get) {
            set<step.target>(r, around.get(step.location));
        } else {
            fail();
        }
    }

    template <std::size_t... R>
    [[gnu::always_inline]] static void report(const registers& r, shared_memory& shared,
                                              std::index_sequence<R...>) {
        const auto one = [&](auto reported, std::size_t which) {
            if constexpr (decltype(reported)::value) shared.reported[Thread][which] = r[which];
        };
        (one(std::bool_constant<(code().reported >> R & 1u) != 0>(), R), ...);
    }
};

template <int Level, std::size_t Which>
void run_compiled(const program&, std::size_t thread, shared_memory& shared, int* own) {
    switch (thread) {
    case 0:
        return compiled<Level, Which, 0>::run(shared, own);
    case 1:
        return compiled<Level, Which, 1>::run(shared, own);
    default:
        return compiled<Level, Which, 2>::run(shared, own);
    }
}

template <int Level, std::size_t... Which>
constexpr std::array<thread_body, sizeof...(Which)> compiled_bodies(std::index_sequence<Which...>) {
    return {run_compiled<Level, Which>...};
}

/// The code of each compiled program, as the checker's flags have it made (at -O1), and with more optimisation.
const std::array<thread_body, compiled_count>& compiled_as_usual();
const std::array<thread_body, compiled_count>& compiled_with_o2();

} // namespace ringproof::verify::loops
