// SPDX-License-Identifier: Apache-2.0
#include "early_ends.hpp"

#include "memory.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace ringproof::verify::early_ends {
namespace {

// Used when the engine's own static objects may be gone: never destroyed.
constinit std::vector<end>* ends = nullptr;
constinit memory_range program{};

struct executable {
    memory_range all{~std::uintptr_t{0}, 0};
    memory_range at_end; ///< addresses of the functions to call at the end
};

int look_at_executable(dl_phdr_info* info, std::size_t, void* out) {
    executable& found = *static_cast<executable*>(out);
    std::uintptr_t functions = 0;
    std::size_t size = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD) {
            found.all.begin = std::min(found.all.begin, begin);
            found.all.end = std::max(found.all.end, begin + segment.p_memsz);
        }
        if (segment.p_type != PT_DYNAMIC) continue;
        for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(begin); entry->d_tag != DT_NULL;
             ++entry) {
            if (entry->d_tag == DT_FINI_ARRAY) functions = info->dlpi_addr + entry->d_un.d_ptr;
            if (entry->d_tag == DT_FINI_ARRAYSZ) size = entry->d_un.d_val;
        }
    }
    found.at_end = {functions, functions + size};
    return 1; // the first object is the executable: stop
}

void nothing() {}

/// The process calls them too, when it ends: it is given others to call.
void take(const memory_range& functions) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t from = functions.begin & ~(page - 1);
    // One is the C runtime's own, and alone has nothing to do.
    if (functions.size() <= sizeof(std::uintptr_t) ||
        mprotect(reinterpret_cast<void*>(from), functions.end - from, PROT_READ | PROT_WRITE) != 0)
        return;
    for (auto* f = reinterpret_cast<void (**)()>(functions.begin);
         f != reinterpret_cast<void (**)()>(functions.end); ++f) {
        ends->push_back({reinterpret_cast<void (*)(void*)>(*f), nullptr}); // which takes no argument
        *f = nothing;
    }
}

} // namespace

void begin() {
    executable found;
    dl_iterate_phdr(look_at_executable, &found);
    program = found.all;
    ends = new std::vector<end>;
    take(found.at_end);
}

bool add(void (*function)(void*), void* object, void* library) {
    if (!ends || !in_program(reinterpret_cast<std::uintptr_t>(library)) ||
        reinterpret_cast<void*>(function) == dlsym(RTLD_DEFAULT, "_ZNSt8ios_base4InitD1Ev"))
        return false;
    ends->push_back({function, object});
    return true;
}

std::size_t count() { return ends ? ends->size() : 0; }
end at(std::size_t i) { return (*ends)[i]; }
bool in_program(std::uintptr_t address) { return program.contains(address); }

} // namespace ringproof::verify::early_ends
