// SPDX-License-Identifier: Apache-2.0
// Libraries that the program loads while it is explored. They stay loaded, as the dynamic linker's notes of them are
// the process's, and so is what their constructors do. What they keep in their own data is not put back between
// executions, which the ledger says.

#include "callers.hpp"
#include "dlopen.hpp"
#include "hook.hpp"

#include <cstring>
#include <link.h>
#include <vector>

namespace ringproof::verify {
namespace {

/// A library that came in an execution, and its data as its constructors left them.
struct loaded {
    std::uintptr_t base;
    std::vector<memory_range> data;
    std::vector<std::vector<char>> contents;
};
std::vector<loaded>& libraries() {
    static std::vector<loaded> all;
    return all;
}

int note_data(dl_phdr_info* info, std::size_t, void* to) {
    auto& known = *static_cast<loaded*>(to);
    if (info->dlpi_addr != known.base) return 0;
    memory_range relro;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            relro = {info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                     (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz + 4095) & ~std::uintptr_t{4095}};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
        memory_range range{info->dlpi_addr + segment.p_vaddr, info->dlpi_addr + segment.p_vaddr + segment.p_memsz};
        if (relro.contains(range.begin)) range.begin = std::min(range.end, relro.end);
        const auto* const bytes = reinterpret_cast<const char*>(range.begin);
        known.data.push_back(range);
        known.contents.emplace_back(bytes, bytes + range.size());
    }
    return 1;
}

} // namespace

/// What destructors of these libraries find at the end of the process is not what executions made of it: that
/// memory is gone.
void put_back_loaded_libraries() {
    for (const loaded& l : libraries())
        for (std::size_t i = 0; i < l.data.size(); ++i)
            std::memcpy(reinterpret_cast<void*>(l.data[i].begin), l.contents[i].data(), l.contents[i].size());
    libraries().clear();
}

} // namespace ringproof::verify

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK void* dlopen(const char* file, int mode) {
    const std::uintptr_t site = RINGPROOF_SITE;
    if (!rv::callers::for_program(site) || rv::callers::is_engine(site)) return RINGPROOF_NEXT(dlopen)(file, mode);
    const rv::explorer::inside engine_asks;
    void* const there = RINGPROOF_NEXT(dlopen)(file, RTLD_NOLOAD | RTLD_LAZY);
    void* const handle = RINGPROOF_NEXT(dlopen)(file, mode | RTLD_NODELETE);
    if (!handle || !file) return handle;
    const std::uintptr_t base = static_cast<const link_map*>(handle)->l_addr;
    bool ours = !there;
    if (ours) {
        rv::libraries().push_back({base, {}, {}});
        dl_iterate_phdr(rv::note_data, &rv::libraries().back());
    }
    for (const rv::loaded& l : rv::libraries()) ours = ours || l.base == base;
    if (ours) engine().take_for_granted(rv::assumption::library_state, site);
    return handle;
}
RINGPROOF_HOOK int dlclose(void* handle) noexcept {
    if (!running()) return RINGPROOF_NEXT(dlclose)(handle);
    return 0; // another execution may be about to use it
}
