// SPDX-License-Identifier: Apache-2.0
#pragma once
// What exploring a program must come to.

#include <ringproof/verify/explore.hpp>

#include <catch2/catch.hpp>
#include <string>

namespace ringproof::verify::test {

inline exploration_result run(void (*program)(), memory_model model = memory_model::rc11) {
    exploration_options options;
    options.model = model;
    options.limits.seconds = 60;
    return explore(program, options);
}

/// `executions`: how many there are, 0 when that says nothing.
inline void holds(void (*program)(), std::uint64_t executions = 0) {
    for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::tso}) {
        const exploration_result r = run(program, model);
        CAPTURE(static_cast<int>(model), r.executions, r.blocked);
        CHECK(r.error.message == "");
        CHECK(r.bounds.empty());
        CHECK_FALSE(r.stopped);
        CHECK(r.executions > 0);
        if (executions != 0) CHECK(r.executions == executions);
    }
}

/// Found under rc11 and sc, and found again when the execution is replayed.
inline void fails(void (*program)(), failure_kind kind, const std::string& words = "") {
    for (const memory_model model : {memory_model::rc11, memory_model::sc}) {
        const exploration_result r = run(program, model);
        CAPTURE(static_cast<int>(model), r.executions, r.blocked, r.error.message);
        CHECK(r.error.kind == kind);
        CHECK_THAT(r.error.message, Catch::Matchers::Contains(words));
        if (r.error.kind != kind) continue;
        exploration_options options;
        options.model = model;
        CHECK(replay(program, r.steps, options).error.message == r.error.message);
    }
}

} // namespace ringproof::verify::test
