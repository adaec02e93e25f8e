// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the ring guarantees: the proof of each guarantee (its scenarios) and its cost (a benchmark).
// Which scenario shows what, and which benchmark tells the cost, stands in reports/data/guarantees.json alone.

#include "ratios.hpp"
#include "results.hpp"

#include <set>

namespace ringproof::report {

/// What a guarantee costs here, by its benchmark.
struct guarantee_cost {
    std::string workload, queue, what; ///< from the table
    bool measured = false;             ///< the rest is there
    std::string placement, regime;
    double ns = 0, low = 0, high = 0; ///< median and its 95 % interval; equal where there is none
    unsigned repetitions = 0;
    std::string peer; ///< the fastest that was measured beside it and did not collapse; "" for none
    double ratio = 0, ratio_low = 0, ratio_high = 0; ///< our speed by that peer's, above 1 ours is faster
};

struct guarantee {
    std::string id, title, promise;
    std::set<std::string> scenarios, mutants; ///< names
    unsigned results = 0, held = 0;           ///< of scenarios, each under each model
    unsigned breaks = 0, refuted = 0;         ///< of mutants: tried, and refuted as they must be
    unsigned unexpected = 0, open = 0;        ///< of both: failed, and inconclusive or skipped
    unsigned long long executions = 0;
    std::set<std::string> models;
    guarantee_cost cost;
};

struct guarantees {
    std::vector<guarantee> all;     ///< empty when no result is of the ring's own scenarios
    std::set<std::string> unmapped; ///< scenarios of the ring that the table does not know
    std::vector<json> shown;        ///< by document, by result: the ids it shows
};

guarantees guarantees_of(const std::vector<document>& documents, const std::vector<ratio_row>& ratios);

/// Ids of what a scenario shows, by its file and name; nothing for other people's scenarios.
/// `known` becomes false for a scenario of the ring that the table has no line for.
std::vector<std::string> shown_by(const std::string& file, const std::string& name, bool& known);

json to_json(const guarantees& all);

} // namespace ringproof::report
