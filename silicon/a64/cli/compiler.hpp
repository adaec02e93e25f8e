// SPDX-License-Identifier: Apache-2.0
#pragma once
// Calls of a compiler for AArch64.

#include <string>
#include <vector>

namespace ringproof::silicon::a64 {

using words = std::vector<std::string>;

/// What the program and the runtime need to run as the checker runs them; a user's flags may add to that.
inline const words for_all{"-fno-pic", "-fno-stack-protector", "-ffunction-sections"};

bool is_cxx(const std::string& file);

/// "clang --target=aarch64-linux-gnu" is two words.
words split(const std::string& compiler);

/// What a command begins with.
words begin(const std::string& compiler);

/// Adds a file, with `-x c` if it is C: a C++ compiler would compile it as C++.
void add_source(words& command, const std::string& file);

/// @return whether it ended with 0; what it says goes to standard error
bool run(const words& line);

} // namespace ringproof::silicon::a64
