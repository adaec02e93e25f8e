// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compilers of this machine, found in $PATH.

#include "../hardware/library.hpp"
#include "machine.hpp"

namespace ringproof::litmus::compiled {

struct compiler {
    std::string command; ///< as the user has typed it
    std::vector<std::string> program, flags;
    const machine* target = nullptr;
    std::string version; ///< the first line of --version
};

/// @throws no_compiler if it is not there, std::runtime_error for one whose target is none of ours
compiler find_compiler(const std::string& command);

struct translation {
    std::string assembly;
    std::string complaint; ///< not empty: there is no assembly
};

/// Compiles C to assembly, with the compiler's own flags and those that keep what a litmus test has no words for out of
/// the text.
translation translate(const compiler& c, const std::string& text, const scratch_folder& folder);

} // namespace ringproof::litmus::compiled
