// SPDX-License-Identifier: Apache-2.0
// Attempts that add to a location, fail, and take back what they added, as Linux's reader-writer lock does.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace programs {

int seen_by[3];

namespace {

using enum std::memory_order;

constexpr int bias = 100;

struct lock_by_counting {
    std::atomic<int> free{bias};

    /// @return what was there before
    int take(int some, int enough, std::memory_order order = acquire) {
        int before = free.fetch_add(-some, order);
        while (before < enough) {
            free.fetch_add(some, relaxed);
            while (free.load(relaxed) < enough)
                ;
            before = free.fetch_add(-some, order);
        }
        return before;
    }
    bool try_take(int some, int enough) {
        if (free.fetch_add(-some, acquire) >= enough) return true;
        free.fetch_add(some, relaxed);
        return false;
    }
    void give(int some) { free.fetch_add(some, release); }
};

/// A reader that says what it has seen of the data, and a writer.
void read_and_write(std::memory_order order) {
    lock_by_counting lock;
    int data = 0;
    together(
        [&] {
            lock.take(1, 1, order);
            seen_by[0] = data;
            lock.give(1);
        },
        [&] {
            lock.take(bias, bias, order);
            data = 1;
            lock.give(bias);
        });
    VERIFY_THAT(lock.free.load() == bias);
}

} // namespace

void takes_back_reader_and_writer() { read_and_write(acquire); }
void takes_back_without_acquire() { read_and_write(relaxed); }

void takes_back_two_readers() {
    lock_by_counting lock;
    int data = 0;
    const auto reader = [&](int i) {
        lock.take(1, 1);
        seen_by[i] = data;
        lock.give(1);
    };
    together([&] { reader(0); }, [&] { reader(1); },
             [&] {
                 lock.take(bias, bias);
                 data = 1;
                 lock.give(bias);
             });
}

void takes_back_for_ever() {
    lock_by_counting lock;
    together([&] { lock.take(1, 1); }, [&] { lock.take(bias, bias); });
}

/// One who tries only once, and fails where another's attempt is under way.
void takes_back_beside_one_who_tries() {
    lock_by_counting lock;
    together(
        [&] {
            lock.take(1, 1);
            lock.give(1);
        },
        [&] {
            seen_by[1] = lock.try_take(bias, bias);
            if (seen_by[1]) lock.give(bias);
            seen_by[2] = lock.try_take(bias, bias);
            if (seen_by[2]) lock.give(bias);
        });
}

/// The lock's value is looked at.
void takes_back_watched() {
    lock_by_counting lock;
    together(
        [&] {
            lock.take(1, 1);
            lock.give(1);
        },
        [&] {
            lock.take(bias, bias);
            lock.give(bias);
        },
        [&] { seen_by[2] = lock.free.load(relaxed); });
}

/// Who succeeds keeps what was there before.
void takes_back_and_remembers() {
    lock_by_counting lock;
    together(
        [&] {
            seen_by[0] = lock.take(1, 1);
            lock.give(1);
        },
        [&] {
            seen_by[1] = lock.take(1, 1);
            lock.give(1);
        },
        [&] {
            lock.take(bias, bias);
            lock.give(bias);
        });
}

/// Who fails looks at something that another thread writes.
void takes_back_and_looks() {
    lock_by_counting lock;
    seen_by[2] = 0;
    together(
        [&] {
            while (lock.free.fetch_add(-1, acquire) < 1) {
                if (seen_by[2] == 2) return;
                lock.free.fetch_add(1, relaxed);
                while (lock.free.load(relaxed) < 1)
                    ;
            }
            lock.give(1);
        },
        [&] {
            lock.take(bias, bias);
            lock.give(bias);
        },
        [] { seen_by[2] = 1; });
}

/// Who fails counts it, and gives up the second time.
void takes_back_and_counts() {
    lock_by_counting lock;
    together(
        [&] {
            int rounds = 0;
            asm volatile("" ::"r"(&rounds) : "memory"); // so that it stays on the stack
            while (true) {
                if (lock.free.fetch_add(-1, acquire) >= 1) break;
                lock.free.fetch_add(1, relaxed);
                if (++rounds == 2) {
                    seen_by[0] = 1;
                    return;
                }
                while (lock.free.load(relaxed) < 1)
                    ;
            }
            lock.give(1);
        },
        [&] {
            for (int i = 0; i < 2; ++i) {
                lock.take(bias, bias);
                lock.give(bias);
            }
        });
}

/// Who succeeds tells what was there before once it has given all back.
void takes_back_and_tells_later() {
    lock_by_counting lock;
    const auto reader = [&](int i) {
        const int before = lock.take(1, 1);
        lock.give(1);
        seen_by[i] = before;
    };
    together([&] { reader(0); }, [&] { reader(1); },
             [&] {
                 lock.take(bias, bias);
                 lock.give(bias);
             });
}

/// A store in between does away with what was added.
void takes_back_beside_a_store() {
    lock_by_counting lock;
    together(
        [&] {
            lock.take(1, 1);
            seen_by[0] = lock.free.load(relaxed);
            lock.give(1);
        },
        [&] {
            lock.take(bias, bias);
            lock.free.store(bias, release);
        });
    seen_by[1] = lock.free.load();
}

/// No wait between the attempts, and one gives up after a few rounds, which it counts: each is a round of its own.
void takes_back_and_gives_up() {
    std::atomic<int> free{1};
    together(
        [&] {
            int rounds = 0;
            while (free.fetch_sub(1, acquire) <= 0) {
                free.fetch_add(1, relaxed);
                if (++rounds == 2) {
                    seen_by[0] = 1;
                    return;
                }
            }
            free.fetch_add(1, release);
        },
        [&] {
            if (free.fetch_sub(1, acquire) == 1) seen_by[1] = 1;
            free.fetch_add(1, release);
        });
}

/// Between its attempts a thread looks at another location, which tells it that something is wrong.
void takes_back_and_is_told() {
    std::atomic<int> free{1}, word{0};
    together([&] { seen_by[0] = free.fetch_sub(1, relaxed); }, [&] { word.store(7, relaxed); },
             [&] {
                 for (;;) {
                     if (free.fetch_sub(1, acquire) == 1) return;
                     free.fetch_add(1, relaxed);
                     VERIFY_THAT(word.load(relaxed) != 7);
                 }
             });
}

/// An attempt that meets two others takes back less than it added.
void takes_back_too_little() {
    std::atomic<int> free{0};
    const auto add = [&] { free.fetch_add(1, relaxed); };
    together(add, add, [&] {
        for (;;) {
            const int seen = free.fetch_add(8, acquire);
            if (seen == 0 || seen > 2) {
                seen_by[0] = seen;
                return;
            }
            if (seen == 1)
                free.fetch_sub(8, relaxed);
            else
                for (int i = 0; i < 4; ++i) free.fetch_sub(1, relaxed);
            while (free.load(relaxed) == 1) {
            }
        }
    });
}

} // namespace programs
