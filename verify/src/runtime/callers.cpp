// SPDX-License-Identifier: Apache-2.0
#include "callers.hpp"

#include "../explore/explorer.hpp"
#include "early_heap.hpp"

#include <cstring>
#include <link.h>
#include <sys/auxv.h>

namespace ringproof::verify::callers {
namespace {

memory_range libc_code, linker_code, engine;

memory_range code_of(const dl_phdr_info& info) {
    memory_range code;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& segment = info.dlpi_phdr[i];
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X))
            code = {info.dlpi_addr + segment.p_vaddr, info.dlpi_addr + segment.p_vaddr + segment.p_memsz};
    }
    return code;
}

int find_libraries(dl_phdr_info* info, std::size_t, void*) {
    if (std::strstr(info->dlpi_name, "/libc.so")) libc_code = code_of(*info);
    if (info->dlpi_addr != 0 && info->dlpi_addr == getauxval(AT_BASE)) linker_code = code_of(*info);
    return 0;
}

__attribute__((constructor)) void find_ranges() {
    dl_iterate_phdr(find_libraries, nullptr);
    engine = engine_code();
}

/// What the dynamic linker allocates for a library that the program loads is used until the end of the process.
bool of_the_system(std::uintptr_t site) { return libc_code.contains(site) || linker_code.contains(site); }

} // namespace

bool for_program(std::uintptr_t site) { return explorer::running() && !of_the_system(site); }

bool for_static_object(std::uintptr_t site) {
    return early_heap::open() && !of_the_system(site) && !engine.contains(site);
}

bool is_engine(std::uintptr_t site) { return engine.contains(site); }

} // namespace ringproof::verify::callers
