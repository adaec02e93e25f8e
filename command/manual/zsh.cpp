// SPDX-License-Identifier: Apache-2.0
#include "completion.hpp"

#include <fmt/format.h>

namespace ringproof::manual {
namespace {

constexpr const char* frame = R"(#compdef {name}
# zsh completion of {name} {version}, written from its table of options. Do not edit.
_{name}() {{
    local curcontext="$curcontext" state line
    local -a verbs=(
{top}    )
    _arguments -C '(- *)--help[show the verbs]' '(- *)--version[show the version]' '1:verb:->verb' '*::argument:->rest'
    case $state in
        verb) _describe -t verbs verb verbs ;;
        rest) _{name}_verb $line[1] ;;
    esac
}}
_{name}_verb() {{
    case $1 in
        help) _{name} ;;
{cases}        *) _files ;;
    esac
}}
_{name} "$@"
)";

/// Between single quotes, where "]", ":" and "\" mean something to _arguments.
std::string escaped(std::string_view text) {
    std::string made;
    for (const char c : text) {
        if (c == '\n') {
            made += ' ';
            continue;
        }
        if (c == '[' || c == ']' || c == ':' || c == '\\') made += '\\';
        made += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return made;
}

/// "FILE:_files"; what has spaces would end the message.
std::string action_of(const option& one) {
    std::string action = " ";
    if (!one.choices.empty()) action = fmt::format("({})", fmt::join(one.choices, " "));
    if (one.path == "file") action = "_files";
    if (one.path == "folder") action = "_files -/";
    return escaped(one.value.empty() ? "value" : one.value) + ":" + action;
}

std::string specs_of(const verb& what, const char* indent) {
    std::string text;
    for (const option& one : what.options) {
        if (one.positional) continue;
        for (const std::string& name : one.names) {
            std::string spec = "*" + name;
            if (one.value_attached)
                spec += fmt::format("=-[{}]::{}", escaped(one.help), action_of(one));
            else if (one.value_optional)
                spec += fmt::format("[{}]::{}", escaped(one.help), action_of(one));
            else if (!one.value.empty() && name.starts_with("--"))
                spec += fmt::format("=[{}]:{}", escaped(one.help), action_of(one));
            else if (!one.value.empty())
                spec += fmt::format("[{}]:{}", escaped(one.help), action_of(one));
            else
                spec += fmt::format("[{}]", escaped(one.help));
            text += fmt::format("{}'{}' \\\n", indent, spec);
        }
    }
    return text + fmt::format("{}'*:argument:{}'\n", indent, takes_files(what) ? "_files" : "_default");
}

std::string case_of(const command& of, const verb& what) {
    std::string text = fmt::format("        {})\n", what.words.back());
    if (!what.verbs.empty()) {
        text += "            if (( CURRENT == 2 )); then\n                local -a own=(\n";
        for (const named& one : what.verbs)
            text += fmt::format("                    '{}:{}'\n", one.name, escaped(one.does));
        text += "                )\n                _describe -t verbs verb own\n            fi\n";
        text += "            case $words[2] in\n";
        for (const verb& own : of.verbs)
            if (own.words.size() == 2 && own.words.front() == what.words.front())
                text += fmt::format("                {})\n                    shift words; (( CURRENT-- ))\n"
                                    "                    _arguments -S \\\n{}                    return ;;\n",
                                    own.words.back(), specs_of(own, "                        "));
        text += "            esac\n";
    }
    return text + "            _arguments -S \\\n" + specs_of(what, "                ") + "            ;;\n";
}

} // namespace

std::string zsh_completion(const command& of) {
    std::string top, cases;
    for (const verb& what : of.verbs) {
        if (what.words.size() > 1) continue;
        top += fmt::format("        '{}:{}'\n", what.words.front(), escaped(what.does));
        cases += case_of(of, what);
    }
    return fmt::format(frame, fmt::arg("name", of.name), fmt::arg("version", of.version),
                       fmt::arg("top", top), fmt::arg("cases", cases));
}

} // namespace ringproof::manual
