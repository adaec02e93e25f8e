// SPDX-License-Identifier: Apache-2.0
#pragma once
// The options of the command line that a program and a set of scenarios share, as the help text has them.

#include "options.hpp"

namespace CLI { // NOLINT(readability-identifier-naming): the library has named it
class App;
} // namespace CLI

namespace ringproof::verify {

/// What is read before it is an option.
struct raw_options {
    bool quick = false;
    std::string color = "auto";
    std::vector<std::string> positional, models;
    bool list_assumptions = false;
    bool trust_assembly = false;
    std::string races, liveness;
};

/// Adds all of them to `app`, in the order of the help text. What is parsed goes to `o` and `raw`.
void describe_options(CLI::App& app, command_options& o, raw_options& raw);

} // namespace ringproof::verify
