// SPDX-License-Identifier: Apache-2.0
#include "globs.hpp"

#include <glob.h>

namespace ringproof::verify {

namespace fs = std::filesystem;

std::vector<std::string> files_matching(const fs::path& folder, const std::string& pattern) {
    std::string whole = pattern;
    std::string before;
    if (!fs::path(pattern).is_absolute()) {
        before = (folder / "").string();
        std::string escaped; // the folder's name is no pattern
        for (const char c : before) {
            if (c == '*' || c == '?' || c == '[' || c == '\\') escaped += '\\';
            escaped += c;
        }
        whole = escaped + pattern;
    }
    glob_t found{};
    std::vector<std::string> files;
    if (glob(whole.c_str(), 0, nullptr, &found) == 0)
        for (std::size_t i = 0; i < found.gl_pathc; ++i) {
            const std::string path = found.gl_pathv[i];
            std::error_code ignored;
            if (fs::is_regular_file(path, ignored)) files.push_back(path.substr(before.size()));
        }
    globfree(&found);
    return files;
}

} // namespace ringproof::verify
