// SPDX-License-Identifier: Apache-2.0
#include "steps.hpp"

#include "../program/thread.hpp"
#include "../runtime/allocations.hpp"

namespace ringproof::verify {

/// What the co_index of a choice's step begins at.
std::uint32_t step_of(bool weak, const char* word) {
    if (weak) return wake_step;
    if (word == allocations::allocator_choice) return allocator_step;
    if (word == locks_step_back) return step_back_step;
    return word && word != stop_or_go ? reuse_step : 0;
}

own_choice choice_of(std::uint32_t step) {
    if (step >= wake_step) return own_choice::wake;
    if (step >= reuse_step) return own_choice::reuse;
    if (step >= skip_step || step < step_back_step) return own_choice::not_one;
    return step == step_back_step ? own_choice::step_back : own_choice::allocator;
}

} // namespace ringproof::verify
