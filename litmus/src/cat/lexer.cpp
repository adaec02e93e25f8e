// SPDX-License-Identifier: Apache-2.0
#include "lexer.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace {

constexpr std::array<std::string_view, 37> keywords{
    "let",     "rec",    "and",     "when",    "acyclic", "irreflexive", "show",
    "unshow",  "empty",  "subset",  "as",      "fun",     "in",          "undefined_unless",
    "flag",    "assert", "include", "variant", "begin",   "end",         "procedure",
    "call",    "enum",   "debug",   "match",   "with",    "forall",      "from",
    "do",      "try",    "if",      "then",    "else",    "catdep",      "instructions",
    "default", "not"};

// Longest first.
constexpr std::array<std::string_view, 22> signs{"||", "&&", "++", "->", "-1", "(", ")",  "{", "}", "[", "]",
                                                 "|",  "&",  "*",  "~",  "+",  "^", "\\", "?", "=", ";", ","};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_in_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-'; }

} // namespace

lexer::lexer(const source& from) : from_(from) {
    const std::string_view text = from.text;
    const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
    std::size_t i = 0;
    const auto skip_comment = [&] {
        const std::size_t begin = i;
        int depth = 0;
        do {
            if (i >= text.size())
                throw syntax_error(from, begin, "this comment is never closed: expected '*)'");
            if (text.compare(i, 2, "(*") == 0)
                ++depth, i += 2;
            else if (text.compare(i, 2, "*)") == 0)
                --depth, i += 2;
            else
                ++i;
        } while (depth > 0);
    };
    while (i < text.size()) {
        const char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++i;
        } else if (text.compare(i, 2, "(*") == 0) {
            skip_comment();
        } else if (c == '#' || text.compare(i, 2, "//") == 0) {
            i = std::min(text.find('\n', i), text.size());
        } else if (c == '"') {
            const std::size_t end = text.find('"', i + 1);
            if (end == std::string::npos)
                throw syntax_error(from, i, "this text is never closed: expected '\"'");
            tokens_.push_back({token::kind::string, std::string(text.substr(i + 1, end - i - 1)), i});
            i = end + 1;
        } else if (is_letter(c) || (c == '_' && is_letter(at(i + 1))) ||
                   (c == '\'' && is_in_word(at(i + 1)))) {
            const std::size_t begin = i++;
            while (i < text.size() && is_in_word(text[i])) ++i;
            if (c != '\'' && at(i) == '\'') ++i;
            token t{token::kind::word, std::string(text.substr(begin, i - begin)), begin};
            if (c == '\'') {
                t.what = token::kind::tag;
                t.text.erase(0, 1);
            } else if (std::find(keywords.begin(), keywords.end(), t.text) != keywords.end()) {
                t.what = token::kind::keyword;
            }
            tokens_.push_back(std::move(t));
        } else if (c == '_' || c == '0') {
            tokens_.push_back({token::kind::sign, std::string(1, c), i++});
        } else {
            const auto* sign = std::find_if(signs.begin(), signs.end(), [&](std::string_view s) {
                return text.substr(i).starts_with(s);
            });
            if (sign == signs.end()) throw syntax_error(from, i, "this character has no meaning in a model");
            tokens_.push_back({token::kind::sign, std::string(*sign), i});
            i += sign->size();
        }
    }
    tokens_.push_back({token::kind::end, "", text.size()});
}

bool lexer::operand_follows() const {
    if (at_ + 1 >= tokens_.size()) return false;
    const token& t = tokens_[at_ + 1];
    if (t.what == token::kind::word) {
        // The title of an included file cannot follow, but the next instruction may begin with a
        // word only in a title: nothing to tell apart.
        return true;
    }
    if (t.what == token::kind::tag) return true;
    return t.is("(") || t.is("{") || t.is("[") || t.is("_") || t.is("0") || t.is("begin") || t.is("~");
}

token lexer::take() {
    token t = tokens_[at_];
    if (t.what != token::kind::end) ++at_;
    return t;
}

bool lexer::accept(std::string_view t) {
    if (!now().is(t)) return false;
    ++at_;
    return true;
}

void lexer::expect(std::string_view t) {
    if (!accept(t)) expected(fmt::format("'{}'", t));
}

void lexer::expected(std::string_view what) const {
    fail(now().what == token::kind::end ? fmt::format("expected {}, found the end", what)
                                        : fmt::format("expected {}, found '{}'", what, now().text));
}

void lexer::fail(std::string_view message) const { throw syntax_error(from_, now().offset, message); }

} // namespace ringproof::litmus::cat
