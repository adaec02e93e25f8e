// SPDX-License-Identifier: Apache-2.0
#include "escape.hpp"

#include <fmt/format.h>

namespace ringproof::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

} // namespace

std::string escape_xml(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const std::string_view next = text.substr(i, 3);
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else if (c == '\'')
            out += "&#39;";
        else if (c == '\n' || c == '\t' || c == '\r')
            out += fmt::format("&#{};", static_cast<int>(c));
        else if (static_cast<unsigned char>(c) < 0x20)
            out += replacement;
        else if (next == "\xEF\xBF\xBE" || next == "\xEF\xBF\xBF")
            out += replacement, i += 2; // U+FFFE, U+FFFF
        else
            out += c;
    }
    return out;
}

std::string escape_markdown(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (static_cast<unsigned char>(c) < 0x20)
            out += ' ';
        else if (std::string_view("\\`*_[]|~#!").find(c) != std::string_view::npos)
            (out += '\\') += c;
        else
            out += c;
    }
    return out;
}

std::string escape_script(std::string_view json_text) {
    std::string out;
    out.reserve(json_text.size());
    for (std::size_t i = 0; i < json_text.size(); ++i) {
        const char c = json_text[i];
        const std::string_view next = json_text.substr(i, 3);
        if (c == '<')
            out += "\\u003c";
        else if (c == '>')
            out += "\\u003e";
        else if (c == '&')
            out += "\\u0026";
        else if (next == "\xE2\x80\xA8")
            out += "\\u2028", i += 2;
        else if (next == "\xE2\x80\xA9")
            out += "\\u2029", i += 2;
        else
            out += c;
    }
    return out;
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
