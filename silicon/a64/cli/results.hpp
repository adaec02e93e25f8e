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

/// As a result of ringproof-verify/1.
command::json to_json(const findings& f, const std::string& name, const std::string& expected,
                      bool hangs_fail);

} // namespace ringproof::silicon::a64
