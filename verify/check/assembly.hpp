// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace ringproof::verify {

/// What a listing tells of its source.
struct read_listing {
    /// The places ("ring.h:190") of inline assembly that the checker would have to see and cannot: what reads or
    /// writes memory, orders memory, or goes elsewhere. What computes in registers, pauses or is empty is fine.
    std::vector<std::string> unseen;
    /// Whether it calls abort(), exit() or a test framework, throws or traps: it states properties in its own way.
    bool gives_up = false;
    /// Whether it uses the memory resources of std::pmr that have a state: their code is in libstdc++.so, out of sight.
    bool memory_resources = false;
    /// Whether it has test cases of Catch2 version 3.
    bool catch2_version3 = false;
};

/// @param listing what the compiler made of one source, with its line numbers (-S -g)
read_listing look_at(const std::filesystem::path& listing);

/// The compiler that wrote a listing, as it calls itself: "GCC (Debian 12.2.0-14) 12.2.0". How many executions a
/// program has depends on it. Empty when it does not say.
std::string compiler_of(const std::filesystem::path& listing);

} // namespace ringproof::verify
