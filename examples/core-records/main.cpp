// SPDX-License-Identifier: Apache-2.0
// A log: several threads write lines of any length into one ring, the main thread reads them in place.
// A line that finds the ring full is lost, and counted.
#include <array>
#include <cstdio>
#include <ringproof/record_ring.hpp>
#include <thread>
#include <vector>

int main() {
    constexpr int writers = 3, lines = 20'000;
    ringproof::record_ring<ringproof::shared> ring(16 * 1024);

    std::atomic<int> writing{writers};
    std::vector<std::thread> threads;
    for (int writer = 0; writer != writers; ++writer)
        threads.emplace_back([&, writer] {
            std::array<char, 64> line;
            for (int i = 0; i != lines; ++i) {
                const int length = std::snprintf(line.data(), line.size(), "writer %d: line %d", writer, i);
                ring.write(std::as_bytes(std::span(line).first(static_cast<std::size_t>(length))));
            }
            writing.fetch_sub(1);
        });

    std::uint64_t received = 0, bytes = 0;
    for (bool last = false; !last;) {
        last = writing.load() == 0;
        for (auto record : ring.read()) {
            ++received;
            bytes += record.size();
        }
    }
    for (auto& thread : threads) thread.join();

    std::printf("%llu lines (%llu bytes) received, %llu lost, of %d\n",
                static_cast<unsigned long long>(received), static_cast<unsigned long long>(bytes),
                static_cast<unsigned long long>(ring.lost()), writers * lines);
    return received + ring.lost() == writers * lines ? 0 : 1;
}
