// SPDX-License-Identifier: Apache-2.0
#include "token.hpp"

#include <charconv>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::silicon::a64 {
namespace {

constexpr std::string_view version = "armv8-1";
constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
/// The last digit stands for so many and what the next digits say.
constexpr std::uint32_t largest = 35;

std::string text_of(const std::vector<std::uint32_t>& path) {
    std::string text;
    for (std::uint32_t n : path) {
        for (; n >= largest; n -= largest) text += digits[largest];
        text += digits[n];
    }
    return text;
}

/// For each piece, the bytes since the end of the one before, and its own.
std::string text_of(const std::vector<piece>& pieces) {
    std::string text;
    std::uint64_t end = 0;
    for (const piece& p : pieces) {
        text += fmt::format("{}{:x}-{:x}", text.empty() ? "" : "_", p.address - end, p.bytes);
        end = p.address + p.bytes;
    }
    return text;
}

std::uint32_t checksum(std::string_view text) {
    std::uint32_t hash = 0x811c9dc5u; // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x1000193u;
    return hash;
}

[[noreturn]] void wrong(const char* why) {
    throw std::invalid_argument(
        fmt::format("the replay token is damaged ({}): copy it whole, or read it from a file with @", why));
}

std::uint64_t number(std::string_view text) {
    constexpr int hexadecimal = 16;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) wrong("a number");
    return value;
}

/// Cuts off what stands before the mark. Without the mark: all.
std::string_view cut(std::string_view& text, char mark) {
    const std::size_t at = text.find(mark);
    const std::string_view part = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
    return part;
}

std::vector<piece> pieces_in(std::string_view text) {
    constexpr std::uint64_t most_bytes = 16, most_gap = std::uint64_t{1} << 48;
    std::vector<piece> all;
    std::uint64_t end = 0;
    while (!text.empty()) {
        std::string_view one = cut(text, '_');
        const std::uint64_t gap = number(cut(one, '-')), bytes = number(one);
        if (bytes == 0 || bytes > most_bytes || gap > most_gap) wrong("a piece of memory");
        all.push_back({end + gap, static_cast<std::uint32_t>(bytes)});
        end += gap + bytes;
    }
    return all;
}

std::vector<std::uint32_t> path_in(std::string_view text) {
    std::vector<std::uint32_t> path;
    std::uint32_t sum = 0;
    for (const char c : text) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos) wrong("its path");
        sum += static_cast<std::uint32_t>(digit);
        if (digit == largest) continue;
        path.push_back(sum);
        sum = 0;
    }
    if (sum != 0) wrong("its path");
    return path;
}

} // namespace

std::string encode(const replay_token& token) {
    const std::string text = fmt::format("{}.{:x}.{:x}.{}.{}", version, token.program, token.learnt.threads,
                                         text_of(token.learnt.pieces), text_of(token.path));
    return fmt::format("{}.{:x}", text, checksum(text));
}

replay_token decode_token(std::string_view text) {
    constexpr std::size_t most_threads = 16;
    if (!text.starts_with(fmt::format("{}.", version)))
        throw std::invalid_argument("this is no replay token of --model armv8: those begin with armv8-1");
    const std::size_t last = text.rfind('.');
    std::string_view rest = text.substr(0, last);
    if (number(text.substr(last + 1)) != checksum(rest)) wrong("its checksum");
    cut(rest, '.');
    replay_token token;
    token.program = number(cut(rest, '.'));
    token.learnt.threads = number(cut(rest, '.'));
    if (token.learnt.threads == 0 || token.learnt.threads > most_threads) wrong("the number of threads");
    token.learnt.pieces = pieces_in(cut(rest, '.'));
    token.path = path_in(rest);
    return token;
}

} // namespace ringproof::silicon::a64
