// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include "early_heap.hpp"
#include "libraries.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <link.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace ringproof::verify {
namespace {

struct segments {
    std::vector<memory_range>&data, &code;
};

/// Where the linker keeps the addresses of functions that it binds when they are first called.
memory_range table_of_functions(const ElfW(Dyn) * entry) {
    std::uintptr_t begin = 0;
    std::size_t relocations = 0;
    for (; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_PLTGOT) begin = entry->d_un.d_ptr;
        if (entry->d_tag == DT_PLTRELSZ) relocations = entry->d_un.d_val / sizeof(ElfW(Rela));
    }
    constexpr std::size_t reserved = 3; // entries for the linker itself
    return begin == 0 ? memory_range{} : memory_range{begin, begin + (relocations + reserved) * sizeof begin};
}

int collect_segments(dl_phdr_info* info, std::size_t, void* out) {
    const segments& to = *static_cast<segments*>(out);
    if (!is_part_of_program(*info)) return 0;
    memory_range relro, bound;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            relro.begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            relro.end = relro.begin + info->dlpi_phdr[i].p_memsz;
        }
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            bound = table_of_functions(
                reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD) continue;
        memory_range range{info->dlpi_addr + segment.p_vaddr,
                           info->dlpi_addr + segment.p_vaddr + segment.p_memsz};
        if (segment.p_flags & PF_X) to.code.push_back(range);
        if (!(segment.p_flags & PF_W)) continue;
        if (relro.begin <= range.begin && relro.end > range.begin)
            range.begin = std::min(range.end, (relro.end + 4095) & ~std::uintptr_t{4095});
        // Which functions the linker has bound by now is no state of the program's.
        const memory_range before{range.begin, std::clamp(bound.begin, range.begin, range.end)};
        const memory_range after{std::clamp(bound.end, range.begin, range.end), range.end};
        if (before.size() > 0) to.data.push_back(before);
        if (after.size() > 0) to.data.push_back(after);
    }
    return 0;
}

/// The part of an object that has `address`, if its flags, of those in `mask`, are `flags`.
struct asked_code {
    std::uintptr_t address;
    memory_range found;
    ElfW(Word) mask, flags;
};
int find_code(dl_phdr_info* info, std::size_t, void* with) {
    asked_code& asked = *static_cast<asked_code*>(with);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        const memory_range range{info->dlpi_addr + segment.p_vaddr,
                                 info->dlpi_addr + segment.p_vaddr + segment.p_memsz};
        if (segment.p_type != PT_LOAD || (segment.p_flags & asked.mask) != asked.flags ||
            !range.contains(asked.address))
            continue;
        asked.found = range;
        return 1;
    }
    return 0;
}

/// What the dynamic linker has answered last. Most questions are of the same few places.
struct last_answer {
    memory_range found;
    unsigned long long when; ///< loads and unloads by then; 0: there is none
};

unsigned long long loads_and_unloads() {
    unsigned long long all = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* first, std::size_t, void* to) {
            *static_cast<unsigned long long*>(to) = first->dlpi_adds + first->dlpi_subs;
            return 1;
        },
        &all);
    return all;
}

memory_range part_around(const asked_code& what, last_answer& last) {
    const unsigned long long now = loads_and_unloads();
    if (last.when == now && last.found.contains(what.address)) return last.found;
    asked_code asked = what;
    dl_iterate_phdr(find_code, &asked);
    last = {asked.found, now};
    return asked.found;
}

} // namespace

memory_range loaded_code_around(std::uintptr_t address) {
    static constinit last_answer last{};
    return part_around({address, {}, PF_X, PF_X}, last);
}

bool is_constant(const memory_range& bytes) {
    static constinit last_answer last{};
    const memory_range part = part_around({bytes.begin, {}, PF_R | PF_W, PF_R}, last);
    return part.contains(bytes.begin) && bytes.end <= part.end;
}

memory_range engine_code() { return loaded_code_around(reinterpret_cast<std::uintptr_t>(&collect_segments)); }

program_memory::program_memory() {
    const std::size_t size = max_threads * (heap_size + stack_size);
    void* const at = mmap(reinterpret_cast<void*>(region_address), size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED)
        throw std::runtime_error(std::string("cannot map the program's memory: ") + std::strerror(errno));
    region_ = {region_address, region_address + size + mapped::whole_size};
    heap_ = {region_address, region_address + max_threads * heap_size};
    for (unsigned t = 0; t < max_threads; ++t)
        mprotect(reinterpret_cast<void*>(stack(t).begin - guard_size), guard_size, PROT_NONE);
    try {
        mapped::open();
    } catch (...) {
        munmap(at, size);
        throw;
    }
    find_data();
    engine_ = engine_code();
}

/// Adds the data of all objects that are a part of the program by now, as far as it is not known yet.
bool program_memory::find_data() {
    std::vector<memory_range> data, code;
    segments found{data, code};
    dl_iterate_phdr(collect_segments, &found);
    early_heap::close();
    if (early_heap::used().size() > 0) data.push_back(early_heap::used());
    bool any = false;
    for (memory_range range : data) {
        for (const memory_range& known : data_)
            if (known.contains(range.begin))
                range.begin = std::min(known.end, range.end); // it may have grown
        if (range.size() == 0) continue;
        data_.push_back(range);
        any = true;
    }
    code_ = std::move(code);
    return any;
}

program_memory::~program_memory() {
    munmap(reinterpret_cast<void*>(region_.begin), mapped_begin() - region_.begin);
    mapped::close();
}

std::uintptr_t program_memory::allocate(std::size_t size, std::size_t alignment, unsigned thread,
                                        unsigned index) {
    alignment = std::max(alignment, std::size_t{16});
    if (size > heap_size || alignment > heap_size) return 0;
    const std::uintptr_t begin = heap_begin(thread);
    const std::uintptr_t end = heaps_.has(thread) ? heaps_.top[thread] : begin + sizeof(heap::head);
    const std::uintptr_t address = place_of(end, alignment);
    // One byte at least, so that two allocations never share an address; and room for any of its size class (reuse.cpp).
    const std::uintptr_t top = address + std::size_t{size_class(size)} * 16;
    if (top > begin + heap_size) return 0;
    if (!heaps_.has(thread)) heap_of(thread).first() = {};
    heap_of(thread).add(address, size, static_cast<std::uint8_t>(thread), index);
    heaps_.used |= 1u << thread;
    heaps_.top[thread] = top;
    return address;
}

program_memory::origin program_memory::origin_of(std::uintptr_t address) const {
    const std::uintptr_t a = block_at(address);
    if (a == 0) return {};
    return {true, header::of(a)->thread, header::of(a)->index};
}

memory_range program_memory::code_around(std::uintptr_t a) const {
    for (const memory_range& range : code_)
        if (range.contains(a)) return range;
    return {};
}

} // namespace ringproof::verify
