// SPDX-License-Identifier: Apache-2.0
#include "merge.hpp"

#include "sum.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace ringproof::verify {

using command::exit_code, command::json;

namespace {

std::string parts_left(std::size_t count) {
    return fmt::format("{} {} left when the ranks were stopped", count,
                       count == 1 ? "part was" : "parts were");
}

void leave_open(json& result, std::size_t left) {
    result["verdict"] = "inconclusive";
    result["ok"] = false;
    result["message"] = parts_left(left);
    result["stopped_by"] = "the time limit";
}

} // namespace

merged_results merge(const std::vector<std::string>& files, std::map<std::string, std::size_t> left) {
    given_results given = read_results(files);
    merged_results merged{{}, std::move(given.environment), {}};
    for (const std::vector<given_result>& of_search : given.searches) {
        const json& first = of_search.front().result;
        summed_result sum = sum_up(tree_of(of_search));
        const auto open = left.extract(search_of(first.at("name"), first.at("model")));
        const bool refuted = !sum.result.is_null() && sum.result.at("verdict") == "refuted";
        if (!refuted && !open.empty() && !sum.result.is_null()) {
            leave_open(sum.result, open.mapped());
        } else if (!refuted && !sum.missing.empty()) {
            merged.messages.push_back(fmt::format("{}: {} {} not given", title_of(first),
                                                  listed(sum.missing, "more parts"),
                                                  sum.missing.size() == 1 ? "is" : "are"));
            continue;
        }
        if (!sum.missing.empty()) sum.result["parts_missing"] = sum.missing.size();
        merged.results.push_back(std::move(sum.result));
    }
    for (const auto& [search, count] : left)
        merged.messages.push_back(fmt::format("{}: nothing of it is done: {}", search, parts_left(count)));
    return merged;
}

exit_code code_of(const merged_results& merged) {
    const auto any = [&](const std::function<bool(const std::string&)>& verdict) {
        return std::any_of(merged.results.begin(), merged.results.end(), [&](const json& result) {
            return !result.value("ok", false) && verdict(result.at("verdict"));
        });
    };
    if (any([](const std::string& v) { return v == "refuted" || v == "verified"; }))
        return exit_code::refuted;
    if (any([](const std::string& v) { return v == "error"; })) return exit_code::usage;
    if (any([](const std::string& v) { return v != "skipped"; })) return exit_code::inconclusive;
    if (merged.results.empty()) return exit_code::no_match;
    const bool all_skipped = std::all_of(merged.results.begin(), merged.results.end(),
                                         [](const json& r) { return r.at("verdict") == "skipped"; });
    return all_skipped ? exit_code::skipped : exit_code::holds;
}

} // namespace ringproof::verify
