// SPDX-License-Identifier: Apache-2.0
#pragma once
// A scenario under one model, and what came of it.

#include "../trace/counterexample.hpp"
#include "options.hpp"
#include "shown.hpp"

#include <ringproof/command/progress.hpp>
#include <ringproof/verify/explore.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify {

/// What is to be explored: a scenario, or a whole program.
struct subject {
    std::string name;
    std::function<void()> body;
    scenario_options options;
    std::string file;
    int line = 0;
    std::string unseen = {}; ///< places where it does what the checker cannot see; empty: none known
};

/// An order that the program does not ask for, and what came of it.
struct weakened_order {
    std::string function, access, from, to; ///< "load_tail", "load", "acquire", "relaxed"
    std::string finding;                    ///< "needed", "over-strong" …
    std::string scenario;                   ///< that refutes it, or leaves it open
    std::size_t calls = 0;                  ///< copies in the machine code
    std::string data = {};                  ///< of a letter: "plain" or "atomic"; otherwise empty
};

struct outcome {
    const subject* what = nullptr;
    memory_model model = memory_model::rc11;
    verify::verdict verdict = verdict::error;
    /// What the scenario expects of this model; nothing when it does not name the model and is a broken twin.
    std::optional<verify::verdict> expected;
    std::string message; ///< why it is inconclusive or an error
    exploration_result result;
    std::vector<std::string> unmet; ///< situations that no execution met, of those the scenario requires
    std::optional<counterexample> example;
    std::string among; ///< --shortest: how the example compares with the others that fail
    std::vector<shown_execution> shown;
    std::optional<weakened_order> weakened;
    bool interrupted = false;
    bool bad_input = false; ///< error: it is the program that cannot be checked

    bool ok() const;
};

/// What is out of sight, and where.
std::string unseen_text(const subject& what);

/// How long the failing execution is, and of how many it is the shortest.
std::string among(const exploration_result& r);

class symbols;

/// The bounds that left something out, with their places.
std::vector<std::string> bounds_met(const exploration_result& r, const command_options& options,
                                    const symbols& names);

std::string_view model_name(memory_model m);
std::string_view verdict_name(verdict v);

/// Explores `what` under `model`, within the limits of `options`. `earlier`: the stopped search to go on with.
outcome run(const subject& what, memory_model model, const command_options& options, const symbols& names,
            command::progress& progress, const exploration_result* earlier = nullptr);

/// Runs the execution of a replay token. @throws std::invalid_argument when it does not fit the program
outcome run_token(const subject& what, memory_model model, const std::vector<step>& steps,
                  const command_options& command, const symbols& names);

} // namespace ringproof::verify
