// SPDX-License-Identifier: Apache-2.0
// A local keeps the address of a freed block while the next one is allocated. Whether that has the same address is told
// where the local is read again, however that is done, and behind whatever calls.

#include "forgotten.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace forgotten {
namespace {

std::atomic<int> hits;
std::uintptr_t* known;

constexpr std::size_t block = 32;

/// A block, of which the compiler does not know that it is another one than those before.
[[gnu::always_inline]] inline std::uintptr_t allocated() {
    auto made = reinterpret_cast<std::uintptr_t>(std::malloc(block));
    asm volatile("" : "+r"(made));
    return made;
}
[[gnu::always_inline]] inline void release(std::uintptr_t b) { std::free(reinterpret_cast<void*>(b)); }
std::uintptr_t freed() {
    const std::uintptr_t b = allocated();
    release(b);
    return b;
}

void hit(int times) { hits.fetch_add(times); }

/// What a compiler does not look into.
[[gnu::noipa]] void give(const void*) {}
[[gnu::noipa]] bool is_at(const std::uintptr_t* a, std::uintptr_t b) { return *a == b; }
[[gnu::noipa]] bool is_seventh(int, int, int, int, int, std::uintptr_t b, std::uintptr_t seventh) {
    return b == seventh;
}
[[gnu::noipa]] bool is_known(std::uintptr_t b) { return *known == b; }

struct link {
    link* next = nullptr;
};
struct entry {
    std::uintptr_t before = 0;
    link in_list;
};
entry& entry_of(link* l) {
    return *reinterpret_cast<entry*>(reinterpret_cast<char*>(l) - offsetof(entry, in_list));
}
[[gnu::noipa]] void keep_before(link* l, std::uintptr_t b) { entry_of(l).before = b; }
[[gnu::noipa]] bool is_before(link* l, std::uintptr_t b) { return entry_of(l).before == b; }

struct with_pointer {
    std::uintptr_t kept = 0;
    const std::uintptr_t* to_it = nullptr;
};
[[gnu::noipa]] bool is_at_the_end(const std::uintptr_t* const* pointer, std::uintptr_t b) {
    return **pointer == b;
}

} // namespace

void not_yet() {
    std::uintptr_t kept = freed();
    give(nullptr);
    const std::uintptr_t made = allocated();
    give(nullptr);
    VERIFY_THAT(made != kept);
    release(made);
}

void not_as_an_argument() {
    const std::uintptr_t kept = freed();
    give(nullptr);
    const std::uintptr_t made = allocated();
    VERIFY_THAT(!is_seventh(1, 2, 3, 4, 5, made, kept));
    release(made);
}

void not_by_a_function() {
    std::uintptr_t kept = freed();
    for (int i = 0; i < 2; ++i) {
        const std::uintptr_t made = allocated();
        VERIFY_THAT(!is_at(&kept, made));
        kept = 0;
        give(&kept);
        release(made);
    }
}

void not_by_counting_down() {
    entry e;
    keep_before(&e.in_list, freed());
    const std::uintptr_t made = allocated();
    VERIFY_THAT(!is_before(&e.in_list, made));
    release(made);
}

// Where accesses are not instrumented, a local whose address is known is overwritten as others are.

[[gnu::no_sanitize_thread]] void not_through_a_variable() {
    std::uintptr_t kept = freed();
    known = &kept;
    for (int i = 0; i < 2; ++i) {
        const std::uintptr_t made = allocated();
        VERIFY_THAT(!is_known(made));
        kept = 0;
        release(made);
    }
    known = nullptr;
}

[[gnu::no_sanitize_thread]] void not_through_a_local() {
    with_pointer local;
    local.to_it = &local.kept;
    local.kept = freed();
    for (int i = 0; i < 2; ++i) {
        const std::uintptr_t made = allocated();
        VERIFY_THAT(!is_at_the_end(&local.to_it, made));
        local.kept = 0;
        release(made);
    }
}

void not_behind_a_throw() {
    std::uintptr_t kept = freed();
    const std::uintptr_t made = allocated();
    try {
        give(nullptr);
        if (hits.load() == 0) throw 1;
        kept = 0;
        give(nullptr);
    } catch (int) {
        VERIFY_THAT(made != kept);
    }
    release(made);
}

/// Compiled for few bytes, as g++ does with main().
[[gnu::cold]] void by_a_vector() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i) threads.push_back(std::thread(hit, 1));
    for (std::thread& t : threads) t.join();
    VERIFY_THAT(hits.load() == 6);
}

} // namespace forgotten
