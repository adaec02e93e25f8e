// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "allocating.hpp"
#include "expect.hpp"

namespace ringproof::verify::test {

/// Holds, in no more than so many executions, and has no end without the reduction. How many depends on what the compiler's
/// code keeps on the stack: whether a second round has to show that it does what the first did, and two allocators do.
inline void ends(void (*program)(), std::uint64_t most) {
    holds(program);
    CHECK(run(program).executions <= most);
    CHECK(entered(run(program), assumption::allocating_iteration) > 0);
    exploration_options options;
    options.limits.reduce.allocating_iteration = false;
    options.limits.executions = 2'000;
    options.limits.execution_events = 250;
    const exploration_result r = explore(program, options);
    CHECK((r.stopped || r.error.kind == failure_kind::limit));
}

} // namespace ringproof::verify::test
