// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <bthread/parking_lot.h>
#include <thread>

bool bthread::FLAGS_parking_lot_no_signal_when_no_waiter = true;

int main() {
    bthread::ParkingLot lot;
    std::atomic<bool> work{false};
    std::thread worker([&] {
        for (;;) {
            const auto state = lot.get_state();
            if (work.load(std::memory_order_acquire)) return;
            lot.wait(state);
        }
    });
    work.store(true, std::memory_order_release);
    lot.signal(1);
    worker.join();
}
