// SPDX-License-Identifier: Apache-2.0
#include "joined.hpp"

#include <ringproof/command/shard.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace ringproof::verify {

using command::exit_code, command::json;

namespace {

constexpr const char* litmus_schema = "ringproof-litmus/1";

/// Results of hardware may have no verdict.
std::string verdict_of(const json& result) {
    const json verdict = result.value("verdict", json());
    return verdict.is_string() ? verdict.get<std::string>() : "no verdict";
}

bool any(const joined_results& all, std::string_view verdict) {
    return std::any_of(all.results.begin(), all.results.end(),
                       [&](const json& result) { return verdict_of(result) == verdict; });
}

} // namespace

bool has_litmus_results(const std::string& file) {
    return command::read_document(file).value("schema", "") == litmus_schema;
}

joined_results join(const std::vector<std::string>& files) {
    joined_results all{{}, json::object()};
    std::vector<json> documents;
    for (const std::string& file : files) {
        documents.push_back(command::read_document(file));
        const json& document = documents.back();
        if (document.value("schema", "") != litmus_schema)
            throw std::invalid_argument(
                fmt::format("{}: it has no results of litmus tests, as {} has: put these together apart",
                            file, files.front()));
        if (documents.size() == 1) all.environment = document.value("environment", json::object());
        for (const json& result : document.at("results")) all.results.push_back(result);
    }
    command::check_shards(files, documents);
    return all;
}

exit_code code_of(const joined_results& all) {
    if (any(all, "refuted")) return exit_code::refuted;
    if (any(all, "error")) return exit_code::usage;
    if (any(all, "inconclusive")) return exit_code::inconclusive;
    return all.results.empty() ? exit_code::no_match : exit_code::holds;
}

void print(const joined_results& all, std::FILE* out) {
    std::map<std::string, std::size_t> counts;
    for (const json& result : all.results) {
        const std::string verdict = verdict_of(result);
        ++counts[verdict];
        if (verdict == "refuted" || verdict == "error" || verdict == "inconclusive")
            fmt::print(out, "{:<12}  {:<8}  {}  {}\n", verdict, result.value("model", "-"),
                       result.value("name", "-"), result.value("message", ""));
    }
    std::string text;
    for (const auto& [verdict, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
    fmt::print(out, "{} results of litmus tests{}{}\n", all.results.size(), text.empty() ? "" : ": ", text);
}

} // namespace ringproof::verify
