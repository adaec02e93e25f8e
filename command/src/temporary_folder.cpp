// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/file.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace ringproof::command {

namespace fs = std::filesystem;

temporary_folder::temporary_folder(std::string_view name) {
    const char* chosen = std::getenv("TMPDIR");
    // Absolute, as a compiler may work in another folder.
    std::string pattern = fs::absolute(chosen && *chosen ? chosen : "/tmp") / fmt::format("{}-XXXXXX", name);
    if (!mkdtemp(pattern.data()))
        throw file_error(
            fmt::format("{}: cannot make a temporary folder: {}", pattern, std::strerror(errno)));
    path_ = pattern;
}

temporary_folder::~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

} // namespace ringproof::command
