// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ringproof::manual {
namespace {

using nlohmann::json;

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

std::string output_of(const std::string& program, const std::vector<std::string>& words) {
    std::string line = quoted(program);
    for (const std::string& word : words) line += " " + quoted(word);
    line += " --help-json";
    std::FILE* pipe = popen(line.c_str(), "r"); // NOLINT(cert-env33-c): words of the build
    if (!pipe) throw std::runtime_error(line + ": cannot run");
    std::string text;
    std::array<char, 1 << 14> block;
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe))
        text.append(block.data(), got);
    const int status = pclose(pipe);
    if (status != 0) throw std::runtime_error(fmt::format("{}: ended with status {}", line, status));
    return text;
}

option option_from(const json& from) {
    return {from.at("names"),
            from.at("left"),
            from.at("value"),
            from.at("help"),
            from.value("choices", std::vector<std::string>{}),
            from.value("path", ""),
            from.value("positional", false),
            from.value("value_optional", false),
            from.value("value_attached", false)};
}

void add(command& to, const std::string& program, std::vector<std::string> words, const std::string& does) {
    to.verbs.push_back(verb_from(output_of(program, words), words, does));
    const std::vector<named> own = to.verbs.back().verbs; // the vector grows
    for (const named& one : own) {
        std::vector<std::string> further = words;
        further.push_back(one.name);
        add(to, program, further, one.does);
    }
}

} // namespace

verb verb_from(const std::string& text, std::vector<std::string> words, std::string does) {
    const json from = json::parse(text);
    verb made{std::move(words),
              std::move(does),
              from.at("name"),
              from.at("usage"),
              from.at("description"),
              from.at("footer"),
              {},
              {}};
    for (const json& one : from.at("options")) made.options.push_back(option_from(one));
    for (const json& one : from.at("verbs")) made.verbs.push_back({one.at("name"), one.at("does")});
    return made;
}

command ask(const std::string& program) {
    const json from = json::parse(output_of(program, {}));
    command made{from.at("name"), from.at("version"), from.at("does"), from.at("footer"), {}};
    for (const json& one : from.at("verbs")) add(made, program, {one.at("name")}, one.at("does"));
    return made;
}

} // namespace ringproof::manual
