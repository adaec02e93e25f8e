// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "expect.hpp"

namespace ringproof::verify::test {

/// An assertion fails under each model, and in the execution again that is known by its steps and its pieces.
inline void is_wrong(void (*program)()) {
    for (const memory_model model :
         {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra}) {
        const auto r = run(program, model);
        CHECK(r.error.kind == failure_kind::assertion);
        CHECK_FALSE(r.raced.empty());
        exploration_options options;
        options.model = model;
        options.raced = r.raced;
        CHECK(replay(program, r.steps, options).error.message == r.error.message);
    }
}

} // namespace ringproof::verify::test
