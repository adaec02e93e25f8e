// SPDX-License-Identifier: Apache-2.0
// A workload whose page faults are known: `touch_pages N` writes to N fresh pages, one after the other, in one place.
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

namespace {

[[gnu::noinline]] void touch(volatile char* at) { *at = 1; }

/// With a frame of its own: `touch` need not have one, and then it is this one that is missing among the callers.
[[gnu::noinline]] void touch_all(volatile char* base, std::size_t pages, std::size_t page) {
    for (std::size_t i = 0; i != pages; ++i) touch(base + i * page);
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t pages = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const base =
        ::mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return std::perror("mmap"), 1;
    ::madvise(base, pages * page, MADV_NOHUGEPAGE);
    touch_all(static_cast<volatile char*>(base), pages, page);
}
