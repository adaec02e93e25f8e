// SPDX-License-Identifier: Apache-2.0
#include "early_heap.hpp"

#include <ringproof/verify/check.hpp>

#include <sys/mman.h>
#include <utility>

namespace ringproof::verify {
namespace {

// Below the program's other memory, at the same place in every run as well.
constexpr std::uintptr_t begin_address = 0x29ff'0000'0000;
constexpr std::size_t size_limit = std::size_t{64} << 20;

// Used before the engine's own static objects are made, and after they are gone.
constinit bool taken = false, is_open = false;
constinit std::uintptr_t top = begin_address;
constinit std::size_t living = 0;

} // namespace

void begin_static_objects() {
    taken = mmap(reinterpret_cast<void*>(begin_address), size_limit, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                 0) == reinterpret_cast<void*>(begin_address);
    is_open = taken;
}

namespace early_heap {

bool open() { return is_open; }
bool was_open() { return taken; }
void close() { is_open = false; }
left_alone::left_alone() : was_open_(std::exchange(is_open, false)) {}
left_alone::~left_alone() { is_open = was_open_; }
bool contains(std::uintptr_t address) { return taken && address - begin_address < size_limit; }
memory_range used() { return {begin_address, top}; }

std::uintptr_t allocate(std::size_t size, std::size_t alignment) {
    const std::uintptr_t end = begin_address + size_limit;
    if (size > size_limit || alignment > size_limit) return 0;
    const std::uintptr_t address = program_memory::place_of(top, alignment < 16 ? 16 : alignment);
    const std::uintptr_t after = address + ((size + 7 + (size == 0)) & ~std::size_t{7});
    if (after > end) return 0;
    *program_memory::header_of(address) = {static_cast<std::uint32_t>(size), 0, 0, 0};
    top = after;
    ++living;
    return address;
}

void release(std::uintptr_t address) {
    std::uintptr_t& state = program_memory::header_of(address)->older;
    if (state & 1) return;
    state |= 1;
    if (--living == 0 && is_open) top = begin_address;
}

} // namespace early_heap
} // namespace ringproof::verify
