// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a thread of a program has beside registers and shared locations: the floating-point environment, a number in
// a floating-point register, memory that it obtains and gives back. Compiled instrumented.

#include "program.hpp"

#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <thread>

namespace ringproof::verify::loops {

/// Of each thread: private_cells numbers, zero in every execution though nothing is written to make them so. Where the
/// executable has a thread_local variable, each switch of threads is two system calls on processors without FSGSBASE: most of a
/// judge's time. So thread_variable.cpp is a part of those executables alone that run programs with one.
int* thread_variable();
extern const bool has_thread_variable;

inline constexpr std::size_t page_size = 4096;

/// @return zeros, from mmap or the heap
inline int* new_page(bool mapped) {
    if (!mapped) return new int[private_cells]();
    void* const got = mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) std::abort();
    return static_cast<int*>(got);
}
inline void drop_page(int* page, bool mapped) {
    if (mapped)
        munmap(page, page_size);
    else
        delete[] page;
}

/// The compiler neither knows the number nor moves what computes with it: the environment is no operand, so
/// that calls which change it are all that orders anything.
inline void pin(double& number) {
#if defined(__x86_64__)
    asm volatile("" : "+x"(number) : : "memory");
#else
    asm volatile("" : "+m"(number) : : "memory");
#endif
}

/// @param prints by a library that isn't compiled for the checker, so that nobody tells it of the write
[[gnu::always_inline]] inline void write_private(bool prints, int* to, int value) {
    if (!prints) {
        *to = value;
        return;
    }
    char text[16];
    std::snprintf(text, sizeof text, "%d", value);
    std::sscanf(text, "%d", to);
}

struct surroundings {
    double number = 0;
    int* page = nullptr;

    [[gnu::always_inline]] void set_rounding(int mode) {
        constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
        pin(number);
        std::fesetround(modes[mode & 3]);
        pin(number);
    }
    [[gnu::always_inline]] static int rounding() {
        const int mode = std::fegetround();
        return mode == FE_TONEAREST ? 0 : mode == FE_DOWNWARD ? 1 : mode == FE_UPWARD ? 2 : 3;
    }
    [[gnu::always_inline]] static void divide() {
        double one = 1, three = 3;
        pin(one), pin(three);
        one /= three;
        pin(one);
    }
    [[gnu::always_inline]] static void clear_flags() { std::feclearexcept(FE_ALL_EXCEPT); }
    [[gnu::always_inline]] static int inexact() { return std::fetestexcept(FE_INEXACT) != 0; }
    [[gnu::always_inline]] void add(int halves) {
        pin(number);
        number += halves * 0.5;
        pin(number);
    }
    [[gnu::always_inline]] int rounded() {
        pin(number);
        double whole = static_cast<double>(std::lrint(number));
        pin(whole);
        return static_cast<int>(whole);
    }

    [[gnu::always_inline]] void obtain(bool mapped) {
        if (page == nullptr) page = new_page(mapped);
    }
    [[gnu::always_inline]] void give_back(bool mapped) {
        if (page != nullptr) drop_page(page, mapped);
        page = nullptr;
    }
    [[gnu::always_inline]] void put(int cell, int value) {
        if (page != nullptr) page[cell] = value;
    }
    [[gnu::always_inline]] int get(int cell) const { return page == nullptr ? 0 : page[cell]; }
};

inline void sleep_a_little() { std::this_thread::sleep_for(std::chrono::microseconds(1)); }

} // namespace ringproof::verify::loops
