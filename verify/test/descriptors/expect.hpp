// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../programs/expect.hpp"
#include "programs.hpp"

namespace ringproof::verify::test {

/// Refuted under the weak model, verified under sc: what it needs is an order that no system call gives.
inline void needs_an_order(void (*program)(), failure_kind kind) {
    CHECK(run(program).error.kind == kind);
    CHECK(run(program, memory_model::sc).error.message == "");
}
inline void covers(void (*program)(), std::initializer_list<const char*> situations) {
    const exploration_result r = run(program);
    CHECK(r.error.message == "");
    for (const char* situation : situations) {
        CAPTURE(situation);
        CHECK(r.covered.count(situation) == 1);
    }
}

} // namespace ringproof::verify::test
