// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every atomic access of the core goes through a function of this file, and no other file of the core
// names a memory order. The letters are those of Linux' kernel/events/ring_buffer.c.
//
//        producer                                   consumer
//
//    A   load  tail  (or: the slot's word)      C   load  head  (or: the record's word)
//        write data                                 read  data
//    B   store head  (or: the record's word)    D   store tail  (or: the slot's word)
//
//    Where A pairs with D, and B pairs with C.
//
//  | letter | one shared  | in band: a word | licenses                                                     |
//  |        | position    | of the slot     |                                                              |
//  |--------|-------------|-----------------|--------------------------------------------------------------|
//  | A <- D | load_tail   | load_vacancy    | reuse: what the producer is about to overwrite has been read |
//  | B -> C | publish_head| commit          | reading: the data is complete                                |
//  | C <- B | load_head   | load_commit     | reading: the data is loaded after the load that allowed it   |
//  | D -> A | release_tail| vacate          | reuse: the data has been loaded, nobody looks at it any more |
//
//  | letter | without it                                                        | litmus test, perf-ring/    |
//  |--------|-------------------------------------------------------------------|----------------------------|
//  | A      | the data may be written before the check: the consumer, still in  | ring-LB+none+…             |
//  |        | the old record, reads parts of the next lap's                     |                            |
//  | B      | head may be seen before the data: a stale or half a record        | ring-MP+none+…             |
//  | C      | the data may be loaded before head: a stale or half a record      | ring-MP+…+none             |
//  | D      | tail may be seen while the data is still being loaded: the        | ring-LB+…+none             |
//  |        | producer overwrites a record under the consumer's eyes            |                            |
//
// Three policies stand side by side below; a ring is instantiated with one of them.
//
//  | policy             | A                  | B                  | C                  | D                  |
//  |--------------------|--------------------|--------------------|--------------------|--------------------|
//  | acquire_release    | load-acquire       | store-release      | load-acquire       | store-release      |
//  | fences             | load, read fence   | write fence, store | load, read fence   | full fence, store  |
//  |   its B in band    |                    | store-release      |                    |                    |
//  | control_dependency | load, branch       | store-release      | load-acquire       | store-release      |
//
// x86 orders all of it by itself, so there the letters only bind the compiler; ISO C++ and weaker machines
// need each of them. `shared` rings use A and D of the first column and B and C of the second.
//
// There is no E here. E is the wait of an in-order commit for its predecessor; a commit in band waits for
// nobody, so the letter would have nothing to order.
//
// A ring that overwrites (keep_newest) has no A and D; its writer says what it is about to overwrite:
//
//        writer                                     snapshot
//
//    I   store intent, before the data          J   load  intent, after the data has been copied
//        write data, word by word                   copy  data, word by word
//    B   store head                             C   load  head
//
//    Where J pairs with I: a snapshot that copied one word of a new record sees the intent to write it.
//
// When many threads overwrite (recorder<shared>), each has a word of its own, its mark, that says where it is at work:
//
//        writer                                     who enters a page again, or takes a snapshot
//
//    K   store mark: "at this position"         C   load  head
//    M   claim head, read-modify-write          L   load  every mark
//    I   fence                                      overwrite the page (after M), or copy it (before J)
//        write data, word by word
//    K   store mark: "at nothing"
//
//    Where L pairs with K, C with M, and M with M.
//
//  | letter | licenses                                                  | without it                       |
//  |--------|-----------------------------------------------------------|----------------------------------|
//  | K -> L | reuse, and reading: what was written here is complete     | the record of a lap before comes |
//  | L <- K |                                                           | out, or half a record            |
//  | M -> C | whoever knows of the claim finds the mark that precedes it| a record that is not complete is |
//  |        |                                                           | taken for one that is            |
//  | M <- M | reuse, for those who write behind the one who entered:    | the record of a lap before comes |
//  |        | it has looked at the marks, they haven't                  | out where a new one was written  |
//
// A waiting consumer and the producer that wakes it meet in one flag, changed by read-modify-writes only:
// `raise` (after B) and `lower` (before C) pair with each other, so whichever comes second sees what the other
// had published. `settle` is the full fence where one side stores and then looks at what the other stored.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory> // std::construct_at

#ifndef __cpp_lib_atomic_ref
#error                                                                                                       \
    "ringproof needs std::atomic_ref, which this C++ library does not have: libstdc++ 10 or later, libc++ 19 or later"
#endif

// The sanitizer and the model checker have to see each access; they don't look into assembly.
#if defined(RINGPROOF_WATCHED) // the checker says so itself
#elif defined(__SANITIZE_THREAD__)
#define RINGPROOF_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RINGPROOF_WATCHED 1
#endif
#endif
#ifndef RINGPROOF_WATCHED
#define RINGPROOF_WATCHED 0
#endif

namespace ringproof {

// Positions have 64 bits everywhere. A lock behind them would be taken in signal handlers, and be another one in each
// process that maps the ring.
static_assert(
    sizeof(std::atomic<std::uint64_t>) == 8 && std::atomic<std::uint64_t>::is_always_lock_free,
    "ringproof needs lock-free atomics of 64 bits, which this target does not have: compile for a "
    "processor that has them (32-bit x86: -march=i586 or later; 32-bit ARM: -march=armv7-a or later)");

namespace detail {

/// Of a plain std::uint64_t that is accessed by std::atomic_ref: 32-bit x86 would put it at any multiple of 4, across two
/// lines.
inline constexpr std::size_t word_alignment = std::atomic_ref<std::uint64_t>::required_alignment;

} // namespace detail

/// What came of an attempt to change a word that belongs to a CPU.
enum class local_change : std::uint8_t {
    done,
    changed,   ///< the word has another value
    elsewhere, ///< the thread is not on that CPU, or was interrupted: look again
};

/// What has no letter, and what the policies have in common.
struct without_letter {
    using position = std::uint64_t;

    // ---- reservation by several producers ------------------------------------------------------
    // Relaxed on purpose: a position belongs to one producer because compare-exchange is atomic, and 64 bits
    // never come round. Nothing is published by it; what it may overwrite is A's affair.

    /// The reservation position as it was at some time; only `claim` finds out whether it still is.
    [[nodiscard]] static position claimed(const std::atomic<position>& reserved) noexcept {
        return reserved.load(std::memory_order_relaxed);
    }

    /// Takes [expected, desired) for the caller, or refreshes `expected`.
    [[nodiscard]] static bool claim(std::atomic<position>& reserved, position& expected,
                                    position desired) noexcept {
        return reserved.compare_exchange_strong(expected, desired, std::memory_order_relaxed,
                                                std::memory_order_relaxed);
    }

    // ---- accesses that order nothing -----------------------------------------------------------

    /// A word's only writer reads its own last value.
    template <class T>
    [[nodiscard]] static T own(const std::atomic<T>& word) noexcept {
        return word.load(std::memory_order_relaxed);
    }

    /// Anybody reads a value that may be out of date when it arrives.
    template <class T>
    [[nodiscard]] static T stat(const std::atomic<T>& word) noexcept {
        return word.load(std::memory_order_relaxed);
    }

    /// A counter with one writer: no read-modify-write.
    template <class T>
    static void count_own(std::atomic<T>& counter, T by) noexcept {
        counter.store(own(counter) + by, std::memory_order_relaxed);
    }

    /// A counter with many writers.
    template <class T>
    static void count_shared(std::atomic<T>& counter, T by) noexcept {
        counter.fetch_add(by, std::memory_order_relaxed);
    }

    /// The first value of an in-band word, before any other thread knows the ring: a plain store.
    static void init(std::uint64_t* word, std::uint64_t value) noexcept { std::construct_at(word, value); }

    // ---- proof of death ------------------------------------------------------------------------
    // A producer that other processes may have to clean up after says what it is about to claim before it does.

    /// The claim's release carries what was announced before it; load_head on the same word receives it.
    [[nodiscard]] static bool claim_announced(std::atomic<position>& reserved, position& expected,
                                              position desired) noexcept {
        return reserved.compare_exchange_strong(expected, desired, std::memory_order_release,
                                                std::memory_order_relaxed);
    }

    /// Says what this producer is at; the record before it, if any, is committed.
    static void announce(std::atomic<position>& word, position value) noexcept {
        word.store(value, std::memory_order_release);
    }

    /// What a producer was at; what it committed before it said so can be seen.
    [[nodiscard]] static position announced(const std::atomic<position>& word) noexcept {
        return word.load(std::memory_order_acquire);
    }

    /// A place among the producers is taken or given back.
    [[nodiscard]] static bool take_place(std::atomic<position>& owner, position expected,
                                         position desired) noexcept {
        return owner.compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                             std::memory_order_relaxed);
    }

    /// Moves an account with many writers on, or refreshes `expected`: what was counted belongs to one of them.
    [[nodiscard]] static bool account(std::atomic<position>& reported, position& expected,
                                      position desired) noexcept {
        return reported.compare_exchange_strong(expected, desired, std::memory_order_relaxed,
                                                std::memory_order_relaxed);
    }

    // ---- one thread and its signal handlers ----------------------------------------------------
    // They run on the same CPU one inside the other, so nothing has to be ordered for other CPUs; only the
    // compiler has to keep the order that a handler would see.

    /// A word that only this thread and its handlers know.
    template <class T>
    static void set_own(std::atomic<T>& word, T value) noexcept {
        word.store(value, std::memory_order_relaxed);
    }

    /// What is before it is before it for a handler too. Over-strong as far as the model checker can tell, which has
    /// the relaxed accesses of a thread and its handlers in program order; a compiler need not.
    static void interrupt_barrier() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

    /// Compare-exchange that a handler on the same thread can't divide, but another CPU could: on x86 the
    /// instruction without LOCK, elsewhere the machine's relaxed form.
    /// @return whether `word` was `expected` and is `desired` now; otherwise `expected` is refreshed
    [[nodiscard]] static bool local_cmpxchg(std::atomic<position>& word, position& expected,
                                            position desired) noexcept {
#if defined(__x86_64__) && !RINGPROOF_WATCHED
        static_assert(sizeof word == sizeof(position));
        bool done = false;
        asm volatile("cmpxchgq %3, %0"
                     : "+m"(*reinterpret_cast<position*>(&word)), "+a"(expected), "=@ccz"(done)
                     : "r"(desired)
                     : "memory");
        return done;
#else
        return word.compare_exchange_strong(expected, desired, std::memory_order_relaxed,
                                            std::memory_order_relaxed);
#endif
    }

    /// Adds what a handler on the same thread can't divide: on x86 the instruction without LOCK. @return the value before
    [[nodiscard]] static position local_add(std::atomic<position>& word, position by) noexcept {
#if defined(__x86_64__) && !RINGPROOF_WATCHED
        asm volatile("xaddq %1, %0" : "+m"(*reinterpret_cast<position*>(&word)), "+r"(by)::"memory", "cc");
        return by;
#else
        return word.fetch_add(by, std::memory_order_relaxed);
#endif
    }

    // ---- one CPU and the threads that come by --------------------------------------------------
    // The word belongs to a CPU. Whoever is there changes it by a restartable sequence (restartable.hpp), which starts
    // over when the thread was preempted, moved or interrupted within it: nobody can come in between.

    /// The CPU the thread was on just now.
    template <class Sequence>
    [[nodiscard]] static unsigned cpu() noexcept {
        return Sequence::cpu();
    }

    /// `claim` without LOCK, on that CPU only. It orders nothing either. `expected` is refreshed when it has changed.
    template <class Sequence>
    [[nodiscard]] static local_change claim_on(unsigned cpu, std::atomic<position>& reserved,
                                               position& expected, position desired) noexcept {
#if RINGPROOF_WATCHED
        if (Sequence::cpu() != cpu) return local_change::elsewhere;
        return claim(reserved, expected, desired) ? local_change::done : local_change::changed;
#else
        static_assert(sizeof reserved == sizeof(position));
        const local_change answer =
            Sequence::compare_and_store(cpu, reinterpret_cast<position&>(reserved), expected, desired);
        if (answer == local_change::changed) expected = claimed(reserved);
        return answer;
#endif
    }

    // ---- overwriting writer and snapshot -------------------------------------------------------

    /// I. The writer is about to overwrite what `value` implies.
    static void intend(std::atomic<position>& intent, position value) noexcept {
        intent.store(value, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
    }

    /// I after a local_add or a claim_over that stored the intent.
    static void intended() noexcept { std::atomic_thread_fence(std::memory_order_release); }

    /// J. How far the writer had got with overwriting when the last word was copied.
    [[nodiscard]] static position load_intent(const std::atomic<position>& intent) noexcept {
        std::atomic_thread_fence(std::memory_order_acquire);
        return intent.load(std::memory_order_relaxed);
    }

    // ---- many overwriting writers --------------------------------------------------------------

    /// K. Where this writer is about to claim; or that it is at nothing, and what it has written is complete.
    static void mark(std::atomic<position>& place, position value) noexcept {
        place.store(value, std::memory_order_release);
    }

    /// L. Where a writer is; what it wrote before it said so can be seen, and be overwritten.
    [[nodiscard]] static position load_mark(const std::atomic<position>& place) noexcept {
        return place.load(std::memory_order_acquire);
    }

    /// M. `claim` that carries the mark before it, and brings what those who claimed before knew. It says, too, what
    /// is about to be overwritten: `intended` (I) follows.
    [[nodiscard]] static bool claim_over(std::atomic<position>& reserved, position& expected,
                                         position desired) noexcept {
        return reserved.compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                                std::memory_order_relaxed);
    }

    // ---- words of data -------------------------------------------------------------------------

    /// One word of data that somebody may be copying.
    static void put_word(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }

    /// One word of data that somebody may be overwriting.
    [[nodiscard]] static std::uint64_t get_word(std::uint64_t& word) noexcept {
        return std::atomic_ref(word).load(std::memory_order_relaxed);
    }

    /// Whole words of data that somebody may be copying; `from` is nobody else's. Where the machine's wide moves
    /// keep the order of plain ones (x86), by them; they are out of the language's sight, like local_cmpxchg. What
    /// a snapshot sees of a move that is cut in two does not matter: it drops all of it by I and J.
    static void put_words(std::uint64_t* to, const std::byte* from, std::size_t count) noexcept {
#if defined(__x86_64__) && !RINGPROOF_WATCHED
        copy_words(reinterpret_cast<std::byte*>(to), from, count);
#else
        for (std::size_t i = 0; i != count; ++i) {
            std::uint64_t word;
            std::memcpy(&word, from + 8 * i, 8);
            put_word(to[i], word);
        }
#endif
    }

    /// Whole words of data that somebody may be overwriting; `to` is nobody else's.
    static void get_words(std::uint64_t* to, std::uint64_t* from, std::size_t count) noexcept {
#if defined(__x86_64__) && !RINGPROOF_WATCHED
        copy_words(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from), count);
#else
        for (std::size_t i = 0; i != count; ++i) to[i] = get_word(from[i]);
#endif
    }

    // ---- wake-up -------------------------------------------------------------------------------

    /// After B: there is something to read. What the other side did before it changed the flag comes with it: an AUX
    /// source that stops takes tail along, and who restarts it head. @return the flag as it was
    static std::uint32_t raise(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        return flag.exchange(value, std::memory_order_acq_rel);
    }

    /// Before C: what is published from now on raises the flag again. Over-strong where `settle` follows, as in
    /// watermark.hpp; it pairs with `raise` where nothing does. @return the flag as it was
    static std::uint32_t lower(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        return flag.exchange(value, std::memory_order_acq_rel);
    }

    /// Between a store and a load of what the other side stores before it loads this: at least one of the two
    /// loads sees the other's store.
    static void settle() noexcept { std::atomic_thread_fence(std::memory_order_seq_cst); }

    /// A flag as somebody has raised it; what he did before comes with it, for an AUX source the tail that it was
    /// restarted for.
    [[nodiscard]] static std::uint32_t raised(const std::atomic<std::uint32_t>& flag) noexcept {
        return flag.load(std::memory_order_acquire);
    }

    /// Sleeps while the flag has this value. Over-strong where, as in watermark.hpp and session.hpp, the sleeper then
    /// looks at the flag (`raised`) or at head (C); who looks at neither has nothing else.
    static void sleep_while(const std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        flag.wait(value, std::memory_order_acquire);
    }

#if defined(__x86_64__) && !RINGPROOF_WATCHED
  private:
    /// From 2 words on the last piece may overlap the one before it: no loop over what is left.
    static void copy_words(std::byte* to, const std::byte* from, std::size_t count) noexcept {
        if (count >= 8) {
            const std::size_t last = 8 * (count - 8);
            for (std::size_t at = 0; at < last; at += 64) copy_line(to + at, from + at);
            copy_line(to + last, from + last);
        } else if (count >= 4) {
            copy_pair(to, from);
            copy_pair(to + 8 * (count - 4), from + 8 * (count - 4));
        } else if (count >= 2) {
            copy_two(to, from);
            copy_two(to + 8 * (count - 2), from + 8 * (count - 2));
        } else if (count == 1) {
            std::uint64_t word;
            asm volatile("movq (%2), %0\n\tmovq %0, (%1)" : "=&r"(word) : "r"(to), "r"(from) : "memory");
        }
    }
    static void copy_two(std::byte* to, const std::byte* from) noexcept {
        asm volatile("movups (%1), %%xmm0\n\tmovups %%xmm0, (%0)" ::"r"(to), "r"(from) : "xmm0", "memory");
    }
    static void copy_pair(std::byte* to, const std::byte* from) noexcept {
        asm volatile("movups (%1), %%xmm0\n\tmovups 16(%1), %%xmm1\n\t"
                     "movups %%xmm0, (%0)\n\tmovups %%xmm1, 16(%0)" ::"r"(to),
                     "r"(from)
                     : "xmm0", "xmm1", "memory");
    }
    static void copy_line(std::byte* to, const std::byte* from) noexcept {
        asm volatile("movups   (%1), %%xmm0\n\tmovups 16(%1), %%xmm1\n\t"
                     "movups 32(%1), %%xmm2\n\tmovups 48(%1), %%xmm3\n\t"
                     "movups %%xmm0,   (%0)\n\tmovups %%xmm1, 16(%0)\n\t"
                     "movups %%xmm2, 32(%0)\n\tmovups %%xmm3, 48(%0)" ::"r"(to),
                     "r"(from)
                     : "xmm0", "xmm1", "xmm2", "xmm3", "memory");
    }
#endif
};

/// The default policy, and what ISO C++ can express: each letter is an acquire load or a release store.
///
/// A ring calls `Barriers::load_tail(...)` and so on. A type that derives from this one and hides one
/// function is a ring with that letter changed; that is how the verification weakens them in turn.
struct acquire_release : without_letter {
    // ---- one shared position -------------------------------------------------------------------

    /// A. The producer asks how far the consumer has read.
    [[nodiscard]] static position load_tail(const std::atomic<position>& tail) noexcept {
        return tail.load(std::memory_order_acquire);
    }

    /// B. The producer hands over everything before `head`.
    static void publish_head(std::atomic<position>& head, position value) noexcept {
        head.store(value, std::memory_order_release);
    }

    /// C. The consumer asks how far it may read.
    [[nodiscard]] static position load_head(const std::atomic<position>& head) noexcept {
        return head.load(std::memory_order_acquire);
    }

    /// D. The consumer gives back everything before `tail`.
    static void release_tail(std::atomic<position>& tail, position value) noexcept {
        tail.store(value, std::memory_order_release);
    }

    // ---- in band: a word of the slot or record itself ------------------------------------------
    // These words lie in memory that is plain at other times of its life (a slot's first value, a payload of
    // the lap before), hence std::atomic_ref.

    /// A in band. A producer asks whether this slot has been vacated by the consumer.
    [[nodiscard]] static std::uint64_t load_vacancy(std::uint64_t& word) noexcept {
        return std::atomic_ref(word).load(std::memory_order_acquire);
    }

    /// B in band. A producer hands over this one slot or record.
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_ref(word).store(value, std::memory_order_release);
    }

    /// C in band. The consumer asks whether this slot or record has been committed.
    [[nodiscard]] static std::uint64_t load_commit(std::uint64_t& word) noexcept {
        return std::atomic_ref(word).load(std::memory_order_acquire);
    }

    /// D in band. The consumer gives this one slot back.
    static void vacate(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_ref(word).store(value, std::memory_order_release);
    }
};

/// The letters as fences beside plain atomic accesses: READ_ONCE and smp_rmb, smp_wmb and WRITE_ONCE, and
/// for D smp_mb and WRITE_ONCE, as perf's own tools have it where a release store is not cheaper.
struct fences : without_letter {
    [[nodiscard]] static position load_tail(const std::atomic<position>& tail) noexcept {
        return read_fenced(tail);
    }
    static void publish_head(std::atomic<position>& head, position value) noexcept {
        std::atomic_thread_fence(std::memory_order_release);
        head.store(value, std::memory_order_relaxed);
    }
    [[nodiscard]] static position load_head(const std::atomic<position>& head) noexcept {
        return read_fenced(head);
    }
    static void release_tail(std::atomic<position>& tail, position value) noexcept {
        // Over-strong: an acquire-release fence is enough; the kernel's documentation asks for smp_mb, and so does
        // this.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        tail.store(value, std::memory_order_relaxed);
    }

    [[nodiscard]] static std::uint64_t load_vacancy(std::uint64_t& word) noexcept {
        return read_fenced(std::atomic_ref(word));
    }
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        // Not a fence and a relaxed store: the word is plain memory again when the consumer zeroes it, so this
        // store itself must come before that, and a fence orders only what comes before the fence.
        std::atomic_ref(word).store(value, std::memory_order_release);
    }
    [[nodiscard]] static std::uint64_t load_commit(std::uint64_t& word) noexcept {
        return read_fenced(std::atomic_ref(word));
    }
    static void vacate(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_thread_fence(std::memory_order_seq_cst); // over-strong, as in release_tail
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }

  private:
    template <class Atomic>
    static std::uint64_t read_fenced(const Atomic& word) noexcept {
        const std::uint64_t value = word.load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        return value;
    }
};

/// A as the kernel has it: the load of tail, then a branch that depends on it, then the stores of the data.
/// Machines don't let a store be seen before the branch that leads to it is decided, and the compiler is held
/// by the signal fence. ISO C++ has no control dependencies: by its rules this is a data race, and a checker
/// of ISO C++ refutes it like A relaxed. For machines whose model orders it; on x86 it costs what A costs.
struct control_dependency : acquire_release {
    [[nodiscard]] static position load_tail(const std::atomic<position>& tail) noexcept {
        const position value = tail.load(std::memory_order_relaxed);
        interrupt_barrier();
        return value;
    }
    [[nodiscard]] static std::uint64_t load_vacancy(std::uint64_t& word) noexcept {
        const std::uint64_t value = std::atomic_ref(word).load(std::memory_order_relaxed);
        interrupt_barrier();
        return value;
    }
};

} // namespace ringproof
