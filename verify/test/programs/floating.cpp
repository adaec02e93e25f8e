// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cfenv>

namespace programs {

namespace {
std::atomic<int> go;
volatile double one = 1, three = 3;

void wait_for_go(void (*each_round)()) {
    go = 0;
    std::thread other([] { go.store(1, std::memory_order_relaxed); });
    while (go.load(std::memory_order_relaxed) == 0) each_round();
    other.join();
}

void turn_rounding() { std::fesetround(std::fegetround() == FE_UPWARD ? FE_TONEAREST : FE_UPWARD); }
} // namespace

void rounding_turned_while_waiting(int& mode_at_end) {
    wait_for_go(turn_rounding);
    mode_at_end = std::fegetround();
}

void rounding_turned_while_waiting_is_seen() {
    wait_for_go(turn_rounding);
    VERIFY_THAT(std::fegetround() == FE_TONEAREST);
}

void flag_raised_while_waiting_is_seen() {
    wait_for_go([] { std::feraiseexcept(FE_OVERFLOW); });
    VERIFY_THAT(!std::fetestexcept(FE_OVERFLOW));
}

void inexact_while_waiting_is_seen() {
    wait_for_go([] { one = one / three; });
    VERIFY_THAT(!std::fetestexcept(FE_INEXACT));
}

/// Each thread begins with its creator's environment, and what it changes is its own.
void floating_point_environments_are_apart() {
    VERIFY_THAT(std::fegetround() == FE_TONEAREST && !std::fetestexcept(FE_ALL_EXCEPT));
    std::fesetround(FE_UPWARD);
    std::feraiseexcept(FE_UNDERFLOW);
    go = 0;
    const auto other = [](int own) {
        return [own] {
            VERIFY_THAT(std::fegetround() == FE_UPWARD && std::fetestexcept(FE_ALL_EXCEPT) & FE_UNDERFLOW);
            std::fesetround(own);
            std::feclearexcept(FE_ALL_EXCEPT);
            go.fetch_add(1);
            VERIFY_THAT(!std::fetestexcept(FE_ALL_EXCEPT));
            std::feraiseexcept(FE_DIVBYZERO);
            go.load();
            VERIFY_THAT(std::fegetround() == own && std::fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
        };
    };
    together(other(FE_DOWNWARD), other(FE_TOWARDZERO));
    VERIFY_THAT(std::fegetround() == FE_UPWARD && std::fetestexcept(FE_UNDERFLOW) &&
                !std::fetestexcept(FE_DIVBYZERO));
}

} // namespace programs
