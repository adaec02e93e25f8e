// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each peer gives up, in words: as a list for a terminal, and as the table of docs/bench.md.

#include "../workload/catalogue.hpp"

#include <string>

namespace ringproof::bench {

/// A block of lines.
std::string semantics_block(const semantics& of);

/// The two lines that a Markdown table begins with, and one peer's line; each ends with a line feed.
std::string semantics_table_head();
std::string semantics_table_row(const semantics& of);

} // namespace ringproof::bench
