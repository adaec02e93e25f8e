// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that has several addresses: a file in memory that is mapped twice. Its bytes lie at its home, a range of
// addresses that the program is not given. Each mapping is a view of the home, and the system maps the same page at
// both. So one write is seen in all views at once, also where code makes it that does not announce its accesses.
//
// The engine knows the home alone: races, reads-from and saved states are told by addresses there (home_of()).
//
// Which page shows which follows from the layers (mapped.hpp), which belong to the execution. When the search goes
// back to a state, the pages are mapped as its layers say.

#include "mapped.hpp"

namespace ringproof::verify::mapped {

/// Whether there is a home, in this execution or another: otherwise no address below has one.
extern constinit bool views_exist;

/// Makes `size` bytes of addresses in slot `n` a home, with zeros. @return 0 when there is no room
std::uintptr_t make_home(unsigned n, std::size_t size, std::uintptr_t site);

/// Where the memory lies that the program sees at `address`: there, where it is no view.
std::uintptr_t home_of(std::uintptr_t address);

namespace views {
/// Makes a page show what its layer says. @return false when the system refuses
bool settle(std::uint32_t page);
/// The same for the touched pages of a range, or all of them.
bool settle(std::uintptr_t begin, std::uintptr_t end);
bool settle_all();
/// Whether the page shows another's memory.
bool is_view(std::uint32_t page);
/// No page is a view any more.
void close();
/// Keeps this process's pages apart from those of its children, once for the process.
/// @throws std::runtime_error when the system refuses
void separate_children();
} // namespace views

} // namespace ringproof::verify::mapped
