// SPDX-License-Identifier: Apache-2.0
#include "letters.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace ringproof::verify {
namespace {

constexpr int near_lines = 8;

std::string_view trimmed(std::string_view line) {
    const auto from = line.find_first_not_of(" \t");
    return from == std::string_view::npos ? std::string_view() : line.substr(from);
}

/// The letter that a comment's line begins with, or 0.
char letter_of(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with("//")) return 0;
    line = trimmed(line.substr(
        line.find_first_not_of('/') == std::string_view::npos ? line.size() : line.find_first_not_of('/')));
    if (line.size() < 2 || !std::isupper(static_cast<unsigned char>(line[0]))) return 0;
    return line[1] == '.' || line.substr(1).starts_with(" in band.") ? line[0] : '\0';
}

/// The name before the first parenthesis: of the function that a declaration begins.
std::string declared(std::string_view line) {
    const auto end = line.find('(');
    if (end == std::string_view::npos) return "";
    auto from = end;
    while (from > 0 && (std::isalnum(static_cast<unsigned char>(line[from - 1])) || line[from - 1] == '_'))
        --from;
    return std::string(line.substr(from, end - from));
}

} // namespace

std::map<std::string, char> letters_of(const std::vector<std::string>& lines) {
    std::map<std::string, char> letters;
    char letter = 0;
    for (const std::string& line : lines) {
        if (const char begun = letter_of(line)) {
            letter = begun;
        } else if (letter != 0 && !trimmed(line).starts_with("//")) {
            if (const std::string name = declared(line); !name.empty()) {
                letters[name] = letter;
                letter = 0;
            } else if (line.empty()) {
                letter = 0;
            }
        }
    }
    return letters;
}

bool has_excuse(const std::vector<std::string>& lines, int line) {
    for (int n = std::min(line, static_cast<int>(lines.size())); n > std::max(0, line - near_lines); --n) {
        std::string text = lines[static_cast<std::size_t>(n) - 1];
        if (trimmed(text).empty()) return false;
        const auto comment = text.find("//");
        if (comment == std::string::npos) continue;
        std::transform(text.begin(), text.end(), text.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (text.find("over-strong", comment) != std::string::npos) return true;
    }
    return false;
}

} // namespace ringproof::verify
