// SPDX-License-Identifier: Apache-2.0
#include "sites.hpp"

#include "../trace/counterexample.hpp"
#include "letters.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <tuple>

namespace ringproof::verify {
namespace {

std::vector<std::string> lines_of(const std::string& file) {
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string bare_name(const std::string& function) {
    const std::string name = function.substr(0, function.find_first_of("<("));
    const auto scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

} // namespace

std::string order_site::place() const {
    if (!at.known()) return fmt::format("code at {:#x}", call_site::of(keys.front()).pc);
    std::string text = short_position(at);
    if (const std::string name = bare_name(at.function); !name.empty() && name != "operator")
        text += " " + name;
    return text;
}

std::string order_site::function() const { return bare_name(at.function); }

std::string order_site::text() const {
    return fmt::format("{}{}: {}, {}", letter ? fmt::format("{}, ", letter) : "", place(), name_of(what),
                       name_of(asked, what));
}

std::vector<order_site> sites_of(const std::vector<std::uint64_t>& keys, const symbols& names) {
    struct file_facts {
        std::vector<std::string> lines;
        std::map<std::string, char> letters;
    };
    std::map<std::string, file_facts> files;
    std::map<std::tuple<std::string, int, ordered, order>, order_site> found;
    for (const std::uint64_t key : keys) {
        const call_site call = call_site::of(key);
        const source_position at = names.position({call.pc});
        // What has no source is told apart by where its code is.
        const std::string file = at.known() ? at.file : fmt::format("{:#x}", call.pc);
        order_site& site = found[{file, at.line, call.what, call.asked}];
        site.keys.push_back(key);
        if (site.keys.size() > 1) continue;
        site.at = at;
        site.what = call.what;
        site.asked = call.asked;
        if (!at.known()) continue;
        const auto [facts, fresh] = files.try_emplace(at.file);
        if (fresh) {
            facts->second.lines = lines_of(at.file);
            facts->second.letters = letters_of(facts->second.lines);
        }
        const auto letter = facts->second.letters.find(bare_name(at.function));
        if (letter != facts->second.letters.end()) site.letter = letter->second;
        site.excused = has_excuse(facts->second.lines, at.line);
    }
    std::vector<order_site> sites;
    for (auto& [where, site] : found) {
        std::sort(site.keys.begin(), site.keys.end());
        sites.push_back(std::move(site));
    }
    std::stable_sort(sites.begin(), sites.end(), [](const order_site& a, const order_site& b) {
        return (a.letter ? a.letter : 0x7f) < (b.letter ? b.letter : 0x7f);
    });
    return sites;
}

} // namespace ringproof::verify
