// SPDX-License-Identifier: Apache-2.0
#include "split.hpp"

#include "../src/division/pieces.hpp"
#include "../src/division/stored_hidden.hpp"

#include <ringproof/command/checksum.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <queue>

namespace ringproof::verify {
namespace {

/// What is left of a search: the pieces that each part gets of it.
struct divided_search {
    const json* search = nullptr;
    std::vector<search_position> positions; ///< none: it is at its beginning
    double weight = 0;                      ///< seconds that are left, as its positions tell
    std::vector<std::vector<search_position>> of_part;
};

double sum_of(const std::vector<search_position>& all, double (*of)(const search_position&)) {
    double sum = 0;
    for (const search_position& p : all) sum += of(p);
    return sum;
}

/// @return seconds; negative: unknown, as nothing of it is done
double left_of(const json& search, const std::vector<search_position>& positions) {
    if (positions.empty()) return -1;
    const double seconds = std::max(search.at("seconds").get<double>(), 1e-6);
    const auto weight = [](const search_position& p) { return p.weight; };
    if (std::all_of(positions.begin(), positions.end(), [&](const auto& p) { return weight(p) > 0; }))
        return seconds * sum_of(positions, weight) /
               static_cast<double>(1 + count(search, "executions") + count(search, "blocked"));
    const double left = std::min(sum_of(positions, share_of), 1.0), done = std::max(1 - left, 1e-6);
    return seconds * left / done;
}

/// Positions that nobody has weighed beside others: as heavy for their share as those.
void weigh_the_others(std::vector<search_position>& positions) {
    double weight = 0, share = 0;
    for (const search_position& p : positions) {
        if (p.weight == 0) continue;
        weight += p.weight;
        share += share_of(p);
    }
    if (weight == 0) return;
    for (search_position& p : positions)
        if (p.weight == 0) p.weight = weight * share_of(p) / share;
}

struct weighed {
    divided_search* of = nullptr;
    search_position at;
    double weight = 0;
};

/// Pieces, four for a part so that these come out alike, each search divided as its weight is of the whole.
std::vector<weighed> pieces_of(std::vector<divided_search>& searches, std::size_t into) {
    double whole = 0;
    for (const divided_search& s : searches) whole += s.weight;
    std::vector<weighed> all;
    for (divided_search& s : searches) {
        if (s.positions.empty()) {
            all.push_back({&s, {}, s.weight});
            continue;
        }
        const auto wanted =
            static_cast<std::size_t>(std::ceil(4 * static_cast<double>(into) * s.weight / whole));
        const double size = sum_of(s.positions, size_of);
        for (search_position& p : divide(s.positions, std::max<std::size_t>(wanted, 1))) {
            const double weight = s.weight * size_of(p) / size;
            all.push_back({&s, std::move(p), weight});
        }
    }
    return all;
}

/// The largest piece first, each to the part that has the least so far. @return what each has
std::vector<double> distribute(std::vector<weighed> pieces, std::size_t into) {
    std::sort(pieces.begin(), pieces.end(),
              [](const weighed& a, const weighed& b) { return a.weight > b.weight; });
    using load = std::pair<double, std::size_t>;
    std::priority_queue<load, std::vector<load>, std::greater<>> least;
    std::vector<double> loads(into, 0);
    for (std::size_t part = 0; part < into; ++part) least.emplace(0, part);
    for (weighed& p : pieces) {
        const std::size_t part = least.top().second;
        least.pop();
        p.of->of_part[part].push_back(std::move(p.at));
        loads[part] += p.weight;
        least.emplace(loads[part], part);
    }
    return loads;
}

/// What was counted before the division belongs to one part alone.
void forget_counts(json& search) {
    for (const char* count : {"executions", "blocked", "pruned", "events", "longest"})
        search[count] = std::uint64_t{0};
    search["permutations"] = 0.0;
    search["seconds"] = 0.0;
    search["covered"] = json::array();
    search["bounds"] = json::array();
    search["ledger"] = {{"entries", json::array()},
                        {"loops", json::array()},
                        {"evaluated", false},
                        {"unordered_reads", false},
                        {"hidden", to_json(hidden_races{}, {})}};
}

/// The entries of a search in the parts.
void add_to(std::vector<json>& parts, const divided_search& s, const std::string& division) {
    const auto has = [](const auto& pieces) { return !pieces.empty(); };
    const auto count = static_cast<std::uint32_t>(std::count_if(s.of_part.begin(), s.of_part.end(), has));
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < s.of_part.size(); ++i) {
        if (!has(s.of_part[i])) continue;
        json search = *s.search;
        if (count > 1) { // otherwise all that is left is here
            if (++number > 1) forget_counts(search);
            part_of_search part = part_of(search.at("part"));
            part.push_back({division, number, count, 1});
            search["part"] = to_json(part);
            search["positions"] = to_json(s.of_part[i]);
        }
        parts[i]["searches"].push_back(std::move(search));
    }
}

} // namespace

divided_checkpoint split(const std::string& text, std::size_t into) {
    const json document = checked_document(text);
    check_version(document);
    if (!document.at("searches").is_array() || document.at("searches").empty())
        refuse("nothing is left of its searches");
    std::vector<divided_search> searches;
    double known = 0;
    for (const json& search : document.at("searches")) {
        if (!search.at("seconds").is_number()) refuse("its seconds are no duration");
        divided_search& s = searches.emplace_back();
        s.search = &search;
        s.positions = positions_of(search.at("positions"));
        weigh_the_others(s.positions);
        s.weight = left_of(search, s.positions);
        s.of_part.resize(into);
        if (s.weight > 0) known += s.weight;
    }
    // One of which nothing is done is as long as the others, for all that is known.
    for (divided_search& s : searches)
        if (s.weight < 0) s.weight = known > 0 ? known / static_cast<double>(searches.size()) : 1;
    const std::vector<double> loads = distribute(pieces_of(searches, into), into);

    const std::string division =
        fmt::format("{:016x}", command::checksum_of(fmt::format("{} {}", into, text)));
    json empty = document;
    empty.erase("checksum");
    empty["searches"] = json::array();
    divided_checkpoint divided{std::vector<json>(into, empty), 1, 0};
    for (const divided_search& s : searches) add_to(divided.parts, s, division);
    const double whole = std::accumulate(loads.begin(), loads.end(), 0.0);
    for (const double load : loads) {
        if (load <= 0) continue;
        divided.smallest = std::min(divided.smallest, load / whole);
        divided.largest = std::max(divided.largest, load / whole);
    }
    divided.parts.erase(std::remove_if(divided.parts.begin(), divided.parts.end(),
                                       [](const json& part) { return part.at("searches").empty(); }),
                        divided.parts.end());
    return divided;
}

} // namespace ringproof::verify
