// SPDX-License-Identifier: Apache-2.0
#pragma once
// One question, two engines: what the simulator's enumeration of a cat model says are the final
// states of a test, and what the checker of compiled code finds when the test really runs.

#include "../frontend/front_ends.hpp"

#include <string>

namespace ringproof::litmus::witness {

struct comparison {
    enum class verdict { agree, differ, skipped };
    verdict what = verdict::skipped;
    std::string reason; ///< skipped: why; differ: in what
    std::size_t states = 0;
    std::uint64_t executions = 0; ///< of the checker
    bool race = false;            ///< both found one: then there are no states to compare
    double simulator_seconds = 0, checker_seconds = 0;
};

/// @param model "sc", "rc11" (C tests) or "x86-tso" (X86 tests)
/// @param seconds that each engine may take
comparison compare(const loaded_test& t, const std::string& model, double seconds);

} // namespace ringproof::litmus::witness
