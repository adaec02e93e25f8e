// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdlib>
#include <oneapi/tbb/detail/_exception.h>
#include <oneapi/tbb/detail/_utils.h>
#include <oneapi/tbb/detail/_waitable_atomic.h>
#include <thread>

using namespace tbb::detail;

// Otherwise in a file that needs the whole library.
void r1::throw_exception(d0::exception_id) { std::abort(); }

int main() {
    std::atomic<bool> free{false}; // as the flag of tbb::mutex
    std::thread waiter([&] {
        auto is_free = [&] { return free.load(std::memory_order_relaxed); };
        d1::delegated_function<decltype(is_free)> condition(is_free);
        r1::wait_on_address(&free, condition, 0);
    });
    free.exchange(true);
    r1::notify_by_address_all(&free);
    waiter.join();
}
