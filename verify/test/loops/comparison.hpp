// SPDX-License-Identifier: Apache-2.0
#pragma once
// The checker and the judge on one program under one model.

#include "machine.hpp"
#include "shared.hpp"

#include <ringproof/verify/explore.hpp>

#include <string>

namespace ringproof::verify::loops {

struct comparison_result {
    bool judged = false;    ///< by all there is: neither the judge nor the checker gave up
    bool refuted = false;   ///< both found an error
    bool hangs = false;     ///< both found that threads wait for ever
    bool endless = false;   ///< the checker gave up, or left something out and said so
    bool too_large = false; ///< the judge gave up
    std::uint64_t executions = 0, states = 0;
    std::string wrong{}; ///< what they do not agree about; empty: nothing
};

/// Whether there is a judge for the program under the model.
bool can_judge(const program& what, memory_model model);

/// @param reduce what the checker leaves out; without a reduction, more of its searches have no end
comparison_result compare(const program& what, memory_model model, thread_body code,
                          const reductions& reduce = {});

/// The same under unfair scheduling, about one question alone: does some loop wait without yielding?
comparison_result compare_unfairly(const program& what, memory_model model, thread_body code,
                                   const reductions& reduce = {});
using comparer = decltype(&compare);

/// The program without what can be left out while the two still disagree.
program shrink(const program& what, memory_model model, thread_body code, const reductions& reduce = {},
               comparer how = &compare);

} // namespace ringproof::verify::loops
