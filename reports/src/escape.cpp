// SPDX-License-Identifier: Apache-2.0
#include "escape.hpp"

#include <fmt/format.h>

namespace ringproof::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

/// What stands for some characters; empty: the character for itself.
struct written {
    std::string_view text;
    std::size_t instead_of = 1; // bytes
};

/// `rule` is asked at each character, with all that follows it.
template <class Rule>
std::string escape(std::string_view text, Rule rule) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const written w = rule(text.substr(i));
        if (w.text.empty())
            out += text[i];
        else
            out += w.text;
        i += w.instead_of;
    }
    return out;
}

std::string_view entity(char c) {
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    default:
        return {};
    }
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

} // namespace

std::string escape_xml(std::string_view text) {
    return escape(text, [](std::string_view rest) -> written {
        if (rest.substr(0, 3) == "\xEF\xBF\xBE" || rest.substr(0, 3) == "\xEF\xBF\xBF")
            return {replacement, 3}; // U+FFFE, U+FFFF
        switch (rest[0]) {
        case '"':
            return {"&quot;"};
        case '\'':
            return {"&#39;"};
        case '\n':
            return {"&#10;"};
        case '\t':
            return {"&#9;"};
        case '\r':
            return {"&#13;"};
        default:
            return {is_control(rest[0]) ? replacement : entity(rest[0])};
        }
    });
}

std::string escape_markdown(std::string_view text) {
    return escape(text, [](std::string_view rest) -> written {
        constexpr std::string_view marks = "\\`*_[]|~#!";
        constexpr std::string_view escaped = "\\\\\\`\\*\\_\\[\\]\\|\\~\\#\\!";
        const std::size_t mark = marks.find(rest[0]);
        if (mark != std::string_view::npos) return {escaped.substr(2 * mark, 2)};
        return {is_control(rest[0]) ? " " : entity(rest[0])};
    });
}

std::string escape_script(std::string_view json_text) {
    return escape(json_text, [](std::string_view rest) -> written {
        if (rest.substr(0, 3) == "\xE2\x80\xA8") return {"\\u2028", 3};
        if (rest.substr(0, 3) == "\xE2\x80\xA9") return {"\\u2029", 3};
        switch (rest[0]) {
        case '<':
            return {"\\u003c"};
        case '>':
            return {"\\u003e"};
        case '&':
            return {"\\u0026"};
        default:
            return {};
        }
    });
}

std::string escape_shell(std::string_view word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
    std::string out = "'";
    for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
    return out + "'";
}

std::string escape_uri_path(std::string_view path) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+";
    std::string out;
    for (const char c : path) {
        if (plain.find(c) != std::string_view::npos)
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

} // namespace ringproof::report
