// SPDX-License-Identifier: Apache-2.0
#include "libraries.hpp"

#include "memory.hpp"

#include <algorithm>
#include <link.h>
#include <string_view>
#include <vector>

namespace ringproof::verify {
namespace {

/// A loaded object, as far as it says whom it needs.
struct object {
    std::uintptr_t dynamic = 0; ///< where its dynamic section is, which names it here
    std::string_view name;
    std::vector<std::string_view> needed;
    bool engine = false, executable = false;
    bool of_engine = false, of_program = false;
};

std::string_view file_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

const ElfW(Dyn) * dynamic_of(const dl_phdr_info& info) {
    for (int i = 0; i < info.dlpi_phnum; ++i)
        if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
            return reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    return nullptr;
}

int collect(dl_phdr_info* info, std::size_t, void* to) {
    auto& all = *static_cast<std::vector<object>*>(to);
    object o;
    const ElfW(Dyn)* const dynamic = dynamic_of(*info);
    if (!dynamic) return 0;
    o.dynamic = reinterpret_cast<std::uintptr_t>(dynamic);
    o.executable = all.empty(); // as the first one always is
    std::uintptr_t strings = 0;
    for (const ElfW(Dyn)* e = dynamic; e->d_tag != DT_NULL; ++e)
        if (e->d_tag == DT_STRTAB) strings = e->d_un.d_ptr;
    if (strings < info->dlpi_addr) strings += info->dlpi_addr; // where the linker has not done so
    const auto text = [&](std::uintptr_t at) { return std::string_view(reinterpret_cast<const char*>(strings + at)); };
    o.name = file_of(info->dlpi_name);
    for (const ElfW(Dyn)* e = dynamic; e->d_tag != DT_NULL; ++e) {
        if (e->d_tag == DT_SONAME) o.name = text(e->d_un.d_val);
        if (e->d_tag == DT_NEEDED) o.needed.push_back(file_of(text(e->d_un.d_val)));
    }
    const memory_range own = engine_code();
    for (int i = 0; i < info->dlpi_phnum; ++i)
        o.engine = o.engine || (info->dlpi_phdr[i].p_type == PT_LOAD &&
                                own.begin == info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    all.push_back(std::move(o));
    return 0;
}

void mark(std::vector<object>& all, object& from, bool object::*as) {
    if (from.*as) return;
    from.*as = true;
    for (const std::string_view name : from.needed)
        for (object& o : all)
            if (o.name == name) mark(all, o, as);
}

} // namespace

bool is_part_of_program(const dl_phdr_info& object_asked) {
    std::vector<object> all;
    dl_iterate_phdr(collect, &all);
    for (object& o : all) {
        if (o.engine) mark(all, o, &object::of_engine);
        if (o.executable) mark(all, o, &object::of_program);
    }
    const auto asked = reinterpret_cast<std::uintptr_t>(dynamic_of(object_asked));
    return std::any_of(all.begin(), all.end(), [asked](const object& o) {
        return o.dynamic == asked && o.of_program && (o.executable || !o.of_engine);
    });
}

} // namespace ringproof::verify
