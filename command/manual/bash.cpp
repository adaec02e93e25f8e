// SPDX-License-Identifier: Apache-2.0
#include "completion.hpp"

#include <fmt/format.h>

namespace ringproof::manual {
namespace {

// Needs nothing of the package bash-completion, which need not be there. "=" breaks words, so "--model=rc" comes as three.
constexpr const char* frame =
    R"(# bash completion of {name} {version}, written from its table of options. Do not edit.
_{name}() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]-}} verb='' option='' i word
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        word=${{COMP_WORDS[i]}}
        case "$verb $word" in
{verbs}            ' help') ;;
            *) [[ -n $verb || $word == -* ]] || return ;;
        esac
    done
    [[ $cur == '=' ]] && cur='' && option=$prev
    [[ $prev == '=' ]] && option=${{COMP_WORDS[COMP_CWORD-2]-}}
    _{name}_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }}
    _{name}_files() {{ compopt -o filenames; mapfile -t COMPREPLY < <(compgen "$@" -- "$cur"); }}
    # What stands behind an option that takes a value.
    case "$verb:${{option:-$prev}}" in
{values}    esac
    [[ -z $option ]] || return
    case "$cur:$verb" in
{options}        *:) _{name}_words '{top}' ;;
{arguments}    esac
}}
complete -F _{name} {name}
)";

/// Of a verb "litmus generate".
std::string words_of(const verb& what) { return fmt::format("{}", fmt::join(what.words, " ")); }

/// A pattern of the shell for each name that an option has.
std::string names_pattern(const verb& what, const option& one) {
    std::string text;
    for (const std::string& name : one.names)
        text += fmt::format("{}'{}:{}'", text.empty() ? "" : " | ", words_of(what), name);
    return text;
}

std::string values_of(const command& of, const verb& what) {
    std::string text;
    for (const option& one : what.options) {
        if (one.positional || one.value.empty()) continue;
        // A flag that takes a value only behind "=" is followed by any other word.
        const std::string guard = one.value_attached ? "[[ -n $option ]] && " : "";
        std::string action;
        if (!one.choices.empty())
            action = fmt::format("_{}_words '{}'", of.name, fmt::join(one.choices, " "));
        else if (one.path == "file")
            action = fmt::format("_{}_files -f", of.name);
        else if (one.path == "folder")
            action = fmt::format("_{}_files -d", of.name);
        else
            action = ":"; // nothing is known of it; other options would be wrong
        const std::string end = one.value_attached   ? " && return"
                                : one.value_optional ? "; [[ $cur == -* ]] || return"
                                                     : "; return";
        text += fmt::format("        {}) {}{}{} ;;\n", names_pattern(what, one), guard, action, end);
    }
    return text;
}

std::string option_words(const verb& what) {
    std::string text;
    for (const option& one : what.options)
        if (!one.positional)
            for (const std::string& name : one.names) text += (text.empty() ? "" : " ") + name;
    return text;
}

} // namespace

bool takes_files(const verb& what) {
    if (what.usage.find("FILE") != std::string::npos || what.usage.find("json") != std::string::npos)
        return true;
    for (const option& one : what.options)
        if (one.positional && !one.path.empty()) return true;
    return false;
}

std::string bash_completion(const command& of) {
    std::string verbs, values, options, arguments, top;
    for (const verb& what : of.verbs) {
        const bool own = what.words.size() > 1;
        const std::string before = own ? what.words.front() : "";
        verbs +=
            fmt::format("            '{} {}') verb='{}' ;;\n", before, what.words.back(), words_of(what));
        values += values_of(of, what);
        options +=
            fmt::format("        -*:'{}') _{}_words '{}' ;;\n", words_of(what), of.name, option_words(what));
        std::string names;
        for (const named& one : what.verbs) names += (names.empty() ? "" : " ") + one.name;
        if (!names.empty())
            arguments += fmt::format(
                "        *:'{0}')\n            _{1}_words '{2}'\n"
                "            [[ ${{#COMPREPLY[@]}} -gt 0 && -n $cur ]] || _{1}_files -f\n            ;;\n",
                words_of(what), of.name, names);
        else if (takes_files(what))
            arguments += fmt::format("        *:'{}') _{}_files -f ;;\n", words_of(what), of.name);
        if (!own) top += what.words.front() + " ";
    }
    options += fmt::format("        -*:) _{}_words '--help --version' ;;\n", of.name);
    top += "help";
    return fmt::format(frame, fmt::arg("name", of.name), fmt::arg("version", of.version),
                       fmt::arg("verbs", verbs), fmt::arg("values", values), fmt::arg("options", options),
                       fmt::arg("top", top), fmt::arg("arguments", arguments));
}

} // namespace ringproof::manual
