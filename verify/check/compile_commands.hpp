// SPDX-License-Identifier: Apache-2.0
#pragma once
// compile_commands.json, as CMake, Meson and Bear write it: how a project's own build compiles each source.

#include "source.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

/// The words of a command as a POSIX shell divides them: quotes and backslashes, nothing else.
std::vector<std::string> words_of_command(std::string_view command);

/// Of a compiler's command line the flags that say what the code is: include folders, macros, the language's version.
/// Left out are the file, outputs, dependency files, warnings, and what the checker decides: optimisation, debug
/// information, sanitizers, coverage, link-time optimisation.
std::vector<std::string> flags_of_command(const std::vector<std::string>& command, std::string_view file);

/// The source with its flags and its folder.
/// @param database the file, or the folder that it lies in
/// @throws command::file_error when it cannot be read, is not such a file, or does not name the source
source_file source_in_database(const std::string& database, const std::string& source);

} // namespace ringproof::verify
