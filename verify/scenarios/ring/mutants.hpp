// SPDX-License-Identifier: Apache-2.0
#pragma once
// Mutants of the barrier policy: each relaxes one letter of the A–D table, and nothing else, in
// both of its forms (a shared position, a word in band). A ring built on one must be refuted.

#include <ringproof/barriers.hpp>
#include <ringproof/verify/verify.hpp>

namespace ringproof::scenarios {

/// The policy that ships, telling the checker where producers met.
struct watched : acquire_release {
    static bool claim(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        const bool won = acquire_release::claim(reserved, expected, desired);
        if (!won) verify::cover("contention");
        return won;
    }
};

/// A relaxed: nothing keeps the producer's writes behind the check that the consumer is done.
struct without_a : watched {
    static position load_tail(const std::atomic<position>& tail) noexcept {
        return tail.load(std::memory_order_relaxed);
    }
    static std::uint64_t load_vacancy(std::uint64_t& word) noexcept {
        return std::atomic_ref(word).load(std::memory_order_relaxed);
    }
};

/// B relaxed: the consumer may see the position, or the word, before the data.
struct without_b : watched {
    static void publish_head(std::atomic<position>& head, position value) noexcept {
        head.store(value, std::memory_order_relaxed);
    }
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }
};

/// C relaxed: the consumer may read the data before the position, or the word, that allows it.
struct without_c : watched {
    static position load_head(const std::atomic<position>& head) noexcept {
        return head.load(std::memory_order_relaxed);
    }
    static std::uint64_t load_commit(std::uint64_t& word) noexcept {
        return std::atomic_ref(word).load(std::memory_order_relaxed);
    }
};

/// D relaxed: the producer may be told that a slot is free while it is still being read.
struct without_d : watched {
    static void release_tail(std::atomic<position>& tail, position value) noexcept {
        tail.store(value, std::memory_order_relaxed);
    }
    static void vacate(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }
};

/// The letters of `fences`, one fence taken out.
struct fences_without_a : fences {
    static position load_tail(const std::atomic<position>& tail) noexcept { return stat(tail); }
    static std::uint64_t load_vacancy(std::uint64_t& word) noexcept { return get_word(word); }
};
struct fences_without_b : fences {
    static void publish_head(std::atomic<position>& head, position value) noexcept { set_own(head, value); }
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept { put_word(word, value); }
};
struct fences_without_c : fences {
    static position load_head(const std::atomic<position>& head) noexcept { return stat(head); }
    static std::uint64_t load_commit(std::uint64_t& word) noexcept { return get_word(word); }
};
struct fences_without_d : fences {
    static void release_tail(std::atomic<position>& tail, position value) noexcept { set_own(tail, value); }
    static void vacate(std::uint64_t& word, std::uint64_t value) noexcept { put_word(word, value); }
};

} // namespace ringproof::scenarios

/// Applies `mutant` to what follows and each policy that relaxes one letter, with that letter.
#define RINGPROOF_EACH_MUTANT(mutant, ...)                                                                   \
    mutant(__VA_ARGS__, without_a, 'A') mutant(__VA_ARGS__, without_b, 'B')                                  \
        mutant(__VA_ARGS__, without_c, 'C') mutant(__VA_ARGS__, without_d, 'D')                              \
            mutant(__VA_ARGS__, fences_without_a, 'A') mutant(__VA_ARGS__, fences_without_b, 'B')            \
                mutant(__VA_ARGS__, fences_without_c, 'C') mutant(__VA_ARGS__, fences_without_d, 'D')

/// Defines the scenario `name` for the policy that ships, verified under rc11, sc and tso with the coverage
/// given, and its four mutants, each refuted under rc11. `body` is a template over the policy.
#define RINGPROOF_RING_SCENARIO(name, body, ...)                                                             \
    VERIFY(name, .models = {rc11, sc, tso}, .covers = {__VA_ARGS__}) {                                       \
        body<::ringproof::scenarios::watched>();                                                             \
    }                                                                                                        \
    VERIFY(name ", A relaxed", .expect = refuted, .mutant = 'A') {                                           \
        body<::ringproof::scenarios::without_a>();                                                           \
    }                                                                                                        \
    VERIFY(name ", B relaxed", .expect = refuted, .mutant = 'B') {                                           \
        body<::ringproof::scenarios::without_b>();                                                           \
    }                                                                                                        \
    VERIFY(name ", C relaxed", .expect = refuted, .mutant = 'C') {                                           \
        body<::ringproof::scenarios::without_c>();                                                           \
    }                                                                                                        \
    VERIFY(name ", D relaxed", .expect = refuted, .mutant = 'D') {                                           \
        body<::ringproof::scenarios::without_d>();                                                           \
    }
