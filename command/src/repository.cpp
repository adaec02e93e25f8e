// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/repository.hpp>

#include <system_error>

namespace ringproof::command {

namespace fs = std::filesystem;

fs::path folder_above_with(const fs::path& from, const std::string& name) {
    std::error_code ignored;
    for (fs::path folder = from;; folder = folder.parent_path()) {
        if (fs::exists(folder / name, ignored)) return folder;
        if (folder == folder.parent_path()) return {};
    }
}

const fs::path& results_root() {
    static const fs::path root = [] {
        std::error_code error;
        const fs::path here = fs::current_path(error);
        if (error) return fs::path();
        // A file in a submodule or a second worktree, so any kind will do.
        const fs::path repository = folder_above_with(here, ".git");
        return repository.empty() ? here : repository;
    }();
    return root;
}

std::string path_below(const fs::path& root, const std::string& path) {
    if (path.empty() || root.empty()) return path;
    std::error_code error;
    // A compiler names files by the path it was started in, which may lead through symbolic links.
    for (const fs::path& whole :
         {fs::absolute(path, error).lexically_normal(), fs::weakly_canonical(path, error)}) {
        const fs::path relative = whole.lexically_relative(root);
        if (!relative.empty() && *relative.begin() != "..") return relative.string();
    }
    return path;
}

std::string path_in_results(const std::string& path) { return path_below(results_root(), path); }

} // namespace ringproof::command
