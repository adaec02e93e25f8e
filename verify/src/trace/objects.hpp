// SPDX-License-Identifier: Apache-2.0
#pragma once
// Objects that a program allocates, named by what its source assigns them to, and typed by what debug information says of
// that. Debug information has no type for an allocation; so a name is given only where the line that allocates and the
// number of bytes agree on one type.

#include "members.hpp"

#include <string>
#include <vector>

namespace ringproof::verify {

struct made_object {
    std::string variable; ///< "rb", "q->slots": what it is assigned to; empty: unknown
    Dwarf_Die type;       ///< of it, or of its elements
    bool array = false;
    std::uint64_t skipped = 0; ///< bytes before the first element

    /// "[2].data", "->nest", ".next", "+0x8": behind its name. @param name with which the answer begins
    std::string member(const std::string& name, byte_range range) const;
};

/// What the source calls an object of `bytes` that `statement` allocates, or nothing when that is not certain.
/// @param scopes that the call stands in, the outermost first
std::optional<made_object> object_made_by(const std::string& statement, std::vector<Dwarf_Die> scopes,
                                          Dwarf_Die unit, std::uint64_t bytes);

/// The statement that ends in, or goes on behind, line `line` of a file; empty when the file cannot be read.
std::string statement_at(const std::string& file, int line);

} // namespace ringproof::verify
