// SPDX-License-Identifier: Apache-2.0
// The orders of the C programs for GenMC are those of core/include/ringproof/barriers.hpp: both are called, and what they do
// is written down by the hooks that -fsanitize=thread compiles accesses to.

#include "barriers_called.h"

#include <ringproof/verify/verify.hpp>

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

/// The scenarios' policy tells the checker that producers met. There is no checker here.
void ringproof::verify::cover(const char*) {}

extern "C" {
std::uint64_t __tsan_atomic64_load(const volatile std::uint64_t* at, int order) {
    note("load", order);
    return *at;
}
void __tsan_atomic64_store(volatile std::uint64_t* at, std::uint64_t value, int order) {
    note("store", order);
    *at = value;
}
std::uint64_t __tsan_atomic64_fetch_add(volatile std::uint64_t* at, std::uint64_t by, int order) {
    note("add", order);
    const std::uint64_t before = *at;
    *at = before + by;
    return before;
}
int __tsan_atomic64_compare_exchange_strong(volatile std::uint64_t* at, std::uint64_t* expected,
                                            std::uint64_t desired, int order, int failed) {
    note("exchange", order);
    note("or load", failed);
    const bool same = *at == *expected;
    if (same) *at = desired;
    return same;
}
/// What clang calls for the same.
std::uint64_t __tsan_atomic64_compare_exchange_val(volatile std::uint64_t* at, std::uint64_t expected,
                                                   std::uint64_t desired, int order, int failed) {
    const std::uint64_t before = *at;
    __tsan_atomic64_compare_exchange_strong(at, &expected, desired, order, failed);
    return before;
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
            for (const char letter :
                 {'A', 'B', 'C', 'D', 'a', 'b', 'c', 'd', 'n', 'x', '+', 'I', 'J', 'p', 'g', 'o'}) {
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
    CHECK(in_c(1, ' ', 'b') == "store 3; ");
    CHECK(in_core(1, 'D', 'd') == "store 0; ");
    CHECK(in_c(0, ' ', 'x') == "exchange 0; or load 0; ");
}
