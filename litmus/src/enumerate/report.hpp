// SPDX-License-Identifier: Apache-2.0
#pragma once
// A simulation in the two forms in which it is told: herd7's log, which scripts read, and JSON.

#include "search.hpp"

#include <nlohmann/json_fwd.hpp>

namespace ringproof::litmus {

/// "refuted": the test claims (~exists, forall) what the model does not keep; "consistent": it does;
/// "observed": the test only asks (exists); "inconclusive": the time ran out first, or executions out of
/// thin air, which are not counted, could make a difference.
std::string verdict(const test& t, const simulation& s);

/// What limits::why has found: the check that fails and its cycle, a step a line; "" if nothing was asked or found.
std::string why_text(const test& t, const simulation& s);

std::string to_log(const test& t, const std::string& model, const simulation& s);
nlohmann::ordered_json to_json(const test& t, const std::string& model, const simulation& s);

} // namespace ringproof::litmus
