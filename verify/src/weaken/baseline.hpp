// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scenarios as they stand: what must hold before orders are changed, and which orders there are.

#include "attempt.hpp"

#include <cstdio>
#include <vector>

namespace ringproof::verify {

struct baseline {
    std::vector<search_of> searches;     ///< that hold, the one with the shortest executions first
    std::vector<order_site> sites;       ///< that they execute, and that can be weaker
    std::vector<std::string> unfinished; ///< searches that a bound ended: they say nothing
    std::vector<std::string> failing;    ///< searches that fail as they stand
    std::vector<std::string> not_meant;  ///< the same, under a model that the scenario does not name
    double seconds = 0;                  ///< of those that hold, one after the other

    /// Whether `search` executes `site`.
    static bool executes(const search_of& search, const order_site& site);
};

/// Leaves out searches under `sc`, where all orders are one, of scenarios that have another model.
baseline stand_as_they_are(const std::vector<const subject*>& chosen, const command_options& options,
                           attempts& how, const symbols& names, command::progress& progress);

/// Says which searches will say nothing, and why.
void print_left_out(const baseline& base, const command_options& options, std::FILE* out);

} // namespace ringproof::verify
