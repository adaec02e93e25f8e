// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

enum class language { none, c, cxx };

/// By the ending of the file's name.
language language_of(std::string_view file);

/// Where the checker's own parts lie.
struct installation {
    std::filesystem::path library; ///< folder of libringproof_verify.so
    std::filesystem::path entry;   ///< libringproof_check_main.a
    std::filesystem::path include; ///< for programs that use <ringproof/verify/verify.hpp>
};

/// Found from this program's own place, in a build tree or installed.
/// @throws std::runtime_error saying what is missing
installation find_installation();

/// Compiles and links. The compilers' complaints go to standard error, followed by what to do.
/// @param unseen inline assembly of the sources that the checker cannot see into: places
/// @param compiled_by the compilers, as they call themselves
bool compile(const std::vector<std::string>& files, const std::vector<std::string>& flags,
             const installation& here, const std::filesystem::path& folder, const std::string& program,
             std::vector<std::string>& unseen, std::set<std::string>& compiled_by);

} // namespace ringproof::verify
