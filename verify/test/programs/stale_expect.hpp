// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs with iterations of old values have the executions that they have without the reduction.
#include "expect.hpp"
#include "stale.hpp"

namespace ringproof::verify::test {

/// In all models, and in several orders of threads. @return how many executions fewer are blocked
inline std::uint64_t fewer_blocked(void (*program)()) {
    std::uint64_t fewer = 0;
    in_models_and_orders([&](exploration_options& options) {
        options.digest = true;
        const exploration_result some = explore(program, options);
        options.limits.reduce.stale_iteration = false;
        const exploration_result all = explore(program, options);
        CAPTURE(all.blocked, some.blocked);
        CHECK(all.error.message == "");
        CHECK(some.error.message == "");
        CHECK(some.executions > 0);
        CHECK(some.executions == all.executions);
        CHECK(some.digest == all.digest);
        CHECK(some.blocked <= all.blocked);
        fewer += all.blocked - some.blocked;
    });
    return fewer;
}

} // namespace ringproof::verify::test
