// SPDX-License-Identifier: Apache-2.0
#include "parts_of_results.hpp"

#include "../src/division/stored.hpp"

#include <ringproof/command/shard.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::verify {
namespace {

given_result given(const std::string& file, const json& result) {
    given_result one{file, result, {}};
    if (!result.contains("part")) return one;
    if (result.at("checksum") != checksum_of_result(result))
        throw std::invalid_argument(fmt::format(
            "{}: the result of {} was changed: its checksum does not match", file, title_of(result)));
    one.part = part_of(result.at("part"));
    return one;
}

[[noreturn]] void refuse_twice(const given_result& a, const given_result& b) {
    throw std::invalid_argument(fmt::format("{} and {}: both have {}{}", a.file, b.file,
                                            a.part.empty() ? "" : name_of(a.part) + " of ",
                                            title_of(a.result)));
}

/// Of two results of one part, the later one counts, which goes on with the earlier.
const given_result& later(const given_result& a, const given_result& b) {
    const std::uint32_t run_a = a.part.empty() ? 0 : a.part.back().run,
                        run_b = b.part.empty() ? 0 : b.part.back().run;
    if (a.part.empty() && is_done(a) != is_done(b)) return is_done(a) ? a : b;
    if (run_a == run_b) refuse_twice(a, b);
    return run_a > run_b ? a : b;
}

/// Adds a result to the tree. @param at how many links of its part lead here
void add(part_tree& to, const given_result& r, std::size_t at) {
    if (at == r.part.size()) {
        to.whole = to.whole ? &later(*to.whole, r) : &r;
        return;
    }
    const part_link& link = r.part[at];
    if (to.parts.empty()) {
        to.division = link.of;
        to.count = link.parts;
    } else if (to.division != link.of || to.count != link.parts) {
        const part_tree* other = &to;
        while (!other->parts.empty()) other = &other->parts.begin()->second;
        throw std::invalid_argument(fmt::format("{}: its part of {} is of another division than that of {}",
                                                r.file, title_of(r.result), other->whole->file));
    }
    add(to.parts[link.number], r, at + 1);
}

} // namespace

bool is_done(const given_result& r) { return !r.result.contains("stopped_by"); }

std::string search_of(const std::string& name, const std::string& model) {
    return fmt::format("{} under {}", name, model);
}

std::string title_of(const json& result) {
    return search_of(fmt::format("'{}'", result.at("name").get<std::string>()), result.at("model"));
}

std::string listed(const std::vector<std::string>& names, const char* more) {
    constexpr std::size_t enough = 5;
    const std::size_t shown = std::min(names.size(), enough);
    const std::string text =
        fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    return names.size() > shown ? fmt::format("{} and {} {}", text, names.size() - shown, more) : text;
}

std::string name_of(const part_of_search& part) {
    std::string name;
    for (const part_link& link : part)
        name = fmt::format("part {} of {}{}", link.number, link.parts, name.empty() ? "" : " of " + name);
    return name;
}

given_results read_results(const std::vector<std::string>& files) {
    given_results given_all;
    auto& all = given_all.searches;
    std::vector<json> documents;
    for (const std::string& file : files) documents.push_back(command::read_document(file));
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string& file = files[i];
        const json& document = documents[i];
        try {
            if (document.at("schema") != "ringproof-verify/1")
                throw std::invalid_argument(
                    fmt::format("{}: it has no results of the checker (give what --json has written)", file));
            if (i == 0) given_all.environment = document.value("environment", json::object());
            for (const json& result : document.at("results")) {
                given_result one = given(file, result);
                const auto same = std::find_if(all.begin(), all.end(), [&](const auto& known) {
                    return known.front().result.at("name") == result.at("name") &&
                           known.front().result.at("model") == result.at("model");
                });
                // Two accesses of one line have one name.
                if (same == all.end() || result.contains("weakened"))
                    all.push_back({std::move(one)});
                else
                    same->push_back(std::move(one));
            }
        } catch (const json::exception& error) {
            throw std::invalid_argument(fmt::format("{}: no results of the checker: {}", file, error.what()));
        }
    }
    command::check_shards(files, documents);
    return given_all;
}

part_tree tree_of(const std::vector<given_result>& of) {
    part_tree root;
    for (const given_result& r : of) add(root, r, 0);
    return root;
}

} // namespace ringproof::verify
