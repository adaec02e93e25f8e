// SPDX-License-Identifier: Apache-2.0
#include "early_heap.hpp"

#include "callers.hpp"
#include "early_ends.hpp"

#include <ringproof/verify/check.hpp>

#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace ringproof::verify {
namespace {

// Below the program's other memory, at the same place in every run as well.
constexpr std::uintptr_t begin_address = 0x29ff'0000'0000;
constexpr std::size_t size_limit = std::size_t{64} << 20;

// Used before the engine's own static objects are made, and after they are gone.
constinit bool taken = false;
constinit early_heap::phase current = early_heap::phase::closed;
constinit std::uintptr_t top = begin_address;
constinit std::size_t living = 0;

[[noreturn]] void too_much() {
    std::fputs(
        "error: static objects allocate more than 64 MiB before main(), for which the checker has no room; "
        "allocate it in main() or in the scenario\n",
        stderr);
    ::_exit(2);
}

} // namespace

void begin_library_objects() {
    taken = mmap(reinterpret_cast<void*>(begin_address), size_limit, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                 0) == reinterpret_cast<void*>(begin_address);
    callers::find_libraries();
    if (taken && mapped::open_early()) current = early_heap::phase::libraries;
}

void begin_static_objects() {
    if (!taken) begin_library_objects();
    if (current == early_heap::phase::libraries) current = early_heap::phase::executable;
    early_ends::begin();
}

namespace early_heap {

phase now() { return current; }
bool was_open() { return taken; }
void close() { current = phase::closed; }
loading::loading() {
    if (taken) current = phase::libraries;
}
loading::~loading() { close(); }
left_alone::left_alone() : was_(std::exchange(current, phase::closed)) {}
left_alone::~left_alone() { current = was_; }
bool contains(std::uintptr_t address) { return taken && address - begin_address < size_limit; }
memory_range used() { return {begin_address, top}; }

std::uintptr_t allocate(std::size_t size, std::size_t alignment) {
    const std::uintptr_t end = begin_address + size_limit;
    if (size > size_limit || alignment > size_limit) too_much();
    const std::uintptr_t address = program_memory::place_of(top, alignment < 16 ? 16 : alignment);
    const std::uintptr_t after = address + ((size + 7 + (size == 0)) & ~std::size_t{7});
    if (after > end) too_much();
    allocation_header& h = *allocation_header::of(address);
    h = {};
    h.room = static_cast<std::uint32_t>(size);
    h.resize(size);
    top = after;
    ++living;
    return address;
}

void release(std::uintptr_t address) {
    std::uint32_t& state = allocation_header::of(address)->older;
    if (state & 1) return;
    state |= 1;
    if (--living == 0 && current == phase::executable) top = begin_address;
}

} // namespace early_heap
} // namespace ringproof::verify
