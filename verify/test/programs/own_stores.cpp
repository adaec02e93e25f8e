// SPDX-License-Identifier: Apache-2.0
#include "own_stores.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace programs {

namespace {

using enum std::memory_order;

/// A thread's place in a queue of those who want the lock: that of Mellor-Crummey and Scott.
struct node {
    std::atomic<node*> next{nullptr};
    std::atomic<bool> waits{false};
};
std::atomic<node*> tail;
int count;

bool try_lock(node& own) {
    own.next.store(nullptr, relaxed);
    node* none = nullptr;
    return tail.compare_exchange_strong(none, &own, acq_rel, relaxed);
}
void lock(node& own) {
    own.next.store(nullptr, relaxed);
    own.waits.store(true, relaxed);
    node* const before = tail.exchange(&own, acq_rel);
    if (!before) return;
    before->next.store(&own, release);
    while (own.waits.load(acquire)) {
    }
}
void unlock(node& own) {
    node* next = own.next.load(acquire);
    node* self = &own;
    if (!next && tail.compare_exchange_strong(self, nullptr, release, relaxed)) return;
    while (!next) next = own.next.load(acquire);
    next->waits.store(false, release);
}

void counts_behind_tries() {
    node own;
    while (!try_lock(own)) {
    }
    ++count;
    unlock(own);
}

void begin() {
    tail = nullptr;
    count = 0;
}

std::atomic<int> cell, word, told;
int seen, left;

/// Keeps the compiler from removing stores that no other thread reads.
void use(std::atomic<int>& own) { __asm__ volatile("" : : "r"(&own) : "memory"); }

[[gnu::noinline]] void store(std::atomic<int>& to, int value) { to.store(value, release); }

/// One thread stores in `cell` until `word` is set; another one looks at it, writes there, and sets `word`.
template <class Loop, class Told>
void beside_one_who_overwrites(Loop loop, Told is_told) {
    cell = word = told = 0;
    seen = left = 0;
    together([loop] { loop(), left = cell.load(); },
             [is_told] {
                 if (is_told()) {
                     seen = cell.load();
                     cell.store(2);
                 }
                 word.store(1);
             });
    // It saw the first store, which came before its own; and a later one came behind that.
    VERIFY_THAT(!(seen == 1 && left == 1));
}

} // namespace

void tries_a_lock_with_a_node_of_its_own() {
    begin();
    together(counts_behind_tries, counts_behind_tries, counts_behind_tries);
    VERIFY_THAT(count == 3);
}

void tries_a_lock_with_two_words_of_its_node() {
    begin();
    const auto body = [] {
        node own;
        do {
            own.waits.store(true, relaxed);
        } while (!try_lock(own));
        ++count;
        unlock(own);
    };
    together(body, body, body);
    VERIFY_THAT(count == 3);
}

void tries_a_lock_beside_one_who_queues() {
    begin();
    together(counts_behind_tries, [] {
        node own;
        lock(own);
        ++count;
        unlock(own);
    });
    VERIFY_THAT(count == 2);
}

void tries_a_lock_once_before_it_loops() {
    word = 0;
    const auto body = [] {
        std::atomic<int> own{0};
        use(own);
        int none = 0;
        own.store(1, relaxed);
        while (!word.compare_exchange_strong(none, 1, acquire, relaxed)) {
            own.store(1, relaxed);
            none = 0;
        }
        word.store(0, release);
    };
    together(body, body);
}

void takes_a_lock_twice_with_one_node() {
    begin();
    const auto body = [] {
        node own;
        for (int n = 0; n < 2; ++n) {
            while (!try_lock(own)) {
            }
            ++count;
            unlock(own);
        }
    };
    together(body, body);
    VERIFY_THAT(count == 4);
}

void stores_by_a_function_that_others_use() {
    word = told = 0;
    const auto body = [] {
        std::atomic<int> own{0};
        int none = 0;
        told.load(relaxed);
        do {
            store(own, 1);
            none = 0;
        } while (!word.compare_exchange_strong(none, 1, acquire, relaxed));
        store(told, 1);
        word.store(0, release);
    };
    together(body, body);
}

void tries_a_lock_that_is_never_released() {
    begin();
    together(
        [] {
            static node own;
            while (!try_lock(own)) {
            }
        },
        counts_behind_tries);
}

void stores_what_another_overwrites() {
    beside_one_who_overwrites(
        [] {
            do {
                cell.store(1);
            } while (word.load() == 0);
        },
        [] { return true; });
}

void stores_what_another_overwrites_who_was_told_before() {
    beside_one_who_overwrites(
        [] {
            cell.store(1);
            told.store(1);
            while (word.load() == 0) cell.store(1);
        },
        [] { return told.load() == 1; });
}

void stores_what_another_looks_at() {
    cell = word = 0;
    seen = 0;
    together(
        [] {
            do {
                cell.store(1, release);
            } while (word.load(relaxed) == 0);
        },
        [] {
            seen = cell.load(acquire);
            word.store(1, relaxed);
        });
}

void stores_one_value_and_then_another() {
    word = 0;
    together(
        [] {
            std::atomic<int> own{0};
            use(own);
            do {
                own.store(1, relaxed);
                own.store(2, relaxed);
            } while (word.load(acquire) == 0);
        },
        [] { word.store(1, release); });
}

} // namespace programs
