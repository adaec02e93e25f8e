// SPDX-License-Identifier: Apache-2.0
#pragma once
// Paths in results. A CI system attaches a finding to a file by its path in the repository, wherever the command ran.

#include <filesystem>
#include <string>

namespace ringproof::command {

/// The nearest folder at or above `from` that contains `name`; empty when none does.
std::filesystem::path folder_above_with(const std::filesystem::path& from, const std::string& name);

/// The folder that paths in results are relative to: the top of the repository around the working folder (the
/// nearest folder with a .git), or the working folder itself outside a repository.
const std::filesystem::path& results_root();

/// `path` relative to `root`, where it lies below; otherwise unchanged.
std::string path_below(const std::filesystem::path& root, const std::string& path);

/// path_below(results_root(), path)
std::string path_in_results(const std::string& path);

} // namespace ringproof::command
