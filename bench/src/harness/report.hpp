// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session.hpp"

#include <ringproof/command/document.hpp>
#include <string>
#include <vector>

namespace ringproof::bench {

/// The table on standard output: a block for each group and regime, a line for each peer.
void print_table(const session& s, const std::vector<row>& rows);

/// What each peer gives up, on standard output; as a Markdown table or in blocks.
void print_semantics(const catalogue& all, bool markdown);

/// Google Benchmark's own JSON, written by its own reporter: every repetition and a median for each row;
/// then our head as context.ringproof, and workload, placement, peer, regime as fields of each benchmark.
command::json make_json(const session& s, const std::vector<row>& rows, const catalogue& all,
                        const machine& m, const std::vector<std::string>& invocation,
                        const std::vector<std::string>& warnings);

} // namespace ringproof::bench
