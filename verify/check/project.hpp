// SPDX-License-Identifier: Apache-2.0
#pragma once
// ringproof.toml: the programs of a project, so that `ringproof check` without files checks them all.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

/// A [[program]]. What [defaults] says is in it already.
struct project_program {
    std::string name;
    std::vector<std::string> sources; ///< relative to the project's folder
    std::vector<std::string> flags;   ///< for the compiler
    std::vector<std::string> models;  ///< empty: what `ringproof check` takes by itself
    std::vector<std::string> options; ///< of `ringproof check`, but for models and time
    double seconds = 0;               ///< for each model; 0: no limit
    std::string expect;               ///< "verified", "refuted"; empty: verified
    std::string compile_commands;     ///< file or folder; empty: none
    std::string place;                ///< "ringproof.toml:3:1", for messages
};

struct project {
    std::filesystem::path folder; ///< of the file
    double budget = 0;            ///< seconds for all programs; 0: no limit
    std::vector<project_program> programs;
};

inline constexpr const char* project_file = "ringproof.toml";

/// Reads the text of a project's file.
/// @param shown the file's name in messages
/// @param folder that sources are relative to
/// @throws command::file_error "FILE:LINE:COLUMN: what is wrong, and what to do"
project parse_project(std::string_view text, const std::string& shown, const std::filesystem::path& folder);

/// @throws command::file_error as above, or when the file cannot be read
project read_project(const std::filesystem::path& file);

} // namespace ringproof::verify
