// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that the user names: read and written so that whatever is wrong with one is a sentence with its name.

#include <stdexcept>
#include <string>
#include <string_view>

namespace ringproof::command {

/// A file that cannot be read or written: the user's to put right, so exit code 2 (see run_verb()).
struct file_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// All of a file, or of a pipe. @throws file_error "PATH: cannot read: WHY", also for a folder or a device
std::string read_text(const std::string& path);

/// Writes `text` to `path` ("-" is standard output) through a temporary file beside it and a rename, so that a full
/// disk or an interruption never leaves half a file. What is there and is no file (a device, a pipe) is written to.
/// @throws file_error "PATH: cannot write: WHY"
void write_text(std::string_view text, const std::string& path);

} // namespace ringproof::command
