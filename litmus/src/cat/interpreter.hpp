// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs the text of a model and leaves the graph of what it computes. The standard library (stdlib,
// cross, cos and their kin) is our own and always found; other files come from the folders named.

#include "ast.hpp"
#include "graph.hpp"

#include <functional>
#include <set>
#include <stdexcept>

namespace ringproof::litmus::cat {

/// The model looks into a set (`match S with …`), which no execution has been given for yet.
struct needs_execution : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct setting {
    std::vector<std::string> folders;   ///< searched by `include`
    std::vector<std::string> libraries; ///< files run before the model (a .bell file)
    std::set<std::string> variants;
    std::set<std::string> skipped_checks; ///< by name
    extent size{0};
    /// When given, makes `match` on sets possible: the paths of the one execution this is for.
    const base_values* execution = nullptr;
};

/// @throws syntax_error, needs_execution
graph interpret(const model_text& m, const setting& s);

/// The text of one of our models or library files; nullptr if there is none of that name.
const std::string* built_in(const std::string& file);
std::vector<std::string> built_in_models();

/// Is this the name of a set or relation that executions have, on any architecture?
bool is_base_set(const std::string& name);
/// Whether linux-kernel.cat has this from linux-kernel.bell.
bool is_of_bell(const std::string& name);
/// A set of herd7 that no test of ours has events of. Empty from the start, so that a model may look into it.
bool is_absent_set(const std::string& name);
bool is_base_relation(const std::string& name);

} // namespace ringproof::litmus::cat
