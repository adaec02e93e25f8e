// SPDX-License-Identifier: Apache-2.0
#pragma once
// What loops that allocate come to, where iterations may be left out that differ in addresses alone.
#include "allocating.hpp"
#include "expect.hpp"

namespace ringproof::verify::test {

inline exploration_options renaming(memory_model model) {
    exploration_options options;
    options.model = model;
    options.limits.seconds = 60;
    options.limits.reduce.allocating_iteration = true;
    return options;
}

/// Holds, in no more than so many executions, and has no end without the reduction. How many depends on what the compiler's
/// code keeps on the stack: whether a second round has to show that it does what the first did, and two allocators do.
inline void ends(void (*program)(), std::uint64_t most) {
    for (const memory_model model :
         {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra}) {
        const exploration_result r = explore(program, renaming(model));
        CAPTURE(static_cast<int>(model), r.executions, r.blocked);
        CHECK(r.error.message == "");
        CHECK(r.bounds.empty());
        CHECK_FALSE(r.stopped);
        CHECK(r.executions > 0);
        CHECK(r.executions <= most);
        CHECK(entered(r, assumption::allocating_iteration) > 0);
    }
    exploration_options options;
    options.limits.executions = 2'000;
    options.limits.execution_events = 250;
    const exploration_result r = explore(program, options);
    CHECK((r.stopped || r.error.kind == failure_kind::limit));
}

/// Found under rc11 and sc, and found again when the execution is replayed. `kind`: nothing where any will do
inline void found_among_rounds(void (*program)(), failure_kind kind = failure_kind::nothing) {
    for (const memory_model model : {memory_model::rc11, memory_model::sc}) {
        const exploration_result r = explore(program, renaming(model));
        CAPTURE(static_cast<int>(model), r.executions, r.blocked, r.error.message);
        CHECK(r.error.kind != failure_kind::nothing);
        if (kind == failure_kind::nothing) continue;
        CHECK(r.error.kind == kind);
        CHECK(replay(program, r.steps, renaming(model)).error.message == r.error.message);
    }
}

} // namespace ringproof::verify::test
