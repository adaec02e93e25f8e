// SPDX-License-Identifier: Apache-2.0
// Operations on what belongs to their thread alone, for ../runtime/stops_test.cpp: instrumented.

#include <ringproof/verify/linearizable.hpp>

#include <atomic>
#include <mutex>

#define STOPPED(name, ...)                                                                                   \
    LINEARIZABLE(name, .calls = 1, .promise = lock_free) {                                                   \
        object<own>().op(                                                                                    \
            "call", +[](own& o, int i) { __VA_ARGS__; }, fresh());                                           \
    }

namespace {

struct own {
    std::atomic<int> number[4] = {};
    std::mutex mutex[4];
    int plain[4] = {};
};

} // namespace

STOPPED("load", static_cast<void>(o.number[i].load()))
STOPPED("store", o.number[i].store(0))
STOPPED("two stores", o.number[i].store(1); o.number[i].store(2))
STOPPED("fence", o.number[i].load(); std::atomic_thread_fence(std::memory_order_seq_cst))
STOPPED("exchange", static_cast<void>(o.number[i].exchange(1)))
STOPPED("exchange of the same", static_cast<void>(o.number[i].exchange(0)))
STOPPED("fetch_add", static_cast<void>(o.number[i].fetch_add(1)))
STOPPED("fetch_add of nothing", static_cast<void>(o.number[i].fetch_add(0)))
STOPPED("fetch_or", static_cast<void>(o.number[i].fetch_or(4)))
STOPPED("fetch_or of nothing", static_cast<void>(o.number[i].fetch_or(0)))
STOPPED("fetch_and of nothing", static_cast<void>(o.number[i].fetch_and(7)))
STOPPED("compare-exchange", int seen = 0; o.number[i].compare_exchange_strong(seen, 5))
STOPPED("compare-exchange that fails", int seen = 1; o.number[i].compare_exchange_strong(seen, 5))
STOPPED("lock and unlock", o.mutex[i].lock(); o.mutex[i].unlock())
STOPPED("try_lock", if (o.mutex[i].try_lock()) o.mutex[i].unlock())
STOPPED("plain write", o.plain[i] = 1)
