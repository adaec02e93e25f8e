// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exit codes, the same for every verb. They are part of the interface: scripts and CI read them.

namespace ringproof::command {

enum class exit_code : int {
    holds = 0,        ///< everything asked for holds, within the stated bounds
    refuted = 1,      ///< refuted, or a regression
    usage = 2,        ///< usage or bad input
    internal = 3,     ///< internal error
    inconclusive = 4, ///< a budget or bound ended the search; nothing refuted
    no_match = 5,     ///< nothing matched what was asked for
    skipped = 77,     ///< hardware or permission missing
    interrupted = 130 ///< interrupted, with a partial report
};

constexpr int to_int(exit_code code) { return static_cast<int>(code); }

} // namespace ringproof::command
