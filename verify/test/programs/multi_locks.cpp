// SPDX-License-Identifier: Apache-2.0
// Threads that take several mutexes at once, by std::lock and std::scoped_lock.

#include "programs.hpp"

#include <ringproof/verify/interrupt.hpp>
#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;
namespace verify = ringproof::verify;

/// Mutexes, and what is behind each.
struct table {
    std::mutex forks[3];
    int meals[3] = {};
    void eat(int i) {
        const int next = (i + 1) % 3;
        const std::scoped_lock both(forks[i], forks[next]);
        ++meals[i], ++meals[next];
    }
};

} // namespace

void multi_three_in_a_ring() {
    table t;
    std::thread a([&] { t.eat(0); }), b([&] { t.eat(1); });
    t.eat(2);
    a.join();
    b.join();
    for (const int meals : t.meals) VERIFY_THAT(meals == 2);
}

void multi_three_of_three() {
    table t;
    int order = 0;
    const auto all = [&](int first, int digit) {
        std::unique_lock a(t.forks[first], std::defer_lock), b(t.forks[(first + 1) % 3], std::defer_lock),
            c(t.forks[(first + 2) % 3], std::defer_lock);
        std::lock(a, b, c);
        VERIFY_THAT(a.owns_lock() && b.owns_lock() && c.owns_lock());
        order = 10 * order + digit;
    };
    std::thread a([&] { all(0, 1); }), b([&] { all(1, 2); });
    all(2, 3);
    a.join();
    b.join();
    for (const auto& [one, name] :
         {std::pair{123, "123"}, {132, "132"}, {213, "213"}, {231, "231"}, {312, "312"}, {321, "321"}})
        if (order == one) verify::cover(name);
}

void multi_against_one_by_one() {
    table t;
    std::thread a([&] { t.eat(0); });
    {
        const std::lock_guard second(t.forks[1]);
        const std::lock_guard first(t.forks[0]);
        ++t.meals[0];
    }
    a.join();
    VERIFY_THAT(t.meals[0] == 2);
}

void multi_while_one_by_one_deadlocks() {
    table t;
    std::thread a([&] { t.eat(0); });
    std::thread b([&] {
        const std::lock_guard first(t.forks[1]);
        const std::lock_guard second(t.forks[2]);
    });
    {
        const std::lock_guard first(t.forks[2]);
        const std::lock_guard second(t.forks[1]);
    }
    a.join();
    b.join();
}

void multi_one_is_never_given_back() {
    table t;
    std::thread a([&] { t.eat(0); });
    t.forks[1].lock();
    a.join();
}

void multi_two_wait_for_what_is_never_given_back() {
    table t;
    const auto take = [&](int other) { const std::scoped_lock both(t.forks[0], t.forks[other]); };
    t.forks[1].lock();
    t.forks[2].lock();
    std::thread a(take, 1), b(take, 2);
    a.join();
    b.join();
}

void multi_of_freed_memory() {
    static std::mutex fixed;
    auto* node = new std::mutex;
    std::thread t([&, old = node] { const std::scoped_lock both(*old, fixed); });
    fixed.lock();
    delete node;
    node = new std::mutex;
    fixed.unlock();
    t.join();
    delete node;
}

void multi_destroyed_and_made_again() {
    table t;
    std::atomic<bool> begins{false};
    std::thread a([&] {
        begins.store(true, release);
        const std::scoped_lock both(t.forks[1], t.forks[0]);
    });
    while (!begins.load(acquire))
        ;
    t.forks[0].lock();
    pthread_mutex_t* const other = t.forks[1].native_handle();
    pthread_mutex_destroy(other);
    pthread_mutex_init(other, nullptr);
    t.forks[0].unlock();
    a.join();
}

void multi_with_another_one_held() {
    table t;
    std::thread a([&] {
        const std::lock_guard third(t.forks[2]);
        t.eat(0);
    });
    {
        const std::lock_guard second(t.forks[1]);
        const std::lock_guard third(t.forks[2]);
    }
    a.join();
}

void multi_with_one_of_them_held() {
    table t;
    t.forks[1].lock();
    t.eat(0);
}

void multi_of_a_destroyed_one() {
    table t;
    pthread_mutex_destroy(t.forks[1].native_handle());
    t.eat(0);
}

void multi_holder_of_one_waits_for_who_wants_both() {
    table t;
    std::atomic<bool> eaten{false};
    std::thread a([&] {
        t.eat(0);
        eaten.store(true, release);
    });
    std::thread b([&] { const std::lock_guard first(t.forks[0]); });
    {
        const std::lock_guard second(t.forks[1]);
        while (!eaten.load(acquire))
            ;
    }
    a.join();
    b.join();
}

namespace {

void a_try_fails_for_an_attempt(bool beside_a_handler) {
    table t;
    std::thread a([&] { t.eat(0); });
    bool came_first = false;
    {
        std::optional<verify::interrupt<void (*)()>> handler;
        if (beside_a_handler) handler.emplace([] {});
        const std::lock_guard second(t.forks[1]);
        const bool failed = !t.forks[0].try_lock();
        if (failed) t.forks[0].lock(); // which the attempt has given back
        came_first = failed && t.meals[0] == 0;
        t.forks[0].unlock();
    }
    a.join();
    VERIFY_THAT(!came_first);
}

} // namespace

void multi_a_try_fails_for_an_attempt() { a_try_fails_for_an_attempt(false); }
void multi_a_try_beside_a_handler_fails_for_an_attempt() { a_try_fails_for_an_attempt(true); }

void multi_twice_the_same() {
    std::mutex one;
    std::lock(one, one);
}

void multi_of_what_is_not_free() {
    std::mutex a, b;
    std::unique_lock has(a), free(b, std::defer_lock);
    std::unique_lock<std::mutex> none;
    for (auto* const other : {&has, &none}) {
        bool thrown = false;
        try {
            std::lock(free, *other);
        } catch (const std::system_error&) {
            thrown = true;
        }
        VERIFY_THAT(thrown);
        VERIFY_THAT(!free.owns_lock());
    }
}

void multi_with_a_recursive_one() {
    std::mutex a;
    std::recursive_mutex b;
    int count = 0;
    const auto take = [&] {
        const std::scoped_lock both(a, b);
        ++count;
    };
    std::thread t(take);
    take();
    t.join();
    VERIFY_THAT(count == 2);
}

void multi_alike() {
    static table t;
    t.meals[0] = t.meals[1] = 0;
    const auto eat = [] { t.eat(0); };
    std::thread a(eat), b(eat), c(eat);
    a.join();
    b.join();
    c.join();
    VERIFY_THAT(t.meals[0] == 3);
}

} // namespace programs
