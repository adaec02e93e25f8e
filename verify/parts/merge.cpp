// SPDX-License-Identifier: Apache-2.0
#include "merge.hpp"

#include "sum.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace ringproof::verify {

using command::exit_code, command::json;

merged_results merge(const std::vector<std::string>& files) {
    given_results given = read_results(files);
    merged_results merged{{}, std::move(given.environment), {}};
    for (const std::vector<given_result>& of_search : given.searches) {
        summed_result sum = sum_up(tree_of(of_search));
        if (!sum.missing.empty() && (sum.result.is_null() || sum.result.at("verdict") != "refuted")) {
            merged.messages.push_back(fmt::format("{}: {} {} not given", title_of(of_search.front().result),
                                                  listed(sum.missing, "more parts"),
                                                  sum.missing.size() == 1 ? "is" : "are"));
            continue;
        }
        if (!sum.missing.empty()) sum.result["parts_missing"] = sum.missing.size();
        merged.results.push_back(std::move(sum.result));
    }
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
