// SPDX-License-Identifier: Apache-2.0
// Atomic accesses of several sizes to the same bytes, and plain accesses to parts of what is atomic.
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>

#ifdef __clang__
#pragma clang diagnostic ignored "-Watomic-alignment" // of 16 bytes at once
#endif

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

/// As gcc compiles a load of 8 bytes. Clang calls a library where it sees that the address is not aligned.
extern "C" std::int64_t __tsan_atomic64_load(const volatile std::int64_t*, int);

void word_across_two_words() {
    alignas(16) static unsigned char bytes[16];
    const auto load = [](unsigned at) {
        return __tsan_atomic64_load(reinterpret_cast<const volatile std::int64_t*>(bytes + at),
                                    __ATOMIC_RELAXED);
    };
    together([&] { load(4); }, [&] { load(0); });
}

namespace {

/// Data is handed over through a word; who takes it looks at half of that alone.
void half_of_a_release(std::memory_order publish) {
    words w;
    int data = 0;
    together(
        [&] {
            data = 1;
            w.whole().store(0x0000'0001'0000'0002, publish);
        },
        [&] {
            if (w.half(0).load(acquire) == 2) VERIFY_THAT(data == 1 && w.half(4).load(relaxed) == 1);
        });
}

/// A lock whose word has head and tail, as in DPDK's ring with head/tail synchronisation: taking it moves the head of the
/// whole word, once both are equal; giving it back moves the tail alone.
void head_tail_lock(std::memory_order give_back) {
    words w;
    int data = 0;
    const auto add_one = [&] {
        std::uint64_t seen = w.whole().load(acquire);
        do
            while (seen >> 32 != (seen & 0xffff'ffff)) seen = w.whole().load(acquire);
        while (!w.whole().compare_exchange_strong(seen, seen + 0x1'0000'0000, acquire, acquire));
        ++data;
        w.half(0).store(static_cast<std::uint32_t>(seen >> 32) + 1, give_back);
    };
    together(add_one, add_one);
    VERIFY_THAT(data == 2 && w.whole().load(relaxed) == 0x0000'0002'0000'0002);
}

/// A lock that is taken as a word and given back as a byte of it, as the kernel's queued spin lock is.
void byte_of_a_lock(std::memory_order give_back) {
    words w;
    int data = 0;
    const auto add_one = [&] {
        for (std::uint32_t free = 0; !w.half(0).compare_exchange_strong(free, 1, acquire, relaxed); free = 0)
            while (w.half(0).load(relaxed) != 0) {
            }
        ++data;
        std::atomic_ref(w.bytes[0]).store(0, give_back);
    };
    together(add_one, add_one);
    VERIFY_THAT(data == 2);
}

void whole_words(bool in_halves) {
    words w;
    together(
        [&] {
            if (!in_halves) return w.whole().store(0x0000'0001'0000'0001, relaxed);
            w.half(0).store(1, relaxed);
            w.half(4).store(1, relaxed);
        },
        [&] { w.whole().store(0x0000'0002'0000'0002, relaxed); },
        [&] {
            const std::uint64_t seen = w.whole().load(relaxed);
            VERIFY_THAT(seen >> 32 == (seen & 0xffff'ffff));
            w.half(4).load(relaxed);
        });
}

/// Two threads add to the halves of a word, and a third to all of it.
void adds(bool at_once) {
    words w;
    together([&] { w.half(0).fetch_add(1, relaxed); }, [&] { w.half(4).fetch_add(1, relaxed); },
             [&] {
                 if (at_once)
                     w.whole().fetch_add(0x0000'0001'0000'0001, relaxed);
                 else
                     w.whole().store(w.whole().load(relaxed) + 0x0000'0001'0000'0001, relaxed);
             });
    VERIFY_THAT(w.whole().load(relaxed) == 0x0000'0002'0000'0002);
}

/// What std::atomic of a structure is, and a reader of a half of it.
void half_of_a_structure(bool both_at_once) {
    struct pair {
        std::uint32_t a, b;
    };
    union {
        std::atomic<pair> whole;
        std::atomic<std::uint32_t> half[2];
    } u{pair{0, 0}};
    together(
        [&] {
            u.whole.store({1, 1}, relaxed);
        },
        [&] {
            if (both_at_once) {
                const pair seen = u.whole.load(relaxed);
                VERIFY_THAT(seen.a == seen.b);
            }
            const std::uint32_t a = u.half[0].load(relaxed), b = u.half[1].load(relaxed);
            VERIFY_THAT(both_at_once || a == b);
        });
}

__extension__ using two_words = unsigned __int128;

/// A stack's head of a pointer and a tag, exchanged at once; only who pops looks at the pointer alone, as it does at first.
void pop_and_push_back(std::uint64_t tag) {
    struct node {
        std::atomic<std::uint64_t> next{0};
    };
    static node nodes[3]; // 0 is none
    nodes[1].next.store(2, relaxed);
    nodes[2].next.store(0, relaxed);
    alignas(16) static two_words head;
    const auto both = [](std::uint64_t top, std::uint64_t count) {
        return static_cast<two_words>(count) << 64 | top;
    };
    __atomic_store_n(&head, both(1, 0), __ATOMIC_RELAXED);
    const auto top = [] {
        return __atomic_load_n(reinterpret_cast<std::uint64_t*>(&head), __ATOMIC_ACQUIRE);
    };
    const auto change = [&](two_words& seen, std::uint64_t to) {
        return __atomic_compare_exchange_n(&head, &seen,
                                           both(to, static_cast<std::uint64_t>(seen >> 64) + tag), false,
                                           __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    };
    std::uint64_t got = 0;
    together(
        [&] {
            if (top() == 0) return;
            two_words seen = __atomic_load_n(&head, __ATOMIC_ACQUIRE);
            const auto first = static_cast<std::uint64_t>(seen);
            if (first != 0 && change(seen, nodes[first].next.load(acquire))) got = first;
        },
        [&] { // takes both, and gives the first one back alone
            two_words seen = __atomic_load_n(&head, __ATOMIC_ACQUIRE);
            if (static_cast<std::uint64_t>(seen) != 1 || !change(seen, 2)) return;
            seen = __atomic_load_n(&head, __ATOMIC_ACQUIRE);
            if (static_cast<std::uint64_t>(seen) != 2 || !change(seen, 0)) return;
            nodes[1].next.store(0, release);
            seen = __atomic_load_n(&head, __ATOMIC_ACQUIRE);
            if (static_cast<std::uint64_t>(seen) == 0) change(seen, 1);
            VERIFY_THAT(top() != 2); // which is this thread's
        });
    VERIFY_THAT(got != 1 || top() != 2 || nodes[1].next.load(relaxed) == 2);
}

} // namespace

void tagged_pointer_of_two_words() { pop_and_push_back(1); }
void tagged_pointer_without_a_tag() { pop_and_push_back(0); }

void halves_in_two_orders() {
    words w;
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    std::thread first([&] { w.half(0).store(1, relaxed); }), second([&] { w.half(4).store(1, relaxed); });
    std::thread whole([&] { w.whole().load(relaxed); });
    std::thread one([&] {
        a = w.half(0).load(acquire);
        b = w.half(4).load(acquire);
    });
    c = w.half(4).load(acquire);
    d = w.half(0).load(acquire);
    for (std::thread* t : {&first, &second, &whole, &one}) t->join();
    VERIFY_THAT(!(a == 1 && b == 0 && c == 1 && d == 0));
}

void half_from_the_store_buffer() {
    words w;
    std::uint64_t a = 0, b = 0;
    together(
        [&] {
            w.half(0).store(1, relaxed);
            a = w.whole().load(relaxed);
        },
        [&] {
            w.half(4).store(1, relaxed);
            b = w.whole().load(relaxed);
        });
    VERIFY_THAT(!(a == 1 && b == 0x0000'0001'0000'0000));
}

void weak_exchange_of_mixed_sizes() {
    words w;
    together([&] { w.half(4).store(1, relaxed); },
             [&] {
                 std::uint64_t seen = 0;
                 if (!w.whole().compare_exchange_weak(seen, 7, relaxed)) w.half(0).store(2, relaxed);
             });
}

void sleep_on_half_of_a_word() {
    words w;
    together([&] { w.whole().store(1, release); },
             [&] { reinterpret_cast<std::atomic<int>*>(w.bytes)->wait(0, acquire); });
}

/// What an exchange acquires only where it succeeds, while another thread looks at the half that it is about to write.
void exchange_that_is_looked_at() {
    words w;
    int data = 0;
    together(
        [&] {
            data = 1;
            w.half(0).store(1, release);
        },
        [&] { (void)w.half(0).load(relaxed); },
        [&] {
            std::uint64_t seen = 1;
            if (w.whole().compare_exchange_strong(seen, 2, acquire, relaxed)) VERIFY_THAT(data == 1);
        });
}

void half_of_a_released_word() { half_of_a_release(release); }
void half_of_a_relaxed_word() { half_of_a_release(relaxed); }
void lock_with_head_and_tail() { head_tail_lock(release); }
void lock_with_head_and_relaxed_tail() { head_tail_lock(relaxed); }
void lock_given_back_as_a_byte() { byte_of_a_lock(release); }
void lock_given_back_as_a_relaxed_byte() { byte_of_a_lock(relaxed); }
void words_are_not_torn() { whole_words(false); }
void words_in_halves_are_torn() { whole_words(true); }
void adds_to_halves_and_whole() { adds(true); }
void adds_to_halves_and_no_add_to_the_whole() { adds(false); }
void structure_as_a_whole() { half_of_a_structure(true); }
void structure_in_halves() { half_of_a_structure(false); }

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
