// SPDX-License-Identifier: Apache-2.0
#include "merge.hpp"

#include "sum.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace ringproof::verify {

using command::exit_code, command::json;

namespace {

constexpr std::size_t enough = 5;

std::string missing_text(const json& of, const std::vector<std::string>& missing) {
    std::string text =
        fmt::format("'{}' under {}: ", of.at("name").get<std::string>(), of.at("model").get<std::string>());
    for (std::size_t i = 0; i < std::min(missing.size(), enough); ++i)
        text += (i == 0 ? "" : ", ") + missing[i];
    if (missing.size() > enough) text += fmt::format(" and {} more parts", missing.size() - enough);
    return text + (missing.size() == 1 ? " is not given" : " are not given");
}

} // namespace

merged_results merge(const std::vector<std::string>& files) {
    merged_results merged;
    for (const std::vector<given_result>& of_search : read_results(files)) {
        summed_result sum = sum_up(tree_of(of_search));
        if (!sum.missing.empty() && (sum.result.is_null() || sum.result.at("verdict") != "refuted")) {
            merged.messages.push_back(missing_text(of_search.front().result, sum.missing));
            continue;
        }
        if (!sum.missing.empty()) sum.result["parts_missing"] = sum.missing.size();
        merged.results.push_back(std::move(sum.result));
    }
    merged.environment = command::read_document(files.front()).value("environment", json::object());
    return merged;
}

exit_code code_of(const merged_results& merged) {
    const auto any = [&](const std::function<bool(const std::string&)>& verdict) {
        return std::any_of(merged.results.begin(), merged.results.end(), [&](const json& result) {
            return !result.at("ok").get<bool>() && verdict(result.at("verdict"));
        });
    };
    if (any([](const std::string& v) { return v == "refuted" || v == "verified"; }))
        return exit_code::refuted;
    if (any([](const std::string& v) { return v == "error"; })) return exit_code::usage;
    if (any([](const std::string&) { return true; })) return exit_code::inconclusive;
    return merged.results.empty() ? exit_code::no_match : exit_code::holds;
}

} // namespace ringproof::verify
