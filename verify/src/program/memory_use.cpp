// SPDX-License-Identifier: Apache-2.0
// A search in a loop without an end keeps the state of each step on its way. It is to end with a sentence before the
// system kills a process of its choice.

#include "memory_use.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace ringproof::verify {
namespace {

/// The begin of a small file. Without streams: a search asks in the middle of the program's work.
struct beginning {
    char text[4096] = {};
    explicit beginning(const char* path) {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        if (::read(file, text, sizeof text - 1) < 0) text[0] = '\0';
        ::close(file);
    }
};

/// The number behind `key` in the first line that begins with it, or `none`.
std::uint64_t number_in(const char* path, const char* key, std::uint64_t none) {
    const beginning all(path);
    const std::string format = std::string(key) + "%" SCNu64;
    for (const char* line = all.text; *line != '\0';) {
        std::uint64_t number = 0;
        if (std::sscanf(line, format.c_str(), &number) == 1) return number;
        while (*line != '\0' && *line++ != '\n') {
        }
    }
    return none;
}

} // namespace

std::uint64_t memory_in_use() {
    std::uint64_t all = 0, resident = 0;
    if (std::sscanf(beginning("/proc/self/statm").text, "%" SCNu64 " %" SCNu64, &all, &resident) != 2)
        return 0;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t memory_available() {
    constexpr std::uint64_t unlimited = ~std::uint64_t{0};
    const std::uint64_t left = number_in("/proc/meminfo", "MemAvailable: ", 0) * 1024;
    // Of a container: what its processes hold themselves, since files that are kept in memory give way.
    const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max", "", unlimited);
    const std::uint64_t held = number_in("/sys/fs/cgroup/memory.stat", "anon ", 0);
    return most == unlimited ? left : std::min(left, most - std::min(most, held));
}

} // namespace ringproof::verify
