// SPDX-License-Identifier: Apache-2.0
#include "pages.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace ringproof::manual {
namespace {

/// A letter of more than one byte, as the formatters know it.
std::string letter(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    std::uint32_t code = first & (0x3Fu >> more);
    for (std::size_t i = 0; i < more && at + 1 < text.size(); ++i) code = code << 6 | (byte(++at) & 0x3Fu);
    return fmt::format("\\[u{:04X}]", code);
}

/// Text as roff takes it: hyphens of options stay such, and no line begins with a request.
std::string escaped(std::string_view text) {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool begin = made.empty() || made.back() == '\n';
        if (begin && (c == '.' || c == '\'')) made += "\\&";
        if (c == '\\')
            made += "\\e";
        else if (c == '-')
            made += "\\-";
        else if (c == '\'')
            made += "\\(aq";
        else if (c == '`')
            made += "\\(ga";
        else if (c == '^')
            made += "\\(ha";
        else if (c == '~')
            made += "\\(ti";
        else if (static_cast<unsigned char>(c) >= 0x80)
            made += letter(text, i);
        else
            made += c;
    }
    return made;
}

/// Several lines in the running text: each a line of its own.
std::string lines(std::string_view text) {
    std::string made = escaped(text);
    for (std::size_t at = 0; (at = made.find('\n', at)) != std::string::npos;) {
        const std::string end = "\n.br\n";
        made.replace(at, 1, end);
        at += end.size();
    }
    return made;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
    return text;
}

/// A description in one line, as NAME has it: no full stop, small at the beginning.
std::string head(const std::string& name, const command& of, const std::string& date,
                 const std::string& does) {
    return fmt::format(".\\\" Written from the table of options of {0} {1}. Do not edit.\n"
                       ".TH {2} 1 {3} \"{0} {1}\" \"{0}\"\n"
                       ".SH NAME\n{4} \\- {5}\n",
                       of.name, of.version, upper(escaped(name)), date, escaped(name), escaped(does));
}

std::string entry(const std::string& left, const std::string& right) {
    return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(left), lines(right));
}

std::string options_of(const verb& what, bool positional) {
    std::string text;
    for (const option& one : what.options) {
        if (one.positional != positional) continue;
        std::string help = one.help;
        // In the help text the words stand for the value unless they are many.
        if (one.choices.size() > 1 && one.left.find(one.choices[1]) == std::string::npos)
            help += fmt::format("\nOne of: {}", fmt::join(one.choices, ", "));
        text += entry(one.left, help);
    }
    return text.empty() ? "" : fmt::format(".SH {}\n{}", positional ? "ARGUMENTS" : "OPTIONS", text);
}

struct parts {
    std::string before, examples, codes;
};

/// A footer has notes, examples, and exit codes in the form "exit codes: 0 done · 2 usage".
parts parts_of(const std::string& footer) {
    parts made;
    const std::size_t codes = std::min(footer.find("exit codes: "), footer.size());
    made.before = footer.substr(0, codes);
    if (codes < footer.size()) made.codes = footer.substr(codes + std::string_view("exit codes: ").size());
    if (made.before.starts_with("Examples:\n")) {
        made.examples = made.before.substr(made.before.find('\n') + 1);
        const std::size_t last = made.examples.rfind("\n  ");
        const std::size_t end = last == std::string::npos ? 0 : made.examples.find('\n', last + 1);
        made.before = end == std::string::npos ? "" : made.examples.substr(end + 1);
        made.examples.resize(std::min(end, made.examples.size()));
    }
    while (made.before.ends_with('\n')) made.before.pop_back();
    return made;
}

std::string exit_status(const std::string& codes) {
    std::string text;
    constexpr std::string_view dot = "·";
    for (std::size_t begin = 0; begin < codes.size();) {
        const std::size_t end = std::min(codes.find(dot, begin), codes.size());
        std::string one = codes.substr(begin, end - begin);
        std::replace(one.begin(), one.end(), '\n', ' ');
        one = one.substr(std::min(one.find_first_not_of(' '), one.size()));
        while (one.ends_with(' ')) one.pop_back();
        const std::size_t blank = std::min(one.find(' '), one.size());
        text += entry(one.substr(0, blank), one.substr(std::min(blank + 1, one.size())));
        begin = end + dot.size();
    }
    return text.empty() ? "" : ".SH EXIT STATUS\n" + text;
}

std::string footer_of(const std::string& footer) {
    const parts made = parts_of(footer);
    std::string text;
    if (!made.before.empty()) text += ".SH NOTES\n" + lines(made.before) + "\n";
    if (!made.examples.empty()) text += ".SH EXAMPLES\n.nf\n" + escaped(made.examples) + "\n.fi\n";
    return text + exit_status(made.codes);
}

std::string see_also(const command& of, const std::string& but) {
    std::vector<std::string> pages{of.name};
    for (const verb& one : of.verbs) pages.push_back(page_name(of, one));
    std::sort(pages.begin(), pages.end());
    std::string text;
    for (const std::string& page : pages)
        if (page != but) text += fmt::format("{}.BR {} (1)", text.empty() ? "" : " ,\n", escaped(page));
    return text.empty() ? "" : ".SH SEE ALSO\n" + text + "\n";
}

} // namespace

std::string page_name(const command& of, const verb& what) {
    return fmt::format("{}-{}", of.name, fmt::join(what.words, "-"));
}

std::string page_of(const command& of, const std::string& date) {
    std::string text = head(of.name, of, date, of.does);
    text += fmt::format(".SH SYNOPSIS\n\\fB{0}\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR]\n.br\n"
                        "\\fB{0} \\-\\-help\\fR | \\fB\\-\\-version\\fR\n.SH VERBS\n",
                        escaped(of.name));
    for (const verb& one : of.verbs)
        text += fmt::format(".TP\n\\fB{}\\fR\n{}; see\n.BR {} (1).\n",
                            escaped(fmt::format("{}", fmt::join(one.words, " "))), escaped(one.does),
                            escaped(page_name(of, one)));
    return text + footer_of(of.footer) + see_also(of, of.name);
}

std::string page_of(const command& of, const verb& what, const std::string& date) {
    const std::string name = page_name(of, what);
    std::string text = head(name, of, date, what.does);
    text += ".SH SYNOPSIS\n" + escaped(what.usage) + "\n";
    for (const named& one : what.verbs)
        text += fmt::format(".br\n{} {} ...\n", escaped(what.name), escaped(one.name));
    text += ".SH DESCRIPTION\n" + lines(what.description) + "\n";
    text += options_of(what, true) + options_of(what, false);
    return text + footer_of(what.footer) + see_also(of, name);
}

} // namespace ringproof::manual
