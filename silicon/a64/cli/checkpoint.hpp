// SPDX-License-Identifier: Apache-2.0
#pragma once
// A search that was stopped, in a file, for --resume. It is believed only where its checksum is right, and the version of
// ringproof, the compiled program and the options that shape a search are those that it was written with.

#include "findings.hpp"
#include "options.hpp"

#include <ringproof/command/document.hpp>

namespace ringproof::silicon::a64 {

/// The options that decide which executions there are, or which of them fail.
command::json shape_of(const options& o);

/// @throws command::file_error when the file cannot be written
void write_checkpoint(const findings& f, const program& p, const command::json& shape,
                      const std::string& path);

/// @param p knows then what the search had learnt
/// @throws command::file_error when the file cannot be read, and std::invalid_argument when it is no checkpoint, not
/// whole, or one of another program or of other options
findings read_checkpoint(program& p, const command::json& shape, const std::string& path);

} // namespace ringproof::silicon::a64
