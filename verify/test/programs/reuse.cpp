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
constexpr std::uint64_t one_tag = std::uint64_t{1} << 48;

template <bool Tagged>
void aba() {
    node* const second = new node;
    node* const first = new node{second};
    std::atomic<std::uint64_t> top{reinterpret_cast<std::uint64_t>(first)};
    std::atomic<int> looked{0};
    const auto pointer = [](std::uint64_t word) { return reinterpret_cast<node*>(word % one_tag); };
    const auto tagged = [](node* n, std::uint64_t before) {
        const std::uint64_t tag = Tagged ? before / one_tag + 1 : 0;
        return reinterpret_cast<std::uint64_t>(n) | tag * one_tag;
    };
    bool taken = false, took_both = false;
    together(
        [&] {
            std::uint64_t seen = top.load();
            node* const next = pointer(seen)->next;
            looked.store(1);
            taken = top.compare_exchange_strong(seen, tagged(next, seen));
        },
        [&] {
            while (looked.load() == 0) ringproof::verify::pause();
            std::uint64_t seen = top.load();
            if (pointer(seen) != first || !top.compare_exchange_strong(seen, tagged(second, seen))) return;
            delete first;
            seen = top.load();
            if (pointer(seen) != second || !top.compare_exchange_strong(seen, tagged(nullptr, seen))) return;
            took_both = true;
            delete second; // so that the first one is not what was freed last
            seen = top.load();
            top.compare_exchange_strong(seen, tagged(new node, seen));
        });
    VERIFY_THAT(!(taken && took_both)); // the first node would have been taken twice
}
} // namespace

void stack_with_aba() { aba<false>(); }
void stack_with_tags() { aba<true>(); }

} // namespace programs
