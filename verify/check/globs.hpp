// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace ringproof::verify {

/// The files that a pattern with *, ? and [...] means, in the order of their names and relative to `folder`; a name
/// without any of these is itself. Empty: nothing matches. "**" is not known: it is "*".
std::vector<std::string> files_matching(const std::filesystem::path& folder, const std::string& pattern);

} // namespace ringproof::verify
