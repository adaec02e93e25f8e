// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parts of searches and their results, made by hand.

#include "../../ranks/part_text.hpp"
#include "../../src/division/stored_hidden.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace ringproof::verify::made {

/// A search of which the ways from `from` to `end` of its first decision are left, of 16; none: it is at its beginning.
inline std::string checkpoint(const char* name, std::uint32_t from = 0, std::uint32_t end = 0,
                              const part_of_search& part = {}, double weight = 0) {
    json positions = json::array();
    if (end > 0) positions = to_json({{{from}, {end}, {16}, {{0, 0}}, weight}});
    const json search{{"scenario", name},
                      {"model", "rc11"},
                      {"executions", from},
                      {"blocked", 0},
                      {"pruned", 0},
                      {"events", 10},
                      {"permutations", 0.0},
                      {"longest", 5},
                      {"seconds", 0.25 * from},
                      {"covered", json::array()},
                      {"bounds", json::array()},
                      {"ledger", json::object()},
                      {"part", to_json(part)},
                      {"positions", positions},
                      {"lessons", json::array()}};
    return with_checksum({{"schema", checkpoint_schema},
                          {"checker", command::version()},
                          {"searches", json::array({search})}});
}

inline std::string result(const char* name, const part_of_search& part, std::uint64_t executions,
                          const char* verdict = "inconclusive", bool learnt = false) {
    json one{{"name", name},
             {"model", "rc11"},
             {"verdict", verdict},
             {"expected", "verified"},
             {"ok", std::string(verdict) != "refuted"},
             {"executions", executions},
             {"permutations", executions},
             {"blocked", 0},
             {"pruned", 0},
             {"events", 10},
             {"longest", 5},
             {"seconds", 1.0},
             {"properties", json::array({"races"})},
             {"assumptions", json::array()},
             {"covered", json::object()}};
    if (!part.empty()) {
        one["part"] = to_json(part);
        one["found"] = {{"learnt", learnt},
                        {"bounds", json::array()},
                        {"loops", json::array()},
                        {"unordered_reads", false},
                        {"hidden", to_json(hidden_races{}, {})},
                        {"judged", true}};
        one["checksum"] = checksum_of_result(one);
    }
    json document = command::make_document("ringproof-verify/1", {"test"});
    document["results"].push_back(one);
    return document.dump(1);
}

/// The part that a checkpoint is of.
inline part_of_search part_in(const std::string& checkpoint) {
    return part_of(json::parse(checkpoint).at("searches").at(0).at("part"));
}

} // namespace ringproof::verify::made
