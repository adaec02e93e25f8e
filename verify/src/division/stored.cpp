// SPDX-License-Identifier: Apache-2.0
#include "stored.hpp"

#include "../graph/clock.hpp"

#include <ringproof/command/checksum.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ringproof::verify {

void refuse(const std::string& why) { throw std::invalid_argument(why); }

// ---- the document

void check_version(const json& checkpoint) {
    if (checkpoint.at("schema") != checkpoint_schema) refuse("it has another schema");
    if (checkpoint.at("checker") != command::version())
        refuse(fmt::format("it was written by checker {}, and this is {}", checkpoint.at("checker").dump(),
                           command::version()));
}

std::string checksum_of_result(json result) {
    result.erase("checksum");
    return fmt::format("{:016x}",
                       command::checksum_of(result.dump(-1, ' ', false, json::error_handler_t::replace)));
}

std::uint64_t number(const json& value, std::uint64_t most, const char* what) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
        refuse(fmt::format("its {} is {}, which no search has", what, value.dump()));
    return value;
}

std::uint64_t count(const json& from, const char* what) {
    return number(from.at(what), std::numeric_limits<std::uint64_t>::max() / 4, what);
}

// ---- positions

json to_json(const std::vector<search_position>& all) {
    json positions = json::array();
    for (const search_position& p : all) {
        json threads = json::array();
        for (const auto& [parent, nth] : p.threads) threads.push_back({parent, nth});
        positions.push_back(
            {{"ways", p.ways}, {"ends", p.ends}, {"all", p.all}, {"threads", threads}, {"weight", p.weight}});
    }
    return positions;
}

namespace {

std::vector<std::uint32_t> ways(const json& from, const char* what) {
    if (!from.at(what).is_array()) refuse(fmt::format("its {} are no list", what));
    std::vector<std::uint32_t> all;
    for (const json& one : from.at(what))
        all.push_back(
            static_cast<std::uint32_t>(number(one, std::numeric_limits<std::uint32_t>::max(), "way")));
    return all;
}

/// Main, then each thread's parent, which was met before it, and its place among the parent's children.
void read_threads(const json& from, search_position& p) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint16_t>::max();
    if (!from.is_array() || from.empty() || from.size() > max_threads)
        refuse("it lists threads that no program has");
    for (const json& t : from) {
        if (!t.is_array() || t.size() != 2) refuse("it lists a thread without a name");
        const std::pair name{static_cast<std::uint16_t>(number(t[0], most, "thread")),
                             static_cast<std::uint16_t>(number(t[1], most, "thread"))};
        const bool main = p.threads.empty();
        if (main ? name != std::pair<std::uint16_t, std::uint16_t>{0, 0} : name.first >= p.threads.size())
            refuse("it lists a thread before its parent");
        if (std::find(p.threads.begin() + (main ? 0 : 1), p.threads.end(), name) != p.threads.end())
            refuse("it lists a thread twice");
        p.threads.push_back(name);
    }
}

search_position position_of(const json& from) {
    search_position p{ways(from, "ways"), ways(from, "ends"), ways(from, "all"), {}};
    const json& weight = from.at("weight");
    if (!weight.is_number() || !(weight >= 0)) refuse("it has a position without a weight");
    p.weight = weight;
    if (p.ways.size() != p.ends.size() || p.ways.size() != p.all.size())
        refuse("it has a position that leads nowhere");
    for (std::size_t i = 0; i < p.ways.size(); ++i)
        if (p.ways[i] >= p.ends[i] || p.ends[i] > p.all[i]) refuse("it has a position beyond its own end");
    return p;
}

search_position open_position_of(const json& from) {
    search_position p = position_of(from);
    if (p.ways.empty()) refuse("it has a position that leads nowhere");
    read_threads(from.at("threads"), p);
    return p;
}

search_position lesson_of(const json& from) {
    search_position p = position_of(from);
    const json& threads = from.at("threads");
    const bool of_the_whole = p.ways.size() <= 1 && threads.is_array() && threads.empty();
    if (!of_the_whole) read_threads(threads, p);
    return p;
}

/// Work is given away at the first decision that has any open: two positions part there, with nothing open before.
/// In their order it is enough to look at neighbours.
void refuse_overlap(std::vector<search_position> all) {
    std::sort(all.begin(), all.end(),
              [](const search_position& a, const search_position& b) { return a.ways < b.ways; });
    for (std::size_t k = 1; k < all.size(); ++k) {
        const search_position &a = all[k - 1], &b = all[k];
        const auto parted = static_cast<std::size_t>(
            std::mismatch(a.ways.begin(), a.ways.end(), b.ways.begin(), b.ways.end()).first - a.ways.begin());
        bool apart = parted < a.ways.size() && a.ends[parted] <= b.ways[parted];
        for (std::size_t i = 0; i < parted && apart; ++i)
            apart = a.ends[i] == a.ways[i] + 1 && b.ends[i] == b.ways[i] + 1;
        if (!apart) refuse("two of its positions overlap: executions would be counted twice");
    }
}

} // namespace

std::vector<search_position> positions_of(const json& from) {
    if (!from.is_array()) refuse("its positions are no list");
    std::vector<search_position> all;
    for (const json& one : from) all.push_back(open_position_of(one));
    refuse_overlap(all);
    return all;
}

std::vector<search_position> lessons_of(const json& from) {
    if (!from.is_array()) refuse("its lessons are no list");
    std::vector<search_position> all;
    for (const json& one : from) all.push_back(lesson_of(one));
    return all;
}

// ---- the part

json to_json(const part_of_search& part) {
    json links = json::array();
    for (const part_link& one : part)
        links.push_back({{"of", one.of}, {"number", one.number}, {"parts", one.parts}, {"run", one.run}});
    return links;
}

part_of_search part_of(const json& from) {
    constexpr std::uint64_t most = 1'000'000'000;
    if (!from.is_array()) refuse("its part is no list");
    part_of_search part;
    for (const json& one : from) {
        part_link link;
        link.of = one.at("of").get<std::string>();
        link.number = static_cast<std::uint32_t>(number(one.at("number"), most, "part"));
        link.parts = static_cast<std::uint32_t>(number(one.at("parts"), most, "number of parts"));
        link.run = static_cast<std::uint32_t>(number(one.at("run"), most, "run"));
        if (link.number == 0 || link.number > link.parts || link.run == 0)
            refuse(fmt::format("it is part {} of {}, which no search has", link.number, link.parts));
        part.push_back(std::move(link));
    }
    return part;
}

} // namespace ringproof::verify
