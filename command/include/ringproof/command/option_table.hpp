// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a verb's options are, in one form for all that is made from them: --help, the manual pages, shell completion.

#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library has named it
class App;
class Option;
} // namespace CLI

namespace ringproof::command {

/// A word behind the verb that has options of its own, as `generate` in `ringproof litmus generate`.
struct sub_verb {
    std::string name, does;
};

/// What an option takes from the file system; completion offers that.
enum class path_kind { none, file, folder };

struct option_row {
    std::vector<std::string> names; ///< "-j", "--jobs"; of an argument "FILE"
    bool positional = false;
    bool required = false;
    bool repeatable = false;
    std::string value; ///< "N"; empty: a flag
    bool value_optional = false;
    bool value_attached = false; ///< only as --name=VALUE
    std::vector<std::string> choices;
    path_kind path = path_kind::none;
    std::string help;
    std::string by_default; ///< empty: none, or the help says it
};

/// The rows of the options that are not hidden, in their order; arguments first.
std::vector<option_row> rows_of(const CLI::App& app);

/// Adds --version and help in the form that all verbs have, and --help-json, which is hidden: it prints the table, from which
/// manual pages and completion are generated. Call it when all options are there.
void add_common_options(CLI::App& app, std::vector<sub_verb> verbs = {});

} // namespace ringproof::command
