// SPDX-License-Identifier: Apache-2.0
#include "estimator.hpp"

#include "../parts/parts_of_results.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/file.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::verify::ranks {

using command::json;

void estimator::start(double now, std::size_t searches) {
    constexpr double part_of_time = 0.05, longest = 600, shortest = 0.5, later = 3; // times
    next_ = now * later;
    const double each = std::clamp(now * part_of_time, shortest, longest) /
                        static_cast<double>(std::max<std::size_t>(searches, 1));
    std::vector<std::string> words = command_;
    words.insert(words.end(), {"--estimate", "--time", fmt::format("{:.3f}", std::max(each, 0.1)), "--json",
                               folder_ / "estimates.json"});
    std::filesystem::remove(folder_ / "estimates.json");
    process_.start(words, folder_ / "said.txt", 19); // where it does not start, nothing is known
}

std::optional<estimated_sizes> estimator::look(double now, std::size_t searches) {
    if (!process_.runs()) {
        if (now >= next_) start(now, searches);
        return {};
    }
    if (!process_.ended()) return {};
    try {
        return sizes_in(command::read_text(folder_ / "estimates.json"));
    } catch (const std::exception&) { // whatever kept it from saying something: the search goes on without
        return {};
    }
}

estimated_sizes sizes_in(const std::string& document) {
    try {
        estimated_sizes all;
        const json parsed = json::parse(document);
        for (const json& one : parsed.at("estimates")) {
            if (!one.contains("executions") || !one.contains("high")) continue;
            all[search_of(one.at("name"), one.at("model"))] = {one.at("low"), one.at("executions"),
                                                               one.at("high")};
        }
        return all;
    } catch (const json::exception& error) {
        throw std::invalid_argument(error.what());
    }
}

} // namespace ringproof::verify::ranks
