// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sources of exhibits: found on the user's machine, in Debian's packages and in clones. Nothing is downloaded.

#include "exhibit.hpp"

#include <map>

namespace ringproof::verify {

/// What --source says: name → folder of a clone.
using clones = std::map<std::string, std::string>;

/// A source that can be compiled, or why not.
struct found_source {
    std::string absent;           ///< "needs package X"; empty: it is there
    std::filesystem::path folder; ///< of a clone's files; empty for a package
    std::string version;          ///< "libboost1.74-dev 1.74.0+ds1-21", "xenium 0818d41df648"
};

/// Finds a source. Files of a commit are taken out of the clone into a folder below `into`.
/// @throws command::file_error when a folder of --source is no clone
found_source find_source(const origin& from, const std::string& url, const clones& known,
                         const std::filesystem::path& into);

/// Reads "NAME=DIR" of each --source. @throws std::invalid_argument
clones read_clones(const std::vector<std::string>& words, const std::vector<exhibit>& all);

} // namespace ringproof::verify
