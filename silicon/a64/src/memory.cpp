// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/mman.h>

namespace ringproof::silicon::a64 {
namespace {

constexpr std::uint64_t page = 4096, first_own = 0x7000'0000;
constexpr std::uint64_t own_size = memory::stack_size + memory::heap_size;

std::uint64_t down(std::uint64_t address) { return address / page * page; }
std::uint64_t up(std::uint64_t address) { return down(address + page - 1); }

template <class T>
T* pointer(std::uint64_t address) {
    return reinterpret_cast<T*>(address); // NOLINT(performance-no-int-to-ptr): the program's own addresses
}

} // namespace

memory::memory(const image& program) : program_(program) {
    for (const segment& s : program.segments()) {
        const std::uint64_t from = down(s.address), to = up(s.address + s.bytes.size());
        if (to > first_own) throw std::invalid_argument("the program lies where its stacks are to lie");
        if (mapped_.empty() || mapped_.back().address + mapped_.back().size <= from)
            map({from, to - from});
        else if (const std::uint64_t end = mapped_.back().address + mapped_.back().size; to > end)
            map({end, to - end}); // two segments share a page
        std::memcpy(pointer<void>(s.address), s.bytes.data(), s.bytes.size());
    }
    map({first_own, own_size * most_threads});
    for (std::size_t thread = 0; thread < most_threads; ++thread) begin(thread);
}

memory::~memory() {
    for (const area& a : mapped_) munmap(pointer<void>(a.address), a.size);
}

void memory::map(area a) {
    void* const got = mmap(pointer<void>(a.address), a.size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != pointer<void>(a.address)) {
        if (got != MAP_FAILED) munmap(got, a.size);
        throw std::invalid_argument(
            fmt::format("{:#x}: this address of the program is taken here", a.address));
    }
    mapped_.push_back(a);
}

memory::place memory::at(std::uint64_t address, std::uint64_t bytes) const {
    if (address >= first_own && address + bytes <= first_own + own_size * most_threads) {
        const std::uint64_t thread = (address - first_own) / own_size;
        if ((address + bytes - 1 - first_own) / own_size != thread) return {};
        return {owner::thread, static_cast<std::size_t>(thread)};
    }
    for (const segment& s : program_.segments())
        if (address >= s.address && address + bytes <= s.address + s.bytes.size())
            return {s.writable ? owner::shared : owner::constant, 0};
    return {};
}

bool memory::is_code(std::uint64_t address) const {
    return address % 4 == 0 && at(address, 4).whose == owner::constant;
}

void memory::keep(std::uint64_t address, std::uint64_t bytes) {
    constexpr std::uint64_t most = sizeof(kept::bytes);
    for (; bytes > 0;) {
        kept k;
        k.address = address;
        k.count = static_cast<std::uint8_t>(std::min(bytes, most));
        std::memcpy(k.bytes, pointer<void>(address), k.count);
        kept_.push_back(k);
        address += k.count;
        bytes -= k.count;
    }
}

void memory::undo() {
    for (; !kept_.empty(); kept_.pop_back())
        std::memcpy(pointer<void>(kept_.back().address), kept_.back().bytes, kept_.back().count);
}

/// Its thread-local variables, once.
void memory::begin(std::size_t thread) {
    const auto& bytes = program_.thread_local_bytes();
    if (bytes.empty()) return;
    const std::uint64_t behind = std::max<std::uint64_t>(16, program_.thread_local_alignment());
    std::memcpy(pointer<void>(thread_pointer(thread) + behind), bytes.data(), bytes.size());
}

// From its lowest address on: the stack, growing down to it, thread-local variables, the heap.
std::uint64_t memory::stack_top(std::size_t thread) const { return (thread_pointer(thread) - 64) / 16 * 16; }

std::uint64_t memory::thread_pointer(std::size_t thread) const {
    const std::uint64_t alignment = program_.thread_local_alignment();
    const std::uint64_t size = program_.thread_local_bytes().size() + 2 * alignment + 16;
    return (first_own + own_size * thread + stack_size - size) / alignment * alignment;
}

std::uint64_t memory::heap(std::size_t thread) const { return first_own + own_size * thread + stack_size; }

} // namespace ringproof::silicon::a64
