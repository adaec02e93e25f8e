// SPDX-License-Identifier: Apache-2.0
// Loops that take a share of a lock, look, and give it back, until what they look for is there; and a semaphore for a lock.
#include "shared_polls.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <mutex>
#include <semaphore.h>
#include <shared_mutex>
#include <version>
#if __has_include(<semaphore>)
#include <semaphore>
#endif

namespace programs {
namespace {

using enum std::memory_order;

struct shared_flag {
    std::shared_mutex m;
    bool there = false;

    bool is_there() {
        const std::shared_lock lock(m);
        return there;
    }
    void poll() {
        while (!is_there()) {
        }
    }
    void put() {
        const std::unique_lock lock(m);
        there = true;
    }
};

struct gate {
    sem_t semaphore;
    bool there = false;

    explicit gate(unsigned width) { sem_init(&semaphore, 0, width); }
    bool is_there() {
        sem_wait(&semaphore);
        const bool seen = there;
        sem_post(&semaphore);
        return seen;
    }
    void poll() {
        while (!is_there()) {
        }
    }
    void put() {
        sem_wait(&semaphore);
        there = true;
        sem_post(&semaphore);
    }
};

} // namespace

void polls_with_a_read_lock() {
    shared_flag f;
    together([&] { f.poll(); }, [&] { f.put(); });
}
void polls_with_a_write_lock() {
    shared_flag f;
    together(
        [&] {
            for (bool seen = false; !seen;) {
                const std::unique_lock lock(f.m);
                seen = f.there;
            }
        },
        [&] { f.put(); });
}
void polls_with_a_tried_read_lock() {
    shared_flag f;
    together(
        [&] {
            for (bool seen = false; !seen;) {
                const std::shared_lock lock(f.m, std::try_to_lock);
                if (lock) seen = f.there;
            }
        },
        [&] { f.put(); });
}
void two_poll_with_read_locks() {
    shared_flag f;
    together([&] { f.poll(); }, [&] { f.poll(); }, [&] { f.put(); });
}
void three_poll_with_read_locks() {
    shared_flag f;
    together([&] { f.poll(); }, [&] { f.poll(); }, [&] { f.poll(); }, [&] { f.put(); });
}
void polls_with_a_read_lock_for_nothing() {
    shared_flag f;
    together([&] { f.poll(); }, [&] { f.poll(); }, [&] { f.is_there(); });
}
void polls_with_a_read_lock_that_is_kept() {
    shared_flag f;
    together([&] { f.poll(); },
             [&] {
                 f.m.lock_shared(); // and not given back
                 (void)f.there;
             },
             [&] { f.put(); });
}
void polls_with_a_read_lock_what_is_put_without() {
    shared_flag f;
    together([&] { f.poll(); }, [&] { f.there = true; });
}
void polls_with_a_read_lock_while_another_tries() {
    // Who tries before it puts can tell that the poll has a share.
    shared_flag f;
    bool was_free = true;
    together([&] { f.poll(); },
             [&] {
                 was_free = f.m.try_lock();
                 if (was_free) f.m.unlock();
                 f.put();
             });
    VERIFY_THAT(was_free);
}

void polls_with_a_semaphore() {
    gate g(1);
    together([&] { g.poll(); }, [&] { g.put(); });
}
void polls_with_a_tried_semaphore() {
    gate g(1);
    together(
        [&] {
            for (bool seen = false; !seen;) {
                if (sem_trywait(&g.semaphore) != 0) continue;
                seen = g.there;
                sem_post(&g.semaphore);
            }
        },
        [&] { g.put(); });
}
void two_poll_behind_a_wide_semaphore() {
    gate g(2);
    std::atomic<bool> there{false};
    const auto poll = [&] {
        for (bool seen = false; !seen;) {
            sem_wait(&g.semaphore);
            seen = there.load(relaxed);
            sem_post(&g.semaphore);
        }
    };
    together(poll, poll, [&] { there.store(true, relaxed); });
}
void polls_with_a_semaphore_for_nothing() {
    gate g(1);
    together([&] { g.poll(); }, [&] { g.is_there(); });
}
void polls_with_a_semaphore_that_is_kept() {
    gate g(1);
    together([&] { g.poll(); },
             [&] {
                 sem_wait(&g.semaphore);
                 g.there = true;
             });
}
void polls_with_a_semaphore_that_it_keeps() {
    // The second iteration finds none left.
    gate g(1);
    std::atomic<bool> there{false};
    together(
        [&] {
            for (bool seen = false; !seen;) {
                sem_wait(&g.semaphore);
                seen = there.load(relaxed);
            }
        },
        [&] { there.store(true, relaxed); });
}
void polls_with_a_semaphore_what_is_put_without() {
    gate g(2); // so that it is no lock
    together([&] { g.poll(); }, [&] { g.put(); });
}
void polls_with_a_semaphore_while_another_tries() {
    gate g(1);
    bool was_free = true;
    together([&] { g.poll(); },
             [&] {
                 was_free = sem_trywait(&g.semaphore) == 0;
                 if (was_free) sem_post(&g.semaphore);
                 g.put();
             });
    VERIFY_THAT(was_free);
}
void polls_with_a_semaphore_while_another_looks() {
    gate g(2);
    std::atomic<bool> there{false};
    int left = 2;
    together(
        [&] {
            for (bool seen = false; !seen;) {
                sem_wait(&g.semaphore);
                seen = there.load(relaxed);
                sem_post(&g.semaphore);
            }
        },
        [&] {
            sem_getvalue(&g.semaphore, &left);
            there.store(true, relaxed);
        });
    VERIFY_THAT(left == 2);
}
void lends_one_in_each_iteration() {
    // Each iteration lends one, which lets the other thread come through: it is not to be left out.
    gate g(0);
    std::atomic<bool> there{false};
    together(
        [&] {
            for (bool seen = false; !seen;) {
                sem_post(&g.semaphore);
                seen = there.load(relaxed);
                sem_wait(&g.semaphore);
            }
        },
        [&] {
            sem_wait(&g.semaphore);
            there.store(true, relaxed);
            sem_post(&g.semaphore);
        });
}

#if __has_include(<semaphore>)
void polls_with_a_binary_semaphore() {
    std::binary_semaphore s(1);
    bool there = false;
    together(
        [&] {
            for (bool seen = false; !seen;) {
                s.acquire();
                seen = there;
                s.release();
            }
        },
        [&] {
            s.acquire();
            there = true;
            s.release();
        });
}
void semaphore_in_a_loop_of_tries() {
    std::binary_semaphore s(1);
    bool there = false;
    together(
        [&] {
            for (bool seen = false; !seen;) {
                if (!s.try_acquire()) continue;
                seen = there;
                s.release();
            }
        },
        [&] {
            while (!s.try_acquire_for(std::chrono::milliseconds(1))) {
            }
            there = true;
            s.release();
        });
}
void semaphore_releases_several() {
    std::counting_semaphore<3> s(0);
    int data = 0;
    std::atomic<int> seen{0};
    const auto take = [&] {
        s.acquire();
        seen.fetch_add(data, relaxed);
    };
    together(take, take, [&] {
        data = 1;
        s.release(2);
    });
    VERIFY_THAT(seen.load() == 2 && !s.try_acquire());
}
void semaphore_try_fails_beside_another() {
    // There are two, but a try looks first, and fails when there are fewer behind its look.
    std::counting_semaphore<2> s(2);
    std::atomic<int> taken{0};
    const auto take = [&] { taken += s.try_acquire(); };
    together(take, take);
    VERIFY_THAT(taken == 2);
}
void semaphore_published_too_early() {
    std::binary_semaphore s(0);
    std::atomic<int> data{0};
    together(
        [&] {
            s.acquire();
            VERIFY_THAT(data.load(relaxed) == 1);
        },
        [&] {
            s.release();
            data.store(1, relaxed);
        });
}
#endif

} // namespace programs
