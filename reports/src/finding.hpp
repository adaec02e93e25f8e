// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is not as expected, as CI systems show it: at a line of the repository, and the same tomorrow.

#include "rules.hpp"
#include "summary.hpp"

#include <string>
#include <vector>

namespace ringproof::report {

struct finding {
    const test_case* of = nullptr;
    const rule* kind = nullptr;
    bool warning = false; ///< nothing is refuted
    std::string message;  ///< one line, with the program and the model
    std::string file;     ///< relative to the repository, where it lies in there; "" when unknown
    long line = 0;        ///< 0 when unknown
    /// Of the finding, not of its lines: the same after lines above it have moved, and in another run that meets
    /// the error in another order. 16 hexadecimal digits.
    std::string fingerprint;
};

/// The counterexample of a case; nullptr: it has none.
const json* counterexample_of(const test_case& c);

/// Those of model checking and litmus tests; benchmarks have none.
std::vector<finding> findings_of(const summary& all);

} // namespace ringproof::report
