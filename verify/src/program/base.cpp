// SPDX-License-Identifier: Apache-2.0
#include "base.hpp"

#include "memory.hpp"

#include <link.h>

namespace ringproof::verify {

std::uintptr_t program_base() {
    std::uintptr_t base = 0;
    const auto first = [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
        return 1;
    };
    dl_iterate_phdr(first, &base);
    return base;
}

bool in_executable(std::uintptr_t address) {
    struct asked {
        std::uintptr_t address;
        bool found;
    } what{address, false};
    const auto first = [](dl_phdr_info* info, std::size_t, void* of) {
        asked& a = *static_cast<asked*>(of);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& segment = info->dlpi_phdr[i];
            const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
            if (segment.p_type == PT_LOAD && a.address - begin < segment.p_memsz) a.found = true;
        }
        return 1;
    };
    dl_iterate_phdr(first, &what);
    return what.found;
}

namespace {
constexpr std::uintptr_t beyond_executables = std::uintptr_t{1} << 40; // heaps and stacks are, see memory.hpp
} // namespace

std::uint64_t place_of(std::uintptr_t address) {
    if (in_executable(address)) return address - program_base();
    return program_memory::is_fixed(address) ? address : 0;
}

std::uintptr_t address_of_place(std::uint64_t place) {
    return place == 0 || place >= beyond_executables ? place : program_base() + place;
}

} // namespace ringproof::verify
