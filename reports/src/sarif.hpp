// SPDX-License-Identifier: Apache-2.0
#pragma once
// SARIF 2.1.0: what verify and litmus found not as expected, at its source line, with the steps of
// the counterexample; one rule a kind of finding, and fingerprints that moved lines do not change.

#include "summary.hpp"

#include <string>

namespace ringproof::report {

std::string to_sarif(const summary& all);

} // namespace ringproof::report
