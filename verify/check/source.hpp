// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

enum class language { none, c, cxx };

/// By the ending of the file's name.
language language_of(std::string_view file);

/// What files there may be, for messages.
inline constexpr const char* source_endings = ".c, .cpp, .cc, .cxx, .C, .c++";

/// A source, and how the program's own build compiles it.
struct source_file {
    std::string path;                    ///< absolute where `folder` is not empty
    std::vector<std::string> flags = {}; ///< of this file alone
    std::string folder = {};             ///< that the compiler works in; empty: ours
    bool is_framework = false;           ///< of tests: it is trusted, and compiled without instrumentation
};

} // namespace ringproof::verify
