// SPDX-License-Identifier: Apache-2.0
#include "completion.hpp"

#include <fmt/format.h>

namespace ringproof::manual {
namespace {

std::string quoted(std::string_view text) {
    std::string made = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') made += '\\';
        made += c == '\n' ? ' ' : c;
    }
    return made + "'";
}

/// When words of a verb are completed: behind it, and not behind a verb of its own, which has its own options.
std::string condition_of(const verb& what) {
    std::string text = fmt::format("__fish_seen_subcommand_from {}", what.words.front());
    if (what.words.size() > 1) text += fmt::format("; and __fish_seen_subcommand_from {}", what.words.back());
    for (const named& own : what.verbs)
        text += fmt::format("; and not __fish_seen_subcommand_from {}", own.name);
    return text;
}

std::string options_of(const command& of, const verb& what) {
    std::string text;
    const std::string condition = quoted(condition_of(what));
    for (const option& one : what.options) {
        if (one.positional) continue;
        std::string line = fmt::format("complete -c {} -n {}", of.name, condition);
        for (const std::string& name : one.names)
            line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!one.choices.empty())
            line += fmt::format(" -f -a {}", quoted(fmt::format("{}", fmt::join(one.choices, " "))));
        if (!one.value.empty() && !one.value_optional) line += " -r";
        if (one.path == "folder") line += " -f -a '(__fish_complete_directories)'";
        if (one.path == "file") line += " -F";
        text += line + fmt::format(" -d {}\n", quoted(one.help));
    }
    return text;
}

} // namespace

std::string fish_completion(const command& of) {
    std::string text =
        fmt::format("# fish completion of {0} {1}, written from its table of options. Do not edit.\n"
                    "complete -c {0} -n __fish_use_subcommand -f\n",
                    of.name, of.version);
    for (const verb& what : of.verbs) {
        const bool own = what.words.size() > 1;
        const std::string when =
            own ? quoted(fmt::format("__fish_seen_subcommand_from {}", what.words.front()))
                : "__fish_use_subcommand";
        text += fmt::format("complete -c {} -n {} -a {} -d {}\n", of.name, when, what.words.back(),
                            quoted(what.does));
        if (!own && !takes_files(what))
            text += fmt::format("complete -c {} -n {} -f\n", of.name, quoted(condition_of(what)));
        text += options_of(of, what);
    }
    return text;
}

} // namespace ringproof::manual
