// SPDX-License-Identifier: Apache-2.0
#include "ticks.hpp"

#include <fstream>
#include <string>

namespace ringproof::bench {

bool detail::counter_is_a_clock() {
#ifdef __x86_64__
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("flags"))
            return line.find(" constant_tsc") != std::string::npos &&
                   line.find(" nonstop_tsc") != std::string::npos;
#endif
    return false;
}

const tick_clock& tick_clock::get() {
    static const tick_clock clock = [] {
        tick_clock c;
        if (!c.counter) return c;
        const std::uint64_t begin_ns = detail::monotonic_ns(), begin = c.now();
        std::uint64_t end_ns = begin_ns;
        while (end_ns - begin_ns < 5'000'000) end_ns = detail::monotonic_ns();
        c.ns_per_tick = static_cast<double>(end_ns - begin_ns) / static_cast<double>(c.now() - begin);
        return c;
    }();
    return clock;
}

} // namespace ringproof::bench
