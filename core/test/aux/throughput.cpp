// SPDX-License-Identifier: Apache-2.0
// What an AUX area costs its source, in either mode, against a memcpy into memory of the same size: `core_aux_throughput
// [MiB]`. One thread, its own CPU time, the three in turn, the best of some rounds; the consumer's part (giving back) is
// in it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <span>
#include <vector>

#include "ringproof/aux/aux_area.hpp"
#include "ringproof/aux/aux_window.hpp"

using namespace ringproof;

namespace {

constexpr std::size_t area_size = std::size_t{1} << 20U;

double seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// GB/s of `total` bytes in pieces.
double measure(std::size_t total, std::size_t piece, const std::function<void()>& one) {
    const double begin = seconds();
    for (std::size_t done = 0; done < total; done += piece) one();
    return static_cast<double>(total) / (seconds() - begin) * 1e-9;
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t total = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 64) << 20U;
    if (total == 0) return std::fprintf(stderr, "usage: core_aux_throughput [MiB]\n"), 2;
    std::printf("%8s %14s %22s %22s\n", "piece", "memcpy GB/s", "normal GB/s", "snapshot GB/s");
    for (const std::size_t piece :
         {std::size_t{64}, std::size_t{256}, std::size_t{4096}, std::size_t{65536}}) {
        const std::vector<std::byte> from(piece, std::byte{1});
        std::vector<std::byte> to(area_size);
        record_ring<> ring(1U << 16U);
        aux_area<record_ring<>> normal(ring, area_size);
        aux_window<record_ring<>> window(ring, area_size);
        std::size_t at = 0;
        std::uint64_t written = 0;
        const auto empty_ring = [&] { ring.consume([](const record&) {}); };
        std::array<double, 3> best{};
        for (int round = 0; round != 5; ++round) {
            best[0] = std::max(best[0], measure(total, piece, [&] {
                                   std::memcpy(to.data() + at, from.data(), piece);
                                   at = (at + piece) & (area_size - 1);
                               }));
            best[1] = std::max(best[1], measure(total, piece, [&] {
                                   if (auto room = normal.begin(); room && room.room() >= piece)
                                       room.append(from), written += room.commit();
                                   else {
                                       room.commit();
                                       empty_ring();
                                       normal.read().give_back(area_size);
                                       auto again = normal.begin();
                                       again.append(from), written += again.commit();
                                   }
                               }));
            best[2] = std::max(best[2], measure(total, piece, [&] {
                                   auto room = window.begin();
                                   room.append(from), written += room.commit();
                                   if (ring.size_guess() > ring.capacity() / 2) empty_ring();
                               }));
        }
        if (written < total) return std::printf("not all was written\n"), 1;
        std::printf("%8zu %14.1f %14.1f (%4.2f) %14.1f (%4.2f)\n", piece, best[0], best[1], best[0] / best[1],
                    best[2], best[0] / best[2]);
    }
}
