// SPDX-License-Identifier: Apache-2.0
// A local keeps the address of a freed block while the program allocates the next one. Each program that is called not_…
// then reads the local in some way, compares the two addresses, and fails if they are the same.

#include "forgotten.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

namespace forgotten {
namespace {

std::atomic<int> hits;
std::uintptr_t* known;
int looks; ///< which is announced, as all that is instrumented

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

[[gnu::noipa]] void throw_again(const std::exception_ptr& e) { std::rethrow_exception(e); }
std::uintptr_t hidden; ///< an address, in a form that is none
[[gnu::noipa]] bool is_hidden(std::uintptr_t b) { return *reinterpret_cast<std::uintptr_t*>(~hidden) == b; }

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

struct first_base {
    std::uintptr_t kept;
};
struct second_base {
    std::uintptr_t other;
};
struct derived : first_base, second_base {};
[[gnu::noipa]] void keep_in_derived(second_base* b, std::uintptr_t kept) {
    static_cast<derived*>(b)->kept = kept;
}
[[gnu::noipa]] bool is_in_derived(second_base* b, std::uintptr_t made) {
    return static_cast<derived*>(b)->kept == made;
}

/// What a function returns or takes in registers. g++ stores and loads it without announcing that.
struct two {
    std::uintptr_t kept = 0, other = 0;
};
[[gnu::noipa]] two empty() { return {}; }
[[gnu::noipa]] void take(two) {}
struct with_pointer {
    two first;
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
    two local;
    local.kept = freed();
    for (int i = 0; i < 2; ++i) {
        const std::uintptr_t made = allocated();
        VERIFY_THAT(!is_at(&local.kept, made));
        local = empty();
        give(nullptr);
        take(local);
        ++looks;
        release(made);
    }
}

void not_by_counting_down() {
    entry e;
    keep_before(&e.in_list, freed());
    const std::uintptr_t made = allocated();
    VERIFY_THAT(!is_before(&e.in_list, made));
    ++looks;
    release(made);
}

/// An object without an initial value is overwritten before that, by -ftrivial-auto-var-init, which is not announced.
void not_through_another_base() {
    for (int i = 0; i < 2; ++i) {
        derived object;
        if (i == 0) keep_in_derived(&object, freed());
        const std::uintptr_t made = allocated();
        if (i == 0) VERIFY_THAT(!is_in_derived(&object, made));
        ++looks;
        release(made);
    }
}

void not_through_a_variable() {
    two local;
    local.kept = freed();
    known = &local.kept;
    for (int i = 0; i < 2; ++i) {
        const std::uintptr_t made = allocated();
        VERIFY_THAT(!is_known(made));
        local = empty();
        give(nullptr);
        take(local);
        ++looks;
        release(made);
    }
    known = nullptr;
}

void not_through_a_local() {
    with_pointer local;
    local.to_it = &local.first.kept;
    local.first.kept = freed();
    for (int i = 0; i < 2; ++i) {
        const std::uintptr_t made = allocated();
        VERIFY_THAT(!is_at_the_end(&local.to_it, made));
        local.first = empty();
        give(nullptr);
        take(local.first);
        ++looks;
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

void not_behind_a_throw_by_the_library() {
    const std::exception_ptr kept_for_later = std::make_exception_ptr(1);
    std::uintptr_t kept = freed();
    const std::uintptr_t made = allocated();
    try {
        give(nullptr);
        if (hits.load() == 0) throw_again(kept_for_later);
        kept = 0;
        give(nullptr);
    } catch (int) {
        VERIFY_THAT(made != kept);
    }
    release(made);
}

[[gnu::no_sanitize_thread]] void not_without_instrumentation() {
    std::uintptr_t kept = freed();
    hidden = ~reinterpret_cast<std::uintptr_t>(&kept);
    for (int i = 0; i < 2; ++i) {
        const std::uintptr_t made = allocated();
        VERIFY_THAT(!is_hidden(made));
        kept = 0;
        give(nullptr);
        take({kept, 0});
        release(made);
    }
}

/// Compiled for few bytes, as g++ does with main().
[[gnu::cold]] void by_a_vector() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i) threads.push_back(std::thread(hit, 1));
    for (std::thread& t : threads) t.join();
    VERIFY_THAT(hits.load() == 6);
}

} // namespace forgotten
