// SPDX-License-Identifier: Apache-2.0
#include "scanner.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }

} // namespace

void scanner::skip() {
    for (;;) {
        while (offset_ < end_ && is_blank(where_->text[offset_])) ++offset_;
        if (c_comments_ && left().starts_with("//")) {
            offset_ += std::min(left().find('\n'), left().size());
            continue;
        }
        if (c_comments_ && left().starts_with("/*")) {
            const std::size_t length = left().find("*/", 2);
            if (length == std::string_view::npos)
                fail(offset_, "this comment is never closed: expected '*/'");
            offset_ += length + 2;
            continue;
        }
        if (!left().starts_with("(*")) return;
        const std::size_t begin = offset_;
        int depth = 0; // comments nest
        do {
            if (left().starts_with("(*")) {
                ++depth;
                offset_ += 2;
            } else if (left().starts_with("*)")) {
                --depth;
                offset_ += 2;
            } else if (++offset_ >= end_) {
                fail(begin, "this comment is never closed: expected '*)'");
            }
        } while (depth > 0);
    }
}

bool scanner::at_end() {
    skip();
    return offset_ >= end_;
}

char scanner::peek() { return at_end() ? '\0' : where_->text[offset_]; }

bool scanner::looking_at(std::string_view text) {
    skip();
    return left().starts_with(text);
}

bool scanner::accept(std::string_view text) {
    if (!looking_at(text)) return false;
    offset_ += text.size();
    return true;
}

bool scanner::accept_word(std::string_view text) {
    if (!looking_at(text)) return false;
    const std::string_view rest = left();
    if (rest.size() > text.size() && is_word(rest[text.size()])) return false;
    offset_ += text.size();
    return true;
}

void scanner::expect(std::string_view text, std::string_view in_words) {
    if (!accept(text)) expected(in_words);
}

std::string_view scanner::identifier() {
    skip();
    const std::string_view rest = left();
    if (rest.empty() || !is_letter(rest[0])) return {};
    std::size_t length = 1;
    while (length < rest.size() && (is_word(rest[length]) || rest[length] == '.' || rest[length] == '$'))
        ++length;
    offset_ += length;
    return rest.substr(0, length);
}

bool scanner::at_number() {
    skip();
    const std::string_view rest = left();
    if (rest.empty()) return false;
    return is_digit(rest[0]) || ((rest[0] == '-' || rest[0] == '+') && rest.size() > 1 && is_digit(rest[1]));
}

std::int64_t scanner::number(std::string_view in_words) {
    if (!at_number()) expected(in_words);
    const std::size_t begin = offset_;
    std::string_view rest = left();
    const bool negative = rest[0] == '-';
    if (negative || rest[0] == '+') rest.remove_prefix(1);
    int base = 10;
    if (rest.starts_with("0x") || rest.starts_with("0X")) base = 16, rest.remove_prefix(2);
    std::uint64_t magnitude = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), magnitude, base);
    const std::uint64_t most = negative ? std::uint64_t{1} << 63 : UINT64_MAX;
    if (error == std::errc::result_out_of_range || magnitude > most)
        fail(begin, "this number does not fit in 64 bits");
    if (error != std::errc{}) fail(begin, "expected digits after 0x");
    offset_ = static_cast<std::size_t>(stop - where_->text.data());
    if (offset_ < end_ && is_word(where_->text[offset_]))
        fail(offset_, fmt::format("expected the end of a number, found '{}'", where_->text[offset_]));
    return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

std::string_view scanner::rest_of_line() {
    std::string_view line = left().substr(0, left().find('\n'));
    offset_ += line.size();
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    return line;
}

void scanner::expected(std::string_view what) {
    if (at_end()) fail(offset_, fmt::format("expected {}, found the end", what));
    std::string_view rest = left();
    std::size_t length = 1;
    if (is_word(rest[0]))
        while (length < rest.size() && length < 32 && is_word(rest[length])) ++length;
    std::string found(rest.substr(0, length));
    for (char& c : found)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) >= 0x7f) c = '?';
    fail(offset_, fmt::format("expected {}, found '{}'", what, found));
}

void scanner::fail(std::size_t offset, std::string_view message) const {
    throw syntax_error(*where_, offset, message);
}

} // namespace ringproof::litmus
