// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiles a program for AArch64, and links it with the runtime in place of the C library.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringproof::silicon::a64 {

struct build_order {
    std::vector<std::string> files, flags;
    std::string compiler; ///< empty: the cross compiler of g++ or gcc
    bool lse = false;     ///< helpers of libgcc take the atomic instructions of Armv8.1
    bool keep_ndebug = false;
};

/// The cross compiler is not on this machine.
struct no_compiler : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The compiler for these files. @throws no_compiler, and std::invalid_argument for one that was named and is not there
std::string compiler_for(const build_order& order);

/// The compiler's complaints go to standard error.
/// @return the program in this folder; empty: it does not compile
std::filesystem::path build(const build_order& order, const std::filesystem::path& folder);

} // namespace ringproof::silicon::a64
