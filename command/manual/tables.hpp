// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the command and its verbs say of themselves, from which manual pages and completion are written.

#include <string>
#include <vector>

namespace ringproof::manual {

struct option {
    std::vector<std::string> names; ///< "-j", "--jobs"; of an argument "FILE"
    std::string left;               ///< "-j, --jobs N"
    std::string value;              ///< "N"; empty: a flag
    std::string help;
    std::vector<std::string> choices;
    std::string path; ///< "file", "folder" or empty
    bool positional = false, value_optional = false, value_attached = false;
};

struct named {
    std::string name, does;
};

/// A verb, or a verb's own verb.
struct verb {
    std::vector<std::string> words; ///< "litmus", "generate"
    std::string does;               ///< in a line
    std::string name, usage, description, footer;
    std::vector<option> options;
    std::vector<named> verbs;
};

struct command {
    std::string name, version, does, footer;
    std::vector<verb> verbs; ///< those of verbs behind their verb
};

/// Asks `program`, and each verb that it has. @throws std::runtime_error naming the command line that failed
command ask(const std::string& program);

/// Of what a program prints with --help-json. @throws std::exception when a field is missing
verb verb_from(const std::string& text, std::vector<std::string> words, std::string does);

} // namespace ringproof::manual
