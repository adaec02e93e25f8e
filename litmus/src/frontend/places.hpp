// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where accesses go whose address a thread computes from what it loads, in a program whose accesses are to be put into
// pieces (pieces.hpp): a piece has to be known before loads are.
//
// Each place that an access may have is tried in a path of its own, which assumes that the address is this one. One
// more path assumes that it is an address, and none of these: not aligned, or outside. Its access is marked as
// misplaced, and the test is refused if loads can return what makes it so. So no execution is lost, whichever places
// are tried.

#include "program.hpp"

namespace ringproof::litmus {

/// A location by itself or an array.
struct room {
    std::int32_t base = -1; ///< its (first) location
    std::int64_t size = 0;  ///< in bytes
    bool whole = false;     ///< it holds an address: accesses to parts of its locations are not tried
};

constexpr const char* nowhere_name = "nowhere in particular";
/// The location that accesses are given which go to no place. It is added if it is not there.
std::int32_t nowhere_in(program& p);

/// Makes the addresses of all accesses constants. May add a location. @throws too_many_paths
void try_places(program& p, const std::vector<room>& rooms);

} // namespace ringproof::litmus
