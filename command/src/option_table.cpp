// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/document.hpp>
#include <ringproof/command/option_table.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace ringproof::command {
namespace {

constexpr std::size_t width = 100, column = 30;

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// "a|b" and ":{a,b}", as the library writes the check for one of some words.
std::vector<std::string> choices_in(std::string_view type) {
    const std::size_t open = type.find(":{"), close = type.find('}', std::min(open, type.size()));
    if (open != std::string_view::npos && close != std::string_view::npos)
        return split(type.substr(open + 2, close - open - 2), ',');
    const std::string_view name = type.substr(0, type.find(':'));
    const bool words = name.find('|') != std::string_view::npos &&
                       std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    return words ? split(name, '|') : std::vector<std::string>{};
}

/// What stands for the value in the help: not the library's names of types.
std::string shown_value(std::string_view type, const std::vector<std::string>& choices) {
    constexpr std::size_t few = 60;
    std::string name(type.substr(0, type.find(':')));
    if (name == "UINT" || name == "INT" || name == "FLOAT") return "N";
    if (!name.empty() && name != "TEXT") return name;
    const std::string words = fmt::format("{}", fmt::join(choices, "|"));
    return !choices.empty() && words.size() <= few ? words : "TEXT";
}

path_kind path_in(std::string_view value) {
    const auto has = [&](std::string_view what) { return value.find(what) != std::string_view::npos; };
    if (has("FILE") || has("TOML") || has("json") || value == "OLD" || value == "NEW") return path_kind::file;
    return has("DIR") ? path_kind::folder : path_kind::none;
}

option_row row_of(const CLI::Option& option) {
    option_row row;
    row.positional = option.get_positional();
    row.required = option.get_required();
    row.help = option.get_description();
    const std::string type = option.get_type_name();
    row.choices = choices_in(type);
    if (row.positional) {
        row.names.push_back(option.get_name(true));
    } else {
        for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
        for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
    }
    const bool flag = option.get_items_expected_max() == 0 || option.get_type_size() == 0;
    row.value_attached = flag && !row.choices.empty();
    row.value_optional = row.value_attached || (!flag && option.get_expected_min() == 0);
    if (!flag || row.value_attached) row.value = shown_value(type, row.choices);
    row.repeatable = !flag && (option.get_expected_max() > 1 ||
                               option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
    const std::string place = row.positional ? row.names.front() + " " + row.value : row.value;
    row.path = path_in(place);
    const std::string by_default = option.get_default_str();
    if (!row.value_optional && row.help.find("default") == std::string::npos) row.by_default = by_default;
    return row;
}

/// "-j, --jobs N"
std::string left_of(const option_row& row) {
    std::string text = fmt::format("{}", fmt::join(row.names, ", "));
    if (row.positional) return text + (row.repeatable ? " ..." : "");
    if (row.value.empty()) return text;
    if (row.value_attached) return text + fmt::format("[={}]", row.value);
    const bool bracketed = row.value.front() == '[';
    return text + (row.value_optional && !bracketed ? fmt::format(" [{}]", row.value) : " " + row.value);
}

/// `text` in lines of at most `most` letters; its own line ends stay. Bytes that go on with a letter count nothing.
std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
    const auto letters = [](std::string_view word) {
        return static_cast<std::size_t>(
            std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    };
    std::vector<std::string> lines;
    for (const std::string& paragraph : split(text, '\n')) {
        if (paragraph.starts_with("  ")) { // an example, to be copied
            lines.push_back(paragraph);
            continue;
        }
        std::string line;
        bool first = true;
        for (const std::string& word : split(paragraph, ' ')) {
            if (!first && letters(line) + 1 + letters(word) > most) {
                lines.push_back(line);
                line.clear();
                first = true;
            }
            line += (first ? "" : " ") + word;
            first = false;
        }
        lines.push_back(line);
    }
    return lines;
}

void add_entry(std::string& text, const std::string& left, const std::string& right) {
    std::string line = "  " + left;
    bool begun = line.size() + 2 <= column;
    if (!begun) text += line + "\n";
    for (const std::string& part : wrapped(right, width - column)) {
        text += begun ? line + std::string(column - line.size(), ' ') : std::string(column, ' ');
        text += part + "\n";
        begun = false;
    }
}

std::string usage_of(const CLI::App& app, const std::vector<option_row>& rows) {
    const std::string name = app.get_name();
    std::string text = "usage: " + name;
    if (name.find('[') == std::string::npos) { // else it has them already
        text += " [OPTIONS]";
        for (const option_row& row : rows)
            if (row.positional) {
                const std::string shown = row.names.front() + (row.repeatable ? "..." : "");
                text += row.required ? " " + shown : " [" + shown + "]";
            }
    }
    return text;
}

std::string help_of(const CLI::App& app, const std::vector<sub_verb>& verbs) {
    const std::vector<option_row> rows = rows_of(app);
    std::string text;
    for (const std::string& line : wrapped(app.get_description(), width)) text += line + "\n";
    text += "\n" + usage_of(app, rows) + "\n";
    const std::string name = app.get_name();
    for (const sub_verb& verb : verbs) text += fmt::format("       {} {} ...\n", name, verb.name);
    if (!verbs.empty()) {
        text += "\nverbs of its own (each has a --help):\n";
        for (const sub_verb& verb : verbs) add_entry(text, verb.name, verb.does);
    }
    for (const bool positional : {true, false}) {
        bool any = false;
        for (const option_row& row : rows) {
            if (row.positional != positional) continue;
            if (!any) text += positional ? "\narguments:\n" : "\noptions:\n";
            any = true;
            add_entry(text, left_of(row),
                      row.help + (row.by_default.empty() ? "" : "; default: " + row.by_default));
        }
    }
    if (const std::string footer = app.get_footer(); !footer.empty()) {
        text += "\n";
        for (const std::string& line : wrapped(footer, width)) text += line + "\n";
    }
    return text;
}

json to_json(const option_row& row) {
    json made = {{"names", row.names},
                 {"value", row.value},
                 {"help", row.help + (row.by_default.empty() ? "" : "; default: " + row.by_default)},
                 {"left", left_of(row)}};
    if (row.positional) made["positional"] = true;
    if (row.repeatable) made["repeatable"] = true;
    if (row.value_optional) made["value_optional"] = true;
    if (row.value_attached) made["value_attached"] = true;
    if (!row.choices.empty()) made["choices"] = row.choices;
    if (row.path != path_kind::none) made["path"] = row.path == path_kind::file ? "file" : "folder";
    return made;
}

std::string table_of(const CLI::App& app, const std::vector<sub_verb>& verbs) {
    const std::vector<option_row> rows = rows_of(app);
    json made = {{"name", app.get_name()},
                 {"usage", usage_of(app, rows).substr(std::string_view("usage: ").size())},
                 {"description", app.get_description()},
                 {"footer", app.get_footer()},
                 {"verbs", json::array()},
                 {"options", json::array()}};
    for (const sub_verb& verb : verbs) made["verbs"].push_back({{"name", verb.name}, {"does", verb.does}});
    for (const option_row& row : rows) made["options"].push_back(to_json(row));
    return made.dump(1);
}

} // namespace

std::vector<option_row> rows_of(const CLI::App& app) {
    std::vector<option_row> rows;
    for (const bool positional : {true, false})
        for (const CLI::Option* option : app.get_options())
            if (!option->get_group().empty() && option->get_positional() == positional &&
                option != app.get_help_ptr())
                rows.push_back(row_of(*option));
    if (const CLI::Option* help = app.get_help_ptr()) rows.push_back(row_of(*help));
    return rows;
}

void add_common_options(CLI::App& app, std::vector<sub_verb> verbs) {
    // The library has help before requirements, and so are these.
    app.add_flag_callback(
        "--version", [] { throw CLI::CallForVersion(version_line(), 0); },
        "show the version, with the commit that it was built from");
    const auto shared = std::make_shared<std::vector<sub_verb>>(std::move(verbs));
    app.add_flag_callback("--help-json",
                          [&app, shared] { throw CLI::CallForVersion(table_of(app, *shared), 0); })
        ->group("");
    app.set_help_flag("-h,--help", "show this help");
    app.formatter_fn([shared](const CLI::App* of, const std::string&, CLI::AppFormatMode) {
        return help_of(*of, *shared);
    });
}

} // namespace ringproof::command
