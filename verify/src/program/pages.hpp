// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which pages of the program's mapped memory are accessible, for mapped.cpp and views.cpp.

#include "mapped.hpp"
#include "memory.hpp"

namespace ringproof::verify::mapped::pages {

// Used before the engine's own static objects are made, and after they are gone.
extern constinit std::uint8_t* known; ///< a byte for each page: whether it was touched
/// Numbers of touched pages, in the order in which they were.
extern constinit std::uint32_t* list;
extern constinit std::size_t list_length;

inline constexpr std::size_t count = whole_size / page_size;

inline void add(std::uint32_t page) {
    known[page] = 1;
    list[list_length++] = page;
}
inline std::uint32_t number_of(std::uintptr_t address) {
    return static_cast<std::uint32_t>((address - program_memory::mapped_begin()) / page_size);
}
inline std::uintptr_t address_of(std::uint32_t page) {
    return program_memory::mapped_begin() + page * page_size;
}

} // namespace ringproof::verify::mapped::pages
