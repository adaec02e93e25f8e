// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names within debug information: of variables, and of the member that lies at an offset.

#include <cstdint>
#include <elfutils/libdw.h>
#include <map>
#include <string>

namespace ringproof::verify {

/// ".head", "[2].second": what lies `offset` bytes into an object of the type of `variable`. The insides
/// of the standard library's classes have no names that help.
std::string member_path(Dwarf_Die* variable, std::uint64_t offset);

/// An address in a frame: so far below the canonical frame address, and above the stack pointer.
struct frame_place {
    std::uint64_t below, above;
};

/// The variable of the function `function` that covers `place`, with the member; empty when there is
/// none. @param pc where the function is
std::string local_variable(Dwarf_Die* function, std::uint64_t pc, frame_place place);

/// The variables of a unit that have a fixed address.
void collect_variables(Dwarf_Die* unit, std::map<std::uint64_t, Dwarf_Die>& to);

std::string die_name(Dwarf_Die* die);

} // namespace ringproof::verify
