// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <link.h>

namespace ringproof::verify {

/// Where a loaded object says what the linker needs of it. nullptr: it has none.
inline const ElfW(Dyn) * dynamic_of(const dl_phdr_info& object) {
    for (int i = 0; i < object.dlpi_phnum; ++i)
        if (object.dlpi_phdr[i].p_type == PT_DYNAMIC)
            return reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    return nullptr;
}

/// An address that stands there. glibc's linker adds to some of them where the object was loaded, and to others not.
inline std::uintptr_t loaded_address(const dl_phdr_info& object, std::uintptr_t address) {
    return address < object.dlpi_addr ? object.dlpi_addr + address : address;
}

} // namespace ringproof::verify
