// SPDX-License-Identifier: Apache-2.0
#pragma once
// --second-opinion: other checkers run the same scenarios after ours, and their verdicts stand beside our own, which they
// do not change.

#include "../outcome/outcome.hpp"

#include <ringproof/command/opinion.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify {

/// What one checker's scheduler says of one scenario.
struct opinion {
    std::string tool, scheduler, scenario;
    std::string verdict; ///< "no bug", "bug", "stopped", "not expressible", "failed"
    std::string message; ///< a sentence for people: how far it went, why it failed
    std::string words;   ///< the checker's own
    std::string place, history;
    std::string ours; ///< our verdict under rc11, if there is one
    std::uint64_t runs = 0;
    /// Complete executions, and ours under rc11, where the checker counts each once, as we do.
    std::optional<std::uint64_t> executions, our_executions;
    double seconds = 0;
    /// Whether the two say the same; nothing where one of them says nothing.
    std::optional<bool> agrees;
    std::string explanation; ///< of a disagreement; empty: a bug in one of the two
};

struct opinions {
    std::vector<command::opinion_source> sources;
    std::vector<opinion> all; ///< disagreements first, those without an explanation before all
};

/// @throws std::invalid_argument when a checker of `options` is none that is known
void check_names(const command_options& options);

/// Asks the checkers of `options` about the scenarios of `outcomes`.
opinions ask_opinions(const std::vector<outcome>& outcomes, const command_options& options);

/// What an exit code has to say beside our own verdicts: 0, 1 for a disagreement without an explanation, 2 for a checker
/// that cannot be used as it was given, 77 for one that is absent or has failed.
int code_of(const opinions& asked);

void print(const opinions& asked, std::FILE* out);

command::json to_json(const opinions& asked);

} // namespace ringproof::verify
