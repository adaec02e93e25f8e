// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program.hpp"

namespace ringproof::verify::rounds {

/// Chooses what run_chosen() runs. @param stops a round without effect stops its execution, instead of beginning anew
void choose(const program& subject, bool stops);
void run_chosen();
/// What the threads have read in the rounds that ended their loops.
std::string noted_values();

} // namespace ringproof::verify::rounds
