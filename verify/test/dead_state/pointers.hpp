// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs that are chosen by a number while they are compiled. A thread keeps pointers to freed blocks in its locals,
// allocates more blocks, and compares some of them: whether a new block has the address of a freed one is in what it comes
// to, unless the compiler needs no such local any more. Included once for each set of compiler options, behind loops.hpp.
#include "loops.hpp"

#include <cstddef>
#include <cstdio>

namespace dead_state::DEAD_STATE_OPTIONS::pointers {

constexpr std::size_t block = 32;

/// A block, of which the compiler does not know that it is another one than those before.
inline std::uintptr_t allocated() {
    auto made = reinterpret_cast<std::uintptr_t>(std::malloc(block));
    asm volatile("" : "+r"(made));
    return made;
}
[[gnu::noinline]] inline std::uintptr_t allocated_by_a_function() { return allocated(); }
template <unsigned Seed, unsigned I>
std::uintptr_t new_block() {
    if constexpr (pick<Seed>(I + 3, 3) == 0) return allocated_by_a_function();
    return allocated();
}
inline void release(std::uintptr_t b) { std::free(reinterpret_cast<void*>(b)); }

/// A part of an object, from which functions come to the others.
struct link {
    link* next = nullptr;
};
struct entry {
    std::uintptr_t before = 0;
    link in_list;
    std::uintptr_t behind = 0;
};
[[gnu::noinline]] inline entry& entry_of(link* l) {
    return *reinterpret_cast<entry*>(reinterpret_cast<char*>(l) - offsetof(entry, in_list));
}
[[gnu::noinline]] inline bool is_one_of(link* l, std::uintptr_t b) {
    return entry_of(l).before == b || entry_of(l).behind == b;
}
[[gnu::noinline]] inline bool are_same(std::uintptr_t a, std::uintptr_t b) { return a == b; }
/// The last one is given on the stack.
[[gnu::noinline]] inline bool is_seventh(std::uintptr_t a, int, int, int, int, int, std::uintptr_t b) {
    return a == b;
}
[[gnu::noinline]] inline bool is_at(const std::uintptr_t* a, std::uintptr_t b) { return *a == b; }
[[gnu::noinline]] inline void assign(std::uintptr_t* to, std::uintptr_t value) { *to = value; }

struct locals {
    std::uintptr_t &a, &b;
    entry& e;
    link* known; ///< of the entry, or null
};

template <unsigned Seed, unsigned I>
std::uintptr_t& local(const locals& l) {
    constexpr unsigned which = pick<Seed>(I, 4);
    if constexpr (which == 0) return l.a;
    if constexpr (which == 1) return l.b;
    if constexpr (which == 2) return l.e.before;
    return l.e.behind;
}

/// What does not decide by an address.
template <unsigned Seed, unsigned I>
void pass(const locals& l) {
    constexpr unsigned what = pick<Seed>(I + 1, 8);
    std::uintptr_t &to = local<Seed, I + 4>(l), &from = local<Seed, I + 5>(l);
    if constexpr (what == 0) to = from;
    if constexpr (what == 1) to = pick<Seed>(I + 2, 9);
    if constexpr (what == 2) assign(&to, from);
    if constexpr (what == 3) shared.x.fetch_add(1, order<Seed>(I + 2));
    if constexpr (what == 4) {
        char text[8];
        std::snprintf(text, sizeof text, "%u",
                      pick<Seed>(I + 2, 90)); // a function of another library, with a local
        if (std::atoi(text) > 60) to = 1;
    }
    if constexpr (what == 5)
        if (shared.y.load(order<Seed>(I + 2)) == 1) to = from;
    if constexpr (what == 6) entry_of(&l.e.in_list).before = from;
    if constexpr (what == 7) std::thread(+[] { shared.x.fetch_add(1); }).join();
}

/// A step. @return what a comparison came to
template <unsigned Seed, unsigned I>
unsigned step(const locals& l) {
    constexpr unsigned what = pick<Seed>(I, 9);
    std::uintptr_t& to = local<Seed, I + 6>(l);
    if constexpr (what >= 7) return pass<Seed, I>(l), 0;
    const std::uintptr_t made = new_block<Seed, I>();
    if constexpr (pick<Seed>(I + 7, 3) == 0) pass<Seed, I>(l);
    release(made);
    if constexpr (what <= 1) to = made;
    if constexpr (what == 2) return made == to;
    if constexpr (what == 3) return are_same(made, to);
    if constexpr (what == 4) return is_at(&to, made);
    if constexpr (what == 5) return is_seventh(made, 1, 2, 3, 4, 5, to);
    if constexpr (what == 6) return l.known && is_one_of(l.known, made);
    return 0;
}

template <unsigned Seed>
unsigned compares() {
    std::uintptr_t a = 0, b = 0;
    entry e;
    const locals l{a, b, e, pick<Seed>(0, 2) == 0 ? &e.in_list : nullptr};
    unsigned told = step<Seed, 10>(l);
    for (unsigned i = 0; i < 1 + pick<Seed>(1, 2); ++i) {
        told = 2 * told + step<Seed, 20>(l);
        told = 2 * told + step<Seed, 30>(l);
        if constexpr (pick<Seed>(2, 2) == 0)
            if (shared.x.load(order<Seed>(3)) == 0) told = 2 * told + step<Seed, 40>(l);
        told = 2 * told + step<Seed, 50>(l);
    }
    told = 2 * told + step<Seed, 60>(l);
    return 2 * told + step<Seed, 70>(l);
}

template <unsigned Seed>
void program() {
    shared.x.store(0, std::memory_order_relaxed);
    std::thread writing(+[] { shared.y.store(1, order<Seed>(4)); });
    if constexpr (pick<Seed>(5, 2) == 0) {
        shared.result = static_cast<int>(compares<Seed>());
        writing.join();
    } else {
        std::thread comparing(+[] { shared.result = static_cast<int>(compares<Seed>()); });
        comparing.join();
        writing.join();
    }
}

template <std::size_t... Seeds>
constexpr pointer_list all_of(std::index_sequence<Seeds...>) {
    return {program<Seeds>...};
}

const pointer_list& subjects() {
    static constexpr pointer_list all = all_of(std::make_index_sequence<pointer_count>());
    return all;
}

} // namespace dead_state::DEAD_STATE_OPTIONS::pointers
