// SPDX-License-Identifier: Apache-2.0
// What an object imports, as its relocations name it.

#include "imports.hpp"

#include "dynamic_section.hpp"

#include <cstddef>
#include <cstdint>
#include <link.h>

namespace ringproof::verify {
namespace {

struct relocations {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
};

struct question {
    std::string_view part;
    bool (*is_asked)(const dl_phdr_info& object);
    bool found;
};

/// Whether one of these relocations is by the name of a symbol that has `part` in it.
bool name(const relocations& all, std::string_view part, std::uintptr_t symbols, std::uintptr_t strings) {
    const auto* const first = reinterpret_cast<const ElfW(Rela)*>(all.begin);
    for (std::size_t i = 0; i < all.bytes / sizeof *first; ++i) {
        const auto symbol = first[i].r_info >> 32; // of 64 bits
        const auto& of = reinterpret_cast<const ElfW(Sym)*>(symbols)[symbol];
        const std::string_view called(reinterpret_cast<const char*>(strings) + of.st_name);
        if (called.find(part) != called.npos) return true;
    }
    return false;
}

int look(dl_phdr_info* info, std::size_t, void* with) {
    question& asked = *static_cast<question*>(with);
    if (!asked.is_asked(*info)) return 0;
    const ElfW(Dyn)* e = dynamic_of(*info);
    if (!e) return 0;
    relocations bound_late, others;
    std::uintptr_t symbols = 0, strings = 0;
    for (; e->d_tag != DT_NULL; ++e) {
        if (e->d_tag == DT_JMPREL) bound_late.begin = e->d_un.d_ptr;
        if (e->d_tag == DT_PLTRELSZ) bound_late.bytes = e->d_un.d_val;
        if (e->d_tag == DT_RELA) others.begin = e->d_un.d_ptr;
        if (e->d_tag == DT_RELASZ) others.bytes = e->d_un.d_val;
        if (e->d_tag == DT_SYMTAB) symbols = e->d_un.d_ptr;
        if (e->d_tag == DT_STRTAB) strings = e->d_un.d_ptr;
    }
    for (std::uintptr_t* a : {&bound_late.begin, &others.begin, &symbols, &strings})
        *a = loaded_address(*info, *a);
    asked.found =
        name(bound_late, asked.part, symbols, strings) || name(others, asked.part, symbols, strings);
    return asked.found ? 1 : 0;
}

} // namespace

bool imports(std::string_view part, bool (*is_asked)(const dl_phdr_info& object)) {
    question asked{part, is_asked, false};
    dl_iterate_phdr(look, &asked);
    return asked.found;
}

} // namespace ringproof::verify
