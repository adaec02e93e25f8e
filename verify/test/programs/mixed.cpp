// SPDX-License-Identifier: Apache-2.0
// Atomic accesses of several sizes to the same bytes, and plain accesses to parts of what is atomic.
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace programs {

/// Not known to the compiler, which would copy so little by moves that are not instrumented.
extern std::size_t size_of_three;
std::size_t size_of_three = 3 * sizeof(int);

namespace {

using enum std::memory_order;

struct words {
    alignas(16) unsigned char bytes[16] = {};
    std::atomic_ref<std::uint64_t> whole(unsigned at = 0) {
        return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(bytes + at));
    }
    std::atomic_ref<std::uint32_t> half(unsigned at) {
        return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(bytes + at));
    }
    std::uint32_t& plain_half(unsigned at) { return *reinterpret_cast<std::uint32_t*>(bytes + at); }
};

/// One thread fills a word that was atomic by a plain write of a part, and passes it on.
void partial_write(std::memory_order publish) {
    words w;
    std::atomic<int> ready{0};
    together(
        [&] {
            w.whole().store(0x1111'1111'2222'2222, relaxed);
            w.plain_half(4) = 0x3333'3333;
            ready.store(1, publish);
        },
        [&] {
            if (ready.load(acquire)) VERIFY_THAT(w.whole().load(relaxed) == 0x3333'3333'2222'2222);
        });
    VERIFY_THAT(w.whole().load(relaxed) == 0x3333'3333'2222'2222);
}

/// Memory in use as a whole word, and, once everyone knows that this is over, as two halves.
void halves_after(std::memory_order publish) {
    words w;
    std::atomic<int> over{0};
    together(
        [&] {
            w.whole().store(0x0000'0001'0000'0002, relaxed);
            over.store(1, publish);
        },
        [&] {
            if (over.load(acquire)) w.half(0).fetch_add(1, relaxed);
        },
        [&] {
            if (!over.load(acquire)) return;
            VERIFY_THAT(w.half(4).load(relaxed) == 1);
            w.half(0).fetch_add(1, relaxed);
        });
    const std::uint64_t left = w.whole().load(relaxed);
    VERIFY_THAT(left >= 0x0000'0001'0000'0002 && left <= 0x0000'0001'0000'0004);
}

struct with_atomics {
    std::atomic<int> a, b;
    int c;
};

void copy_over(std::memory_order publish) {
    with_atomics there;
    there.a.store(1, relaxed);
    there.b.store(2, relaxed);
    there.c = 3;
    with_atomics here{};
    std::atomic<int> ready{0};
    together(
        [&] {
            here.a.store(7, relaxed);
            std::memcpy(static_cast<void*>(&here), static_cast<const void*>(&there), size_of_three);
            ready.store(1, publish);
        },
        [&] {
            if (ready.load(acquire))
                VERIFY_THAT(here.a.load(relaxed) == 1 && here.b.load(relaxed) == 2 && here.c == 3);
        });
}

} // namespace

void partial_write_is_seen() { partial_write(release); }
void partial_write_races() { partial_write(relaxed); }
void word_becomes_halves() { halves_after(release); }
void word_becomes_halves_too_early() { halves_after(relaxed); }
void copy_over_atomics() { copy_over(release); }
void copy_over_atomics_races() { copy_over(relaxed); }

void half_of_a_word_at_once() {
    words w;
    together([&] { w.whole().store(1, release); }, [&] { w.half(4).load(acquire); });
}
void straddles_two_words() {
    words w;
    together([&] { w.half(0).store(1, relaxed), w.half(4).store(1, relaxed); },
             [&] { w.whole().load(relaxed); });
}

/// As tagged pointers do that are read through volatile members: the words of a local object are atomic events.
void failed_exchange_is_seen_by_volatile_reads() {
    struct word {
        long value;
        long get() const volatile { return value; }
    };
    static std::atomic<long> x;
    x.store(0);
    together([] { x.store(1); },
             [] {
                 word seen{0};
                 VERIFY_THAT(seen.get() == 0);
                 const bool exchanged = x.compare_exchange_strong(seen.value, 2);
                 VERIFY_THAT(seen.get() == (exchanged ? 0 : 1));
             });
}

} // namespace programs
