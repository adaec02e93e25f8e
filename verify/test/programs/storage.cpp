// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cerrno>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <string>

namespace programs {
namespace {

thread_local int mine = 7;
thread_local std::atomic<int> counted{1};
std::atomic<int> destroyed{0};

struct says_when_it_goes {
    int value = 3;
    ~says_when_it_goes() { destroyed.fetch_add(value); }
};
thread_local says_when_it_goes guard;

} // namespace

void thread_locals_are_apart() {
    const auto use = [] {
        VERIFY_THAT(mine == 7 && counted == 1);
        ++mine;
        sched_yield();
        counted.fetch_add(mine);
        VERIFY_THAT(mine == 8 && counted == 9);
    };
    together(use, use);
    VERIFY_THAT(mine == 7);
}

namespace {
std::atomic<int*> known{nullptr};

// After Mellor-Crummey and Scott; each thread waits on a node of its own.
struct waiting {
    std::atomic<bool> must_wait{false};
    std::atomic<waiting*> next{nullptr};
};
thread_local waiting node;
std::atomic<waiting*> last{nullptr};

template <std::memory_order Release>
void count_under_a_queue_lock() {
    last.store(nullptr);
    int count = 0;
    const auto work = [&] {
        node.must_wait.store(true, std::memory_order_relaxed);
        if (waiting* const before = last.exchange(&node, std::memory_order_acq_rel)) {
            before->next.store(&node, std::memory_order_release);
            while (node.must_wait.load(std::memory_order_acquire)) std::this_thread::yield();
        }
        ++count;
        waiting* self = &node;
        if (last.compare_exchange_strong(self, nullptr, std::memory_order_acq_rel)) return;
        waiting* after = nullptr;
        while (!(after = node.next.load(std::memory_order_acquire))) std::this_thread::yield();
        after->must_wait.store(false, Release);
    };
    together(work, work);
    VERIFY_THAT(count == 2);
}
} // namespace

void queue_lock_of_thread_locals() { count_under_a_queue_lock<std::memory_order_release>(); }
void queue_lock_of_thread_locals_relaxed() { count_under_a_queue_lock<std::memory_order_relaxed>(); }

void thread_local_handed_over() {
    known.store(nullptr);
    std::thread other([] {
        mine = 8;
        known.store(&mine);
        while (known.load()) std::this_thread::yield();
        VERIFY_THAT(mine == 9);
    });
    while (!known.load()) std::this_thread::yield();
    VERIFY_THAT(known.load() != &mine && *known.load() == 8 && mine == 7);
    *known.load() = 9;
    known.store(nullptr);
    other.join();
}

void thread_local_raced_for() {
    known.store(nullptr);
    std::atomic<bool> looked{false};
    together(
        [&] {
            known.store(&mine);
            mine = 8;
            while (!looked.load()) std::this_thread::yield(); // it must not end before
        },
        [&] {
            if (int* const others = known.load()) *others = 9;
            looked.store(true);
        });
}

void thread_local_outlived() {
    together([] { known.store(&mine); });
    *known.load() = 9;
}

void thread_locals_are_destroyed() {
    destroyed.store(0);
    const auto use = [] { guard.value = 5; };
    together(use, use);
    VERIFY_THAT(destroyed == 10);
}

namespace {
int& static_number() {
    static int number = [] { return 42; }();
    return number;
}
struct built {
    int value;
    explicit built(std::atomic<int>& count) : value(count.fetch_add(1) + 1) {}
};
} // namespace

void statics_are_initialised_once() {
    std::atomic<int> count{0};
    const auto use = [&] {
        static const built b(count);
        VERIFY_THAT(b.value == 1);
    };
    together(use, use, use);
    VERIFY_THAT(count == 1 && static_number() == 42);
}

void static_that_throws_is_tried_again() {
    std::atomic<int> count{0};
    const auto use = [&] {
        try {
            static const int number = [&] {
                if (count.fetch_add(1) == 0) throw std::runtime_error("first");
                return 42;
            }();
            VERIFY_THAT(number == 42);
        } catch (const std::runtime_error&) {
        }
    };
    together(use, use);
    VERIFY_THAT(count == 2);
}

void static_is_not_guarded_afterwards() {
    const auto use = [] { ++static_number(); };
    together(use, use);
}

void exceptions_in_several_threads() {
    std::atomic<int> turn{0};
    const auto use = [&](int me) {
        try {
            throw std::runtime_error(std::to_string(me));
        } catch (const std::runtime_error& outer) {
            turn.fetch_add(1);
            try {
                throw;
            } catch (const std::runtime_error& again) {
                turn.fetch_add(1);
                VERIFY_THAT(again.what() == std::to_string(me));
            }
            VERIFY_THAT(std::current_exception() != nullptr);
        }
        VERIFY_THAT(std::current_exception() == nullptr);
    };
    together([&] { use(1); }, [&] { use(2); });
    VERIFY_THAT(turn == 4);
}

void unhandled_exception() {
    together([] {}, [] { throw std::runtime_error("nobody catches this"); });
}

void errno_is_apart() {
    std::atomic<int> x{0};
    const auto use = [&](int value) {
        errno = value;
        x.fetch_add(1);
        VERIFY_THAT(errno == value);
    };
    together([&] { use(1); }, [&] { use(2); });
}

namespace {
std::atomic<int> gone{0};
}

void keys_hold_values() {
    gone.store(0);
    pthread_key_t key;
    VERIFY_THAT(pthread_key_create(&key, [](void*) { gone.fetch_add(1); }) == 0);
    int a = 0, b = 0;
    const auto use = [&](int* own) {
        VERIFY_THAT(pthread_getspecific(key) == nullptr);
        pthread_setspecific(key, own);
        sched_yield();
        VERIFY_THAT(pthread_getspecific(key) == own);
    };
    together([&] { use(&a); }, [&] { use(&b); });
    VERIFY_THAT(gone == 2 && pthread_getspecific(key) == nullptr);
    pthread_key_delete(key);
}

void shared_pointers_count() {
    auto p = std::make_shared<int>(1);
    const auto use = [p] {
        const std::shared_ptr<int> copy = p;
        VERIFY_THAT(*copy == 1);
    };
    p.reset();
    together(use, use);
}

void shared_pointer_itself_races() {
    std::shared_ptr<int> p = std::make_shared<int>(1);
    together([&] { const std::shared_ptr<int> copy = p; }, [&] { p.reset(); });
}

} // namespace programs
