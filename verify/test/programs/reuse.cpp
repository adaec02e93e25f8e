// SPDX-License-Identifier: Apache-2.0
// Programs for which it makes a difference whether freed memory is used again.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>

namespace programs {

namespace {
/// Its address, of which no compiler knows that it can't be another's.
std::uintptr_t address_of(void* p) {
    auto address = reinterpret_cast<std::uintptr_t>(p);
    asm("" : "+r"(address));
    return address;
}
} // namespace

void freed_and_allocated() {
    void* const first = std::malloc(24);
    const std::uintptr_t before = address_of(first);
    std::free(first);
    void* const second = std::malloc(24);
    VERIFY_THAT(address_of(second) != before);
    std::free(second);
}

void freed_by_a_joined_thread() {
    void* const first = std::malloc(24);
    const std::uintptr_t before = address_of(first);
    std::thread([=] { std::free(first); }).join();
    void* const second = std::malloc(24);
    VERIFY_THAT(address_of(second) != before);
    std::free(second);
}

void freed_before_another() {
    void* const first = std::malloc(24);
    void* const last = std::malloc(24);
    const std::uintptr_t other = address_of(first), before = address_of(last);
    std::free(last);
    static_cast<void>(std::atomic(0).fetch_add(1)); // an event: what is freed after it is freed later
    std::free(first);
    void* const again = std::malloc(24);
    VERIFY_THAT(address_of(again) != before && other != before);
    std::free(again);
}

namespace {
[[gnu::noinline]] void use_and_free() {
    auto* volatile p = static_cast<long*>(std::malloc(24));
    *p = 1;
    std::free(p);
    p = nullptr;
}
} // namespace

void freed_and_forgotten() {
    for (int i = 0; i < 3; ++i) use_and_free();
}

void another_size() {
    void* const first = std::malloc(24);
    const auto before = reinterpret_cast<std::uintptr_t>(first);
    std::free(first);
    void* const second = std::malloc(240);
    VERIFY_THAT(reinterpret_cast<std::uintptr_t>(second) != before);
    std::free(second);
}

void reused_memory_is_not_initialised() {
    auto* volatile first = static_cast<long*>(std::malloc(24));
    *first = 1;
    const auto before = reinterpret_cast<std::uintptr_t>(first);
    std::free(first);
    auto* volatile second = static_cast<long*>(std::malloc(24));
    if (reinterpret_cast<std::uintptr_t>(second) == before) VERIFY_THAT(*second != 1);
}

void stale_pointer_to_memory_in_use() {
    auto* volatile p = static_cast<long*>(std::malloc(24));
    together(
        [&, q = p] {
            std::free(q);
            auto* volatile mine = static_cast<long*>(std::malloc(24));
            if (mine == q) *mine = 1;
        },
        [q = p] { *static_cast<volatile long*>(q) = 2; });
}

// One thread is about to take the first node off when the other takes both, and brings a new one.
namespace {
struct node {
    node* next = nullptr;
};
/// What the top of a stack has. A word of the program: the pointer in its low bits, and a tag that counts above it.
template <bool Tagged>
struct tag_above {
    using word = std::uint64_t;
    static constexpr word one_tag = word{1} << 48;
    static node* pointer(word w) { return reinterpret_cast<node*>(w % one_tag); }
    static word with(node* n, word before) {
        const word tag = Tagged ? before / one_tag + 1 : 0;
        return reinterpret_cast<word>(n) | tag * one_tag;
    }
};
/// The pointer shifted to the left, above a mark that no thread uses.
struct mark_below {
    using word = std::uint64_t;
    static node* pointer(word w) { return reinterpret_cast<node*>(w >> 16); }
    static word with(node* n, word) { return reinterpret_cast<word>(n) << 16; }
};
/// The pointer without the bits that are 0 in each.
struct without_low_bits {
    using word = std::uint64_t;
    static node* pointer(word w) { return reinterpret_cast<node*>(w << 4); }
    static word with(node* n, word) { return reinterpret_cast<word>(n) >> 4; }
};
/// The pointer in the second half of two words.
struct mark_before {
    __extension__ using word = unsigned __int128;
    static node* pointer(word w) { return reinterpret_cast<node*>(static_cast<std::uintptr_t>(w >> 64)); }
    static word with(node* n, word) { return static_cast<word>(reinterpret_cast<std::uintptr_t>(n)) << 64; }
};

template <class Top>
void aba() {
    using word = typename Top::word;
    node* const second = new node;
    node* const first = new node{second};
    std::atomic<word> top{Top::with(first, 0)};
    std::atomic<int> looked{0};
    bool taken = false, took_both = false;
    together(
        [&] {
            word seen = top.load();
            node* const next = Top::pointer(seen)->next;
            looked.store(1);
            taken = top.compare_exchange_strong(seen, Top::with(next, seen));
        },
        [&] {
            while (looked.load() == 0) ringproof::verify::pause();
            word seen = top.load();
            if (Top::pointer(seen) != first || !top.compare_exchange_strong(seen, Top::with(second, seen)))
                return;
            delete first;
            seen = top.load();
            if (Top::pointer(seen) != second || !top.compare_exchange_strong(seen, Top::with(nullptr, seen)))
                return;
            took_both = true;
            delete second; // so that the first one is not what was freed last
            seen = top.load();
            top.compare_exchange_strong(seen, Top::with(new node, seen));
        });
    VERIFY_THAT(!(taken && took_both)); // the first node would have been taken twice
}
} // namespace

void stack_with_aba() { aba<tag_above<false>>(); }
void stack_with_tags() { aba<tag_above<true>>(); }
void stack_with_marks_below() { aba<mark_below>(); }
void stack_without_low_bits() { aba<without_low_bits>(); }
void stack_with_marks_before() { aba<mark_before>(); }

} // namespace programs
