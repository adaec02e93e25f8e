// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <iceoryx_hoofs/internal/concurrent/fifo.hpp>
#include <thread>

// Otherwise in a file that needs the whole library.
void iox::cxx::internal::Require(const bool condition, const char*, const int, const char*,
                                 const char*) noexcept {
    assert(condition);
}

int main() {
    iox::concurrent::FiFo<int, 1> fifo;
    std::thread producer([&] { fifo.push(1), fifo.push(2); });
    if (const auto taken = fifo.pop()) assert(*taken == 1);
    producer.join();
}
