// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <boost/log/detail/event.hpp>
#include <thread>

int main() {
    boost::log::aux::event event;
    std::atomic<bool> flush{false};
    event.set_signalled(); // for a record
    std::thread feeder([&] {
        do event.wait();
        while (!flush.load(std::memory_order_acquire));
    });
    flush.store(true, std::memory_order_release);
    event.set_signalled();
    feeder.join();
}
