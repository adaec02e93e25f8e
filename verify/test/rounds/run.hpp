// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program.hpp"

namespace ringproof::verify::rounds {

/// Chooses what run_chosen() runs. @param rounds a loop that made so many without effect stops its execution, instead of
/// beginning anew; 0: none does
void choose(const program& subject, unsigned rounds);
void run_chosen();
/// What the threads have read in the rounds that ended their loops.
std::string noted_values();

} // namespace ringproof::verify::rounds
