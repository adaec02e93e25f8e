// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names within debug information: of variables, and of the member that lies at an offset.

#include <cstdint>
#include <elfutils/libdw.h>
#include <map>
#include <optional>
#include <string>

namespace ringproof::verify {

/// Bytes of an object. Of `size` 0 only where they begin is known.
struct byte_range {
    std::uint64_t offset, size;
};

/// The smallest member that holds a range of bytes.
struct member_place {
    std::string path;        ///< ".head", "[2].second"; empty: the object itself, or no member begins there
    byte_range within{0, 0}; ///< the bytes that are meant, in the member
    std::uint64_t size = 0;  ///< of the member; 0: unknown, so that all of it is meant

    /// "q.state", or "bytes 4 to 7 of q.state" where the range is a part of it. @param name of the member
    std::string of(const std::string& name) const;
};

/// Where `range` lies in an object of `type`. The insides of the standard library's classes have no names that help, but for
/// elements of std::array and members of what is in a std::atomic.
member_place member_at(Dwarf_Die type, byte_range range);

/// What lies within a variable: see member_at().
member_place member_of(Dwarf_Die* variable, byte_range range);

/// An address in a frame: so far below the canonical frame address, and above the stack pointer.
struct frame_place {
    std::uint64_t below, above;
};

/// The variable of the function `function` that covers `place`, with the member; empty when there is
/// none. @param pc where the function is @param size of the access
std::string local_variable(Dwarf_Die* function, std::uint64_t pc, frame_place place, std::uint64_t size);

/// The variables of a unit that have a fixed address.
void collect_variables(Dwarf_Die* unit, std::map<std::uint64_t, Dwarf_Die>& to);

std::string die_name(Dwarf_Die* die);
/// The type of a variable or member, without typedefs and qualifiers.
std::optional<Dwarf_Die> type_of(Dwarf_Die* die);
/// Bytes; 0 when unknown.
std::uint64_t size_of(Dwarf_Die* type);
bool is_class(int tag);
/// The type that a class template's instance was made with first: node of std::atomic<node>.
std::optional<Dwarf_Die> first_argument(Dwarf_Die* type);

} // namespace ringproof::verify
