// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of barriers in the three forms in which it is told.

#include "barriers.hpp"

#include <nlohmann/json_fwd.hpp>

namespace ringproof::litmus::ring {

std::string to_text(const std::vector<machine_finding>& all);
std::string to_markdown(const std::vector<machine_finding>& all);
/// The results of a document "ringproof-barriers/1".
nlohmann::ordered_json to_json(const std::vector<machine_finding>& all);
/// The same as results of a document "ringproof-litmus/1", one a machine, which the report shows.
nlohmann::ordered_json to_litmus_json(const std::vector<machine_finding>& all);
/// Whether the minimum of every machine works on the whole ring, and no part of it can be left out.
bool consistent(const std::vector<machine_finding>& all);

} // namespace ringproof::litmus::ring
