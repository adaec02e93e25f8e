// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "source.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ringproof::verify {

/// Where the checker's own parts lie.
struct installation {
    std::filesystem::path library; ///< folder of libringproof_verify.so
    std::filesystem::path entry;   ///< libringproof_check_main.a
    std::filesystem::path include; ///< for programs that use <ringproof/verify/verify.hpp>
};

/// Found from this program's own place, in a build tree or installed.
/// @throws std::runtime_error saying what is missing
installation find_installation();

/// The folder with the headers of another checker's test programs. @throws std::runtime_error
std::filesystem::path headers_of(const std::string& dialect, const installation& here);

/// What the compiler's listings tell of a program.
struct compiled_program {
    std::vector<std::string> unseen;    ///< places of inline assembly that the checker cannot see into
    std::vector<std::string> libraries; ///< among its flags, whose accesses the checker does not see
    std::set<std::string> compiled_by;  ///< the compilers, as they call themselves
    bool can_give_up = false;           ///< it calls abort(), exit() or the like: properties beside assert()
    bool catch2_version3 = false;       ///< it has test cases of that
};

struct sources {
    std::vector<source_file> first;
    std::vector<source_file> second; ///< of a program that runs beside it; empty: there is none
};

/// Compiles and links. The compilers' complaints go to standard error, followed by what to do.
/// @param flags of all files; they come last
/// @param folder for temporary files
/// @return nothing when a step failed
std::optional<compiled_program> compile(const sources& files, const std::vector<std::string>& flags,
                                        const installation& here, const std::filesystem::path& folder,
                                        const std::string& program);

} // namespace ringproof::verify
