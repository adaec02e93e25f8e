// SPDX-License-Identifier: Apache-2.0
#pragma once
// What was found, as verdicts and as JSON.
#include "findings.hpp"

#include <ringproof/command/document.hpp>

#include <atomic>

namespace ringproof::silicon::a64 {

/// Set by a signal.
extern std::atomic<bool> interrupted;

const char* verdict_of(const findings& f);
std::string why_inconclusive(const findings& f);

struct about_result {
    std::string name, expected = "verified";
    bool hangs_fail = true;
    std::vector<std::string> command = {}; ///< that makes this result
    std::vector<std::string> replay =
        {}; ///< that shows its counterexample, but for --replay; empty: there is none
};

/// As a result of ringproof-verify/1.
command::json to_json(const findings& f, const about_result& about);

} // namespace ringproof::silicon::a64
