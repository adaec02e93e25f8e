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
//  | A      | the data may be written before the check: the consumer, still in  | ring-LB+po                 |
//  |        | the old record, reads parts of the next lap's                     |                            |
//  | B      | head may be seen before the data: a stale or half a record        | ring-MP                    |
//  | C      | the data may be loaded before head: a stale or half a record      | ring-MP                    |
//  | D      | tail may be seen while the data is still being loaded: the        | ring-LB+ctrl               |
//  |        | producer overwrites a record under the consumer's eyes            |                            |
//
// x86 orders all of it by itself, so there the letters only bind the compiler; ISO C++ and weaker machines
// need each of them. `shared` rings use A and D of the first column and B and C of the second.
//
// There is no E here. E is the wait of an in-order commit for its predecessor; a commit in band waits for
// nobody, so the letter would have nothing to order.
#include <atomic>
#include <cstdint>
#include <memory> // std::construct_at

namespace ringproof {

/// The default policy, and what ISO C++ can express: each letter is an acquire load or a release store.
///
/// A ring calls `Barriers::load_tail(...)` and so on. A type that derives from this one and hides one
/// function is a ring with that letter changed; that is how the verification weakens them in turn.
struct acquire_release {
    using position = std::uint64_t;

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
};

} // namespace ringproof
