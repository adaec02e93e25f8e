// SPDX-License-Identifier: Apache-2.0
#include "gather.hpp"

#include "../parts/sum.hpp"
#include "part_text.hpp"

#include <fmt/format.h>

namespace ringproof::verify::ranks {

using command::json;

namespace {

std::string parts_left(std::size_t count) {
    return fmt::format("{} {} left when the ranks were stopped", count,
                       count == 1 ? "part was" : "parts were");
}

} // namespace

merged_results gather(const std::vector<std::string>& files, std::map<std::string, std::size_t> left) {
    given_results given = read_results(files);
    merged_results merged{{}, std::move(given.environment), {}};
    for (const std::vector<given_result>& of_search : given.searches) {
        const json& first = of_search.front().result;
        const std::string search = search_of(first.at("name"), first.at("model"));
        summed_result sum = sum_up(tree_of(of_search));
        const auto open = left.find(search);
        if (!sum.missing.empty()) sum.result["parts_missing"] = sum.missing.size();
        if (sum.result.at("verdict") != "refuted" && open != left.end()) {
            sum.result["verdict"] = "inconclusive";
            sum.result["ok"] = false;
            sum.result["message"] = parts_left(open->second);
            sum.result["stopped_by"] = "the time limit";
        } else if (sum.result.at("verdict") != "refuted" && !sum.missing.empty()) {
            merged.messages.push_back(
                fmt::format("{}: {} not in the folder", search, listed(sum.missing, "more parts")));
        }
        left.erase(search);
        merged.results.push_back(std::move(sum.result));
    }
    for (const auto& [search, count] : left)
        merged.messages.push_back(fmt::format("{}: nothing of it is done: {}", search, parts_left(count)));
    return merged;
}

} // namespace ringproof::verify::ranks
