// SPDX-License-Identifier: Apache-2.0
// The orders of the C programs for GenMC are those of core/include/ringproof/barriers.hpp: both are called, and what they do
// is written down by the hooks that -fsanitize=thread compiles accesses to.

#include "barriers_called.h"

#include <catch2/catch.hpp>
#include <string>

namespace {

std::string done; ///< "load 2; fence 3; "

void note(const char* what, int order) { done += what + (" " + std::to_string(order & 7)) + "; "; }

std::string in_c(int fences, char without, char letter) {
    std::uint64_t word = 0;
    c_policy = {fences, letter_in_c(without)};
    done.clear();
    call_in_c(letter, &word);
    return done;
}

std::string in_core(int fences, char without, char letter) {
    std::uint64_t word = 0;
    done.clear();
    call_in_core(fences, without, letter, &word);
    return done;
}

} // namespace

extern "C" {
std::uint64_t __tsan_atomic64_load(const volatile std::uint64_t* at, int order) {
    note("load", order);
    return *at;
}
void __tsan_atomic64_store(volatile std::uint64_t* at, std::uint64_t value, int order) {
    note("store", order);
    *at = value;
}
void __tsan_atomic_thread_fence(int order) { note("fence", order); }
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_read1(void*) {}
void __tsan_read4(void*) {}
void __tsan_read8(void*) {}
void __tsan_write4(void*) {}
void __tsan_write8(void*) {}
}

TEST_CASE("each letter in C has the order that core gives it, and relaxed the order that scenarios give it") {
    for (const int fences : {0, 1})
        for (const char without : {' ', 'A', 'B', 'C', 'D'})
            for (const char letter : {'A', 'B', 'C', 'D', 'I', 'J', 'p', 'g', 'o'}) {
                INFO(letter << " with fences " << fences << " without " << without);
                CHECK(in_c(fences, without, letter) == in_core(fences, without, letter));
                CHECK_FALSE(in_c(fences, without, letter).empty());
            }
    for (const char without : {'I', 'J'})
        for (const char letter : {'A', 'B', 'C', 'D', 'I', 'J'})
            CHECK(in_c(0, without, letter) == in_core(0, without, letter));
}

TEST_CASE("the hooks see an order, a fence, and what a relaxed letter lacks") {
    CHECK(in_c(0, ' ', 'B') == "store 3; ");
    CHECK(in_c(1, ' ', 'B') == "fence 3; store 0; ");
    CHECK(in_c(1, 'B', 'B') == "store 0; ");
    CHECK(in_core(0, 'B', 'B') == "store 0; ");
}
