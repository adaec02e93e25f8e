// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace ringproof::litmus::ring {
namespace {

using row = std::vector<std::string>;

std::vector<row> minimum_rows(const std::vector<machine_finding>& all) {
    std::vector<row> rows{{"machine", "A", "B", "C", "D"}};
    for (const machine_finding& f : all) {
        row r{f.where->title};
        for (const letter_finding& l : f.letters) r.push_back(l.in_words);
        rows.push_back(r);
    }
    return rows;
}

bool has_nothing(const machine_finding& f, std::size_t i) { return f.letters[i].in_words == "nothing"; }

std::vector<row> whole_rows(const std::vector<machine_finding>& all) {
    std::vector<row> rows{{"machine", "documented", "acquire/release", "minimum", "without A", "without B",
                           "without C", "without D"}};
    for (const machine_finding& f : all) {
        row r{f.where->title, in_words(f.documented), in_words(f.acquire_release), in_words(f.minimum)};
        for (std::size_t i = 0; i < 4; ++i)
            r.push_back(has_nothing(f, i) ? "(is nothing)" : in_words(f.letters[i].removed));
        rows.push_back(r);
    }
    return rows;
}

std::string aligned(const std::vector<row>& rows) {
    std::vector<std::size_t> width(rows[0].size());
    for (const row& r : rows)
        for (std::size_t i = 0; i < r.size(); ++i) width[i] = std::max(width[i], r[i].size());
    std::string text;
    for (const row& r : rows) {
        std::string line;
        for (std::size_t i = 0; i < r.size(); ++i) line += fmt::format("{:<{}}  ", r[i], width[i]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string piped(const std::vector<row>& rows) {
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        text += fmt::format("| {} |\n", fmt::join(rows[i], " | "));
        if (i == 0) {
            text += "|";
            for (std::size_t k = 0; k < rows[0].size(); ++k) text += "---|";
            text += "\n";
        }
    }
    return text;
}

std::size_t simulated(const std::vector<machine_finding>& all) {
    return std::accumulate(all.begin(), all.end(), std::size_t{0},
                           [](std::size_t n, const machine_finding& f) { return n + f.simulated; });
}

nlohmann::ordered_json verdict_json(const verdict& v) {
    return {{"test", v.asked}, {"observation", v.observation}, {"race", v.race}, {"ok", v.good()}};
}

bool consistent(const machine_finding& f) {
    bool good = f.minimum.good() && f.independent;
    for (std::size_t i = 0; i < 4; ++i) good = good && (has_nothing(f, i) || !f.letters[i].removed.good());
    return good;
}

} // namespace

bool consistent(const std::vector<machine_finding>& all) {
    return std::all_of(all.begin(), all.end(), [](const machine_finding& f) { return consistent(f); });
}

nlohmann::ordered_json to_litmus_json(const std::vector<machine_finding>& all) {
    using json = nlohmann::ordered_json;
    json results = json::array();
    for (const machine_finding& f : all) {
        std::string needed, without;
        json letters = json::array();
        for (std::size_t i = 0; i < 4; ++i) {
            const letter_finding& l = f.letters[i];
            needed += fmt::format("{}{}: {}", i ? "; " : "", l.letter, l.in_words);
            if (!has_nothing(f, i)) without += fmt::format("; without {}: {}", l.letter, in_words(l.removed));
            letters.push_back({{"letter", std::string(1, l.letter)},
                               {"least", l.in_words},
                               {"without", has_nothing(f, i) ? "" : in_words(l.removed)}});
        }
        const bool ok = consistent(f);
        results.push_back(
            {{"name", fmt::format("ring barriers needed on {}", f.where->title)},
             {"engine", "simulator"},
             {"model", f.where->model},
             {"condition", needed},
             {"observation", f.minimum.observation},
             {"verdict", ok ? "consistent" : "refuted"},
             {"ok", ok},
             {"machine", f.where->title},
             {"letters", letters},
             {"message", fmt::format("the kernel's documented scheme: {}; acquire and release: {}{}",
                                     in_words(f.documented), in_words(f.acquire_release), without)}});
    }
    return results;
}

std::string to_text(const std::vector<machine_finding>& all) {
    return fmt::format("The least that makes the bad outcome impossible (and leaves no data race):\n\n{}\n"
                       "The bad outcome on a whole ring of one slot:\n\n{}\n{} programs simulated.\n",
                       aligned(minimum_rows(all)), aligned(whole_rows(all)), simulated(all));
}

std::string to_markdown(const std::vector<machine_finding>& all) {
    return piped(minimum_rows(all)) + "\n" + piped(whole_rows(all));
}

nlohmann::ordered_json to_json(const std::vector<machine_finding>& all) {
    using json = nlohmann::ordered_json;
    json results = json::array();
    for (const machine_finding& f : all) {
        json letters = json::array();
        for (std::size_t i = 0; i < 4; ++i) {
            const letter_finding& l = f.letters[i];
            json one{{"letter", std::string(1, l.letter)},
                     {"minimum", l.minimum},
                     {"text", l.in_words},
                     {"works", l.works},
                     {"fails", l.fails}};
            one["removed"] = has_nothing(f, i) ? json(nullptr) : verdict_json(l.removed);
            letters.push_back(one);
        }
        results.push_back({{"machine", f.where->id},
                           {"title", f.where->title},
                           {"model", f.where->model},
                           {"plain_data", f.where->plain},
                           {"letters", letters},
                           {"whole",
                            {{"documented", verdict_json(f.documented)},
                             {"acquire_release", verdict_json(f.acquire_release)},
                             {"minimum", verdict_json(f.minimum)}}},
                           {"simulated", f.simulated}});
    }
    return results;
}

} // namespace ringproof::litmus::ring
