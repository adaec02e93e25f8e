// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <thread>

#if __has_include(<iox/detail/spsc_fifo.hpp>) // its name since 2023
#include <iox/detail/spsc_fifo.hpp>
using fifo_of_one = iox::concurrent::SpscFifo<int, 1>;
#else
#include <iceoryx_hoofs/internal/concurrent/fifo.hpp>
using fifo_of_one = iox::concurrent::FiFo<int, 1>;

// Otherwise in a file that needs the whole library.
void iox::cxx::internal::Require(const bool condition, const char*, const int, const char*,
                                 const char*) noexcept {
    assert(condition);
}
#endif

int main() {
    fifo_of_one fifo;
    std::thread producer([&] { fifo.push(1), fifo.push(2); });
    if (const auto taken = fifo.pop()) assert(*taken == 1);
    producer.join();
}
