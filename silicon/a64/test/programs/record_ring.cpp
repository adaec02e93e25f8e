// SPDX-License-Identifier: Apache-2.0
// The core's record ring as it ships: room for two records, three are written, as the compiler makes it.
#include "weakened.hpp"

#include <cassert>
#include <cstdint>
#include <ringproof/record_ring.hpp>
#include <span>
#include <thread>
#ifndef PRODUCER
#define PRODUCER single
#endif
#ifndef FULL
#define FULL refuse
#endif

int main() {
    constexpr std::uint64_t records = 3;
    ringproof::record_ring<ringproof::PRODUCER, weakened, ringproof::FULL> ring{64};
    const auto write = [&](std::uint64_t i) {
        const std::uint64_t payload[3] = {i, i, i};
        while (!ring.try_write(std::as_bytes(std::span(payload)))) {
        }
    };
#ifdef TWO_PRODUCERS
    std::thread producer([&] { write(1), write(2); }), other([&] { write(3); });
#else
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= records; ++i) write(i);
#ifndef NO_FLUSH
        ring.flush();
#endif
    });
#endif
    std::uint64_t got[records][3], count = 0;
    while (count < records)
        for (const auto record : ring.read()) record.copy_to(std::as_writable_bytes(std::span(got[count++])));
    producer.join();
    // Only now: a branch on what was read would order the store of the tail behind the reads, and D would be there.
#ifdef TWO_PRODUCERS
    other.join();
    std::uint64_t sum = 0;
    for (const auto& record : got) {
        for (const std::uint64_t word : record) assert(word == record[0]);
        sum += record[0];
    }
    assert(sum == 1 + 2 + 3);
#else
    for (std::uint64_t i = 0; i < records; ++i)
        for (const std::uint64_t word : got[i]) assert(word == i + 1);
#endif
}
