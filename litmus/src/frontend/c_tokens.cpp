// SPDX-License-Identifier: Apache-2.0
#include "c_tokens.hpp"

#include <algorithm>
#include <array>

namespace ringproof::litmus::c {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace

std::vector<token> tokens_of(const source& from, cell where) {
    static constexpr std::array<std::string_view, 12> pairs{"==", "!=", "<=", ">=", "&&", "||",
                                                            "<<", ">>", "->", "+=", "-=", "++"};
    const std::string& text = from.text;
    std::vector<token> all;
    for (std::size_t i = where.begin; i < where.end;) {
        const char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++i;
        } else if (text.compare(i, 2, "//") == 0) {
            i = std::min(text.find('\n', i), where.end);
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", i + 2);
            if (end == std::string::npos)
                throw syntax_error(from, i, "this comment is never closed: expected '*/'");
            i = end + 2;
        } else if (is_letter(c) || is_digit(c)) {
            const std::size_t begin = i;
            while (i < where.end && (is_letter(text[i]) || is_digit(text[i]))) ++i;
            all.push_back({text.substr(begin, i - begin), begin, is_letter(c), is_digit(c)});
        } else {
            std::size_t length = 1;
            for (const std::string_view p : pairs)
                if (text.compare(i, 2, p) == 0) length = 2;
            all.push_back({text.substr(i, length), i, false, false});
            i += length;
        }
    }
    all.push_back({"", where.end, false, false});
    return all;
}

} // namespace ringproof::litmus::c
