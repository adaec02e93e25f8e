// SPDX-License-Identifier: Apache-2.0
#pragma once
// Looks for the settings under which a test shows what it asks for most often per second. One
// parameter after the other is varied, and what is best so far is kept: the parameters depend on each
// other little enough that two rounds find what trying all would.

#include "runner.hpp"

#include <string>

namespace ringproof::litmus {

/// Which settings are tried before a test is run.
enum class tuning { none, brief, thorough };

/// What a setting showed: the higher, the better.
struct score {
    double witnesses = 0;   ///< per second, of what the test asks for
    std::size_t states = 0; ///< different ones seen
    double iterations = 0;  ///< per second
};
bool operator<(const score& a, const score& b);

/// Tries a setting for the seconds it names. May throw not_on_this_machine.
using trial = std::function<score(const run_options&)>;

struct tuned {
    run_options best;
    score before, after;
    unsigned trials = 0;
};

/// @param each seconds for a setting
/// @param stop asks for an early end with what is best so far
tuned tune(run_options from, double each, const trial& attempt, const std::atomic<bool>& stop);

/// Tries a few settings that suit many tests, and no combinations of them: the default of a run.
/// On a processor whose stores leave quickly, they show several times as much as one setting for all tests.
tuned tune_briefly(run_options from, double each, const trial& attempt, const std::atomic<bool>& stop);

/// The settings as options of the command: "-s 20000 --stride 2 --sync none …"
std::string as_options(const run_options& o);

} // namespace ringproof::litmus
