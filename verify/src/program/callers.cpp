// SPDX-License-Identifier: Apache-2.0
#include "callers.hpp"

#include "early_heap.hpp"
#include "libraries.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <link.h>
#include <sys/auxv.h>

namespace ringproof::verify::callers {
namespace {

constinit memory_range libc_code, linker_code, engine;
/// Code of what the engine needs, but for the C++ library, which allocates for others.
constinit memory_range needed[64];
constinit std::size_t needed_count = 0;
constinit memory_range cxx_code;
/// Whether some library's static objects have asked for memory: then the C++ library's own are there.
constinit bool cxx_is_there = false;

memory_range code_of(const dl_phdr_info& info) {
    memory_range code;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& segment = info.dlpi_phdr[i];
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X))
            code = {info.dlpi_addr + segment.p_vaddr, info.dlpi_addr + segment.p_vaddr + segment.p_memsz};
    }
    return code;
}

int find(dl_phdr_info* info, std::size_t, void*) {
    if (std::strstr(info->dlpi_name, "/libc.so")) libc_code = code_of(*info);
    if (info->dlpi_addr != 0 && info->dlpi_addr == getauxval(AT_BASE)) linker_code = code_of(*info);
    if (std::strstr(info->dlpi_name, "/libstdc++.so"))
        cxx_code = code_of(*info);
    else if (is_needed_by_engine(*info) && needed_count < std::size(needed))
        needed[needed_count++] = code_of(*info);
    return 0;
}

/// What the dynamic linker allocates for a library that the program loads is used until the end of the process.
bool of_the_system(std::uintptr_t site) { return libc_code.contains(site) || linker_code.contains(site); }

bool of_the_engine(std::uintptr_t site) {
    return std::any_of(needed, needed + needed_count,
                       [site](const memory_range& r) { return r.contains(site); });
}

__attribute__((constructor)) void when_loaded() { find_libraries(); }

} // namespace

bool for_program(std::uintptr_t site) { return program::running() && !of_the_system(site); }

bool for_static_object(std::uintptr_t site) {
    if (!early_heap::open() || of_the_system(site) || engine.contains(site)) return false;
    if (early_heap::now() == early_heap::phase::executable) return true;
    if (cxx_code.contains(site)) return cxx_is_there;
    if (of_the_engine(site)) return false;
    return cxx_is_there = true;
}

bool is_programs_before_main(std::uintptr_t site) {
    return early_heap::open() && !of_the_system(site) && !engine.contains(site) && !cxx_code.contains(site) &&
           !of_the_engine(site);
}

void find_libraries() {
    needed_count = 0;
    engine = engine_code();
    dl_iterate_phdr(find, nullptr);
}

bool is_engine(std::uintptr_t site) { return engine.contains(site); }

bool by_program(std::uintptr_t site) { return for_program(site) && !is_engine(site); }

bool is_programs(std::uintptr_t site) { return by_program(site) || for_static_object(site); }

} // namespace ringproof::verify::callers
