// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops that are chosen by a number while they are compiled, so that a compiler makes of each what it likes: which of three
// locals is read when, which has a pointer to it, what is left of an iteration in the next one. Included once for
// each set of compiler options, with a namespace of its own: DEAD_STATE_OPTIONS.
#include "subjects.hpp"

#include <cstdlib>
#include <thread>
#include <utility>

namespace dead_state::DEAD_STATE_OPTIONS {

/// A number below `below`, the i-th choice of program `Seed`.
template <unsigned Seed>
constexpr unsigned pick(unsigned i, unsigned below) {
    std::uint64_t h = (std::uint64_t{Seed} << 32 | i) * 0x9e37'79b9'7f4a'7c15u;
    h = (h ^ h >> 31) * 0xbf58'476d'1ce4'e5b9u;
    return static_cast<unsigned>((h ^ h >> 29) % below);
}

template <unsigned Seed>
constexpr std::memory_order order(unsigned i) {
    return pick<Seed>(i, 2) == 0 ? std::memory_order_relaxed : std::memory_order_seq_cst;
}

template <unsigned Seed, unsigned I>
int& local(int& a, int& b, int& c) {
    constexpr unsigned which = pick<Seed>(I, 3);
    if constexpr (which == 0) return a;
    if constexpr (which == 1) return b;
    return c;
}

[[gnu::noinline]] inline int read_through(const int* p) { return *p; }

[[gnu::noinline]] inline void change(int* p) { *p = *p == 2 ? 0 : *p + 1; }
/// A switch that optimisation leaves: by a table, unless its number is known.
[[gnu::noinline]] inline int looked_up(int which, int a, int b) {
    switch (which) {
    case 0:
        return a;
    case 1:
        return shared.x.load(std::memory_order_relaxed);
    case 2:
        return b;
    case 3:
        return a + b;
    case 4:
        return shared.y.load();
    default:
        return 1;
    }
}
[[gnu::noinline]] inline int loaded(std::memory_order order) { return shared.x.load(order); }

/// A step that decides by locals, or makes one of others.
template <unsigned Seed, unsigned I>
void decide(int& a, int& b, int& c, int* p) {
    int &to = local<Seed, I + 1>(a, b, c), &other = local<Seed, I + 4>(a, b, c),
        &third = local<Seed, I + 5>(a, b, c);
    constexpr unsigned what = pick<Seed>(I + 6, 12);
    constexpr int number = static_cast<int>(pick<Seed>(I + 2, 3));
    if constexpr (what == 0)
        if (other == number) to = third;
    if constexpr (what == 1) to = looked_up(other, third, number);
    if constexpr (what == 2) to = looked_up(number, other, third);
    if constexpr (what == 3) to = other + number - 1;
    if constexpr (what == 4) to = static_cast<signed char>(other + 126 + number) < 0 ? third : number;
    if constexpr (what == 5) change(&to);
    if constexpr (what == 6) to = loaded(order<Seed>(I + 3)); // which the function does not know
    if constexpr (what == 7) {
        to = number;
        *p = other;
        if (to != number) third = 2;
    }
    if constexpr (what == 8) {
        int expected = number;
        if (!shared.y.compare_exchange_strong(expected, number)) to = expected == number ? 1 : other;
    }
    if constexpr (what == 9) {
        const bool flag = other > number;
        if (flag == (third != 0)) to = number;
    }
    if constexpr (what == 10) {
        static const char* const texts[] = {"0", "1", "2"};
        to = std::atoi(texts[number]) + other; // a function of another library
    }
    if constexpr (what == 11) {
        unsigned char narrow = static_cast<unsigned char>(other);
        if (third == 1) narrow = number;
        to = narrow;
    }
}

/// One step of an iteration. @return whether the loop ends
template <unsigned Seed, unsigned I>
bool step(int& a, int& b, int& c, int* p) {
    int& to = local<Seed, I + 1>(a, b, c);
    constexpr unsigned what =
        Seed < 60 ? pick<Seed>(I, 10) : pick<Seed>(I, 20); // the first are those of before
    constexpr int number = static_cast<int>(pick<Seed>(I + 2, 3));
    if constexpr (what <= 1) to = shared.x.load(order<Seed>(I + 3));
    if constexpr (what == 2) to = shared.y.load(order<Seed>(I + 3));
    if constexpr (what == 3) to = local<Seed, I + 4>(a, b, c);
    if constexpr (what == 4) to = number;
    if constexpr (what == 5) to = number, shared.x.compare_exchange_strong(to, 2, order<Seed>(I + 3));
    if constexpr (what == 6) shared.x.compare_exchange_strong(to, number, order<Seed>(I + 3));
    if constexpr (what == 7) *p = to;
    if constexpr (what == 8) to = read_through(p);
    if constexpr (what == 9) return to == number;
    if constexpr (what > 9) decide<Seed, I>(a, b, c, p);
    return false;
}

template <unsigned Seed>
int waits() {
    int a = 0, b = 0, c = 0;
    int* p = &local<Seed, 1>(a, b, c);
    if constexpr (pick<Seed>(2, 2) == 0) shared.kept = p;
    while (true) {
        if (step<Seed, 10>(a, b, c, p) || step<Seed, 20>(a, b, c, p)) break;
        if constexpr (pick<Seed>(3, 2) == 0)
            if (step<Seed, 30>(a, b, c, p)) break;
        if constexpr (pick<Seed>(4, 2) == 0) std::this_thread::yield();
        if constexpr (pick<Seed>(5, 3) == 0)
            if (shared.kept) b = *shared.kept;
        if (shared.y.load(order<Seed>(6)) == 1) break;
    }
    shared.kept = nullptr;
    constexpr unsigned told = pick<Seed>(7, 8); // which of them matter behind the loop
    return (told & 1 ? a : 0) + (told & 2 ? 3 * b : 0) + (told & 4 ? 9 * c : 0);
}

template <unsigned Seed>
void program() {
    shared.kept = nullptr;
    std::thread waiting(+[] { shared.result = waits<Seed>(); });
    std::thread writing(+[] {
        shared.x.store(1, order<Seed>(50));
        if constexpr (pick<Seed>(51, 2) == 0) shared.x.store(2, order<Seed>(52));
        shared.y.store(1, order<Seed>(53));
    });
    waiting.join();
    writing.join();
}

template <std::size_t... Seeds>
constexpr subject_list all_of(std::index_sequence<Seeds...>) {
    return {program<Seeds>...};
}

const subject_list& subjects() {
    static constexpr subject_list all = all_of(std::make_index_sequence<subject_count>());
    return all;
}

} // namespace dead_state::DEAD_STATE_OPTIONS
