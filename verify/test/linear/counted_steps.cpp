// SPDX-License-Identifier: Apache-2.0
// Operations of a known number of steps, for progress_test.cpp: instrumented. Of each there is one that may take them, and
// one that may take one less.

#include <ringproof/verify/linearizable.hpp>

#include <atomic>
#include <mutex>
#include <thread>

#define COUNTED_WITH(name, most, n_threads, n_calls, ...)                                                    \
    LINEARIZABLE(name, .threads = n_threads, .calls = n_calls, .promise = wait_free, .steps = most) {        \
        object<shared>().op(                                                                                 \
            "call", +[](shared& s, int) { __VA_ARGS__; }, fresh());                                          \
    }
#define COUNTED(name, steps, n_threads, n_calls, ...)                                                        \
    COUNTED_WITH(name ", in all", steps, n_threads, n_calls, __VA_ARGS__)                                    \
    COUNTED_WITH(name ", in one less", steps - 1, n_threads, n_calls, __VA_ARGS__)

namespace {

struct shared {
    std::atomic<int> number{0}, other{0};
    std::mutex mutex;

    void add_until_it_works() {
        int seen = number.load();
        while (!number.compare_exchange_strong(seen, seen + 1)) {
        }
    }
    void add_or_leave_it() {
        int seen = number.load();
        number.compare_exchange_strong(seen, seen + 1);
    }
};

} // namespace

COUNTED("two loads", 2, 2, 2, static_cast<void>(s.number.load()); static_cast<void>(s.other.load()))
COUNTED("load and store", 2, 2, 2, s.number.store(s.other.load() + 1))
COUNTED("two read-modify-writes", 2, 2, 2, ++s.number; --s.other)
COUNTED("fence between stores", 3, 2, 1, s.number.store(1);
        std::atomic_thread_fence(std::memory_order_seq_cst); s.other.store(1))
COUNTED("one try", 2, 2, 2, s.add_or_leave_it())
// Once more for each call that the others may make meanwhile.
COUNTED("tries of two threads, one call", 3, 2, 1, s.add_until_it_works())
COUNTED("tries of two threads, two calls", 4, 2, 2, s.add_until_it_works())
COUNTED("tries of three threads, one call", 4, 3, 1, s.add_until_it_works())

COUNTED_WITH("a call that yields", 9, 2, 1, ++s.number; std::this_thread::yield())
COUNTED_WITH("a call without a bound", 0, 2, 1, ++s.number)
COUNTED_WITH("a call that waits for a lock", 9, 2, 1, s.mutex.lock(); ++s.number; s.mutex.unlock())
