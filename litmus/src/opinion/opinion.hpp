// SPDX-License-Identifier: Apache-2.0
#pragma once
// --second-opinion: another simulator is asked about the same tests under the same models, and what it says is compared with
// ours, which it does not change.

#include <ringproof/command/opinion.hpp>

#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

namespace ringproof::litmus {

/// What another simulator says of a test under a model.
struct opinion {
    std::string tool, file, name, model;
    std::string verdict; ///< "same", "different", "not expressible", "failed"
    std::string message; ///< a sentence for people
    std::string words;   ///< the simulator's own
    double seconds = 0;
};

struct opinions {
    std::vector<command::opinion_source> sources;
    std::vector<opinion> all; ///< those that differ first, then those that failed
};

/// Asks the simulators `wanted` (TOOL or TOOL=ADAPTER) about `results`, those of a document "ringproof-litmus/1".
opinions ask_opinions(const std::vector<std::string>& wanted, double seconds, const command::json& results,
                      const std::atomic<bool>& interrupted);

/// What an exit code has to say beside our own verdicts: 0, 1 for a difference, 2 for a simulator that cannot be used as it
/// was given, 77 for one that is absent or has failed.
int code_of(const opinions& asked);

void print(const opinions& asked, std::FILE* out);

command::json to_json(const opinions& asked);

} // namespace ringproof::litmus
