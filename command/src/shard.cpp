// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/checksum.hpp>
#include <ringproof/command/shard.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace ringproof::command {
namespace {

constexpr std::size_t most = 1'000'000;

/// A whole number from 1 to `most`; else 0.
std::size_t number_in(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value <= most ? value : 0;
}

/// What was divided in one way.
struct division {
    std::size_t of = 0;
    std::map<std::size_t, std::string> files; ///< by the number of their shard
};

[[noreturn]] void refuse_missing(const division& d) {
    constexpr std::size_t enough = 5;
    std::vector<std::string> shown;
    for (std::size_t number = 1; number <= d.of && shown.size() < enough; ++number)
        if (d.files.count(number) == 0) shown.push_back(fmt::format("{}/{}", number, d.of));
    const std::size_t missing = d.of - d.files.size();
    throw std::invalid_argument(
        fmt::format("{}: it is one of {} shards, and {} not given: {}{}", d.files.begin()->second, d.of,
                    missing == 1 ? "one is" : fmt::format("{} are", missing), fmt::join(shown, ", "),
                    missing > shown.size() ? fmt::format(" and {} more", missing - shown.size()) : ""));
}

} // namespace

shard shard_from(std::string_view text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::size_t number = number_in(text.substr(0, slash));
    const std::size_t of = slash < text.size() ? number_in(text.substr(slash + 1)) : 0;
    if (number == 0 || of == 0)
        throw std::invalid_argument(
            fmt::format("'{}' is no shard: write K/N with numbers from 1 to {}, such as 2/5", text, most));
    if (number > of)
        throw std::invalid_argument(
            fmt::format("'{}' is no shard: of {} shards the last is {}/{}", text, of, of, of));
    return {number, of};
}

CLI::Option* add_shard_option(CLI::App& app, std::optional<shard>& to, std::string_view jobs) {
    const auto take = [&to](const CLI::results_t& words) {
        try {
            to = shard_from(words.back());
        } catch (const std::invalid_argument& error) {
            throw CLI::ValidationError("--shard", error.what());
        }
        return true;
    };
    return app
        .add_option(
            "--shard", take,
            fmt::format("do every N-th of the {} only, from the K-th on; `ringproof merge` puts the results "
                        "of all N together",
                        jobs))
        ->type_name("K/N")
        ->expected(1);
}

json to_json(const shard& mine, const std::vector<std::string>& names) {
    return {{"number", mine.number},
            {"of", mine.of},
            {"jobs", names.size()},
            {"division", fmt::format("{:016x}", checksum_of(fmt::format("{}", fmt::join(names, "\n"))))}};
}

void check_shards(const std::vector<std::string>& files, const std::vector<json>& documents) {
    std::map<std::string, division> divisions;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        if (!documents[i].contains("shard")) continue;
        const json& said = documents[i].at("shard");
        const std::size_t number = said.at("number"), of = said.at("of");
        if (number < 1 || number > of || of > most)
            throw std::invalid_argument(fmt::format("{}: there is no shard {}/{}", files[i], number, of));
        division& d = divisions[fmt::format("{} {}", said.at("division").get<std::string>(), of)];
        d.of = of;
        if (const auto [at, fresh] = d.files.emplace(number, files[i]); !fresh)
            throw std::invalid_argument(
                fmt::format("{} and {}: both are shard {}/{}", at->second, files[i], number, of));
    }
    if (divisions.size() > 1) {
        const division &a = divisions.begin()->second, &b = std::next(divisions.begin())->second;
        throw std::invalid_argument(
            fmt::format("{} and {}: these are shards of different work, or of another number of shards",
                        a.files.begin()->second, b.files.begin()->second));
    }
    for (const auto& [name, d] : divisions)
        if (d.files.size() < d.of) refuse_missing(d);
}

} // namespace ringproof::command
