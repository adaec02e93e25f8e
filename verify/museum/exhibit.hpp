// SPDX-License-Identifier: Apache-2.0
#pragma once
// An exhibit: a published bug in a source that is not ours, as exhibits/NAME.toml describes it.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

/// Where a source comes from: a Debian package, or a commit of a clone that the user has, whose files may include a package's.
struct origin {
    std::string package, version;   ///< the version's beginning; may be empty
    std::string source, commit;     ///< the name for --source NAME=DIR, and 40 hex digits
    std::vector<std::string> paths; ///< of the commit: what is taken out of it
};

/// The source before the fix, or after it.
struct edition {
    origin from;
    std::vector<std::string>
        flags; ///< for the compiler; {source} is the folder of the taken files, {museum} the driver's
    std::vector<std::string> files; ///< compiled beside the driver; {source} as above
};

/// Another tool that reports the bug before the fix, and nothing after it.
struct finder {
    std::string tool; ///< as --second-opinion takes it
    double seconds;   ///< that it took, on the machine of the page
};

/// "ThreadSanitizer", of "tsan"
std::string name_of_tool(std::string_view tool);

struct exhibit {
    std::string name;  ///< of the file, without its ending
    std::string title; ///< the class and its bug, in a line
    std::string bug, production;
    std::vector<std::string> links;   ///< where it is published
    std::string url;                  ///< to clone, for exhibits by --source
    std::string driver;               ///< path of the driver
    std::vector<std::string> flags;   ///< of both editions
    std::vector<std::string> options; ///< of `ringproof check`
    std::string model;
    std::string shows;    ///< how the counterexample's message begins: "data race", "assertion failed"
    std::string no_after; ///< why no fix is run; empty: there is one
    std::vector<finder> found_by;
    edition before;
    std::optional<edition> after;
};

/// Reads the text of a description.
/// @param shown the file's path: in messages, and what the exhibit is named after
/// @throws command::file_error "FILE:LINE:COLUMN: what is wrong, and what to do"
exhibit parse_exhibit(std::string_view text, const std::filesystem::path& shown);

/// All exhibits of a folder, by name. @throws command::file_error
std::vector<exhibit> read_exhibits(const std::filesystem::path& folder);

} // namespace ringproof::verify
