// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdlib>
#include <folly/synchronization/ParkingLot.h>
#include <thread>

// Otherwise in a file that needs the whole library.
template <>
void folly::detail::safe_assert_terminate<false>(folly::detail::safe_assert_arg const*, ...) noexcept {
    std::abort();
}

int main() {
    folly::ParkingLot<> lot;
    std::atomic<int> done{0}; // of the caller, who may use any order
    std::thread waiter([&] {
        lot.park(
            &done, folly::unit, [&] { return done.load(std::memory_order_relaxed) == 0; }, [] {});
    });
    done.store(1, std::memory_order_relaxed);
    lot.unpark(&done, [](folly::Unit) { return folly::UnparkControl::RemoveBreak; });
    waiter.join();
}
