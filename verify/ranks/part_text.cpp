// SPDX-License-Identifier: Apache-2.0
#include "part_text.hpp"

#include "../parts/parts_of_results.hpp"
#include "../parts/split.hpp"
#include "../src/division/pieces.hpp"
#include "../src/division/stored.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::verify::ranks {
namespace {

double weight_of(const std::vector<search_position>& all) {
    double sum = 0;
    for (const search_position& p : all) sum += p.weight;
    return sum;
}

double share_of(const std::vector<search_position>& all) {
    double sum = 0;
    for (const search_position& p : all) sum += verify::share_of(p);
    return sum;
}

bool is_weighed(const std::vector<search_position>& all) {
    return std::all_of(all.begin(), all.end(), [](const search_position& p) { return p.weight > 0; });
}

json search_in(const std::string& text) { return checked_document(text).at("searches").at(0); }

piece piece_of(const json& search, std::string text) {
    piece p;
    p.search = search_of(search.at("scenario"), search.at("model"));
    p.text = std::move(text);
    p.found = count(search, "executions");
    p.seconds = search.at("seconds");
    const std::vector<search_position> positions = positions_of(search.at("positions"));
    p.whole = positions.empty();
    if (p.whole) return p;
    p.share = share_of(positions);
    p.size = is_weighed(positions) ? weight_of(positions) : p.share;
    return p;
}

} // namespace

std::vector<piece> pieces_of(const std::string& checkpoint) {
    try {
        json document = checked_document(checkpoint);
        check_version(document);
        document.erase("checksum");
        const json searches = document.at("searches");
        if (!searches.is_array()) refuse("its searches are no list");
        std::vector<piece> all;
        for (const json& search : searches) {
            document["searches"] = json::array({search});
            all.push_back(piece_of(search, with_checksum(document)));
        }
        return all;
    } catch (const json::exception& error) {
        throw std::invalid_argument(error.what());
    }
}

piece rest_of(const piece& before, std::string text) {
    const json search = search_in(text);
    piece rest = piece_of(search, std::move(text));
    // Searched for a turn, and at its beginning again: it is one of those that cannot be divided.
    rest.indivisible = rest.whole;
    if (rest.whole || before.whole) return rest;
    if (!is_weighed(positions_of(search.at("positions"))))
        rest.size = before.size * rest.share / before.share;
    return rest;
}

std::vector<piece> divided(const piece& what, std::size_t into) {
    std::vector<piece> all;
    for (const json& part : split(what.text, into).parts)
        all.push_back(piece_of(part.at("searches").at(0), with_checksum(part)));
    return all;
}

std::string part_name(const part_of_search& part) {
    std::string name;
    for (const part_link& link : part) name += fmt::format("{}:{};", link.of, link.number);
    return name;
}

std::string part_name(const std::string& text_of_part) {
    return part_name(part_of(search_in(text_of_part).at("part")));
}

} // namespace ringproof::verify::ranks
