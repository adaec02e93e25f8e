// SPDX-License-Identifier: Apache-2.0
// The core's record ring as it ships: room for two records, three are written, as the compiler makes it.
#include "weakened.hpp"

#include <cassert>
#include <cstdint>
#include <ringproof/record_ring.hpp>
#include <span>
#include <thread>

int main() {
    constexpr std::uint64_t records = 3;
    ringproof::record_ring<ringproof::single, weakened> ring{64};
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= records; ++i) {
            const std::uint64_t payload[3] = {i, i, i};
            while (!ring.try_write(std::as_bytes(std::span(payload)))) {
            }
        }
        ring.flush();
    });
    std::uint64_t got[records][3], count = 0;
    while (count < records)
        for (const auto record : ring.read()) record.copy_to(std::as_writable_bytes(std::span(got[count++])));
    producer.join();
    // Only now: a branch on what was read would order the store of the tail behind the reads, and D would be there.
    for (std::uint64_t i = 0; i < records; ++i)
        for (const std::uint64_t word : got[i]) assert(word == i + 1);
}
