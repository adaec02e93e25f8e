// SPDX-License-Identifier: Apache-2.0
#pragma once
// What exploring a program must come to.

#include <ringproof/verify/explore.hpp>

#include "programs.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace ringproof::verify::test {

inline exploration_result run(void (*program)(), memory_model model = memory_model::rc11) {
    exploration_options options;
    options.model = model;
    options.limits.seconds = 60;
    return explore(program, options);
}

/// The same with one of the limits that say how far something is explored, and at once by `jobs` processes.
inline exploration_result run_with(void (*program)(), exploring exploration_limits::*what, exploring how,
                                   unsigned jobs = 1) {
    exploration_options options;
    options.limits.*what = how;
    options.jobs = jobs;
    options.share_after = 0;
    return explore(program, options);
}

/// Calls `f` with options for a search under each model in several orders of threads; the last is rc11 in the usual order.
template <class Function>
void in_models_and_orders(Function f) {
    for (const memory_model model :
         {memory_model::sc, memory_model::tso, memory_model::ra, memory_model::rc11})
        for (const std::uint64_t order : {7, 6, 5, 4, 3, 2, 1, 0}) {
            exploration_options options;
            options.model = model;
            options.limits.order_seed = order;
            options.limits.seconds = 60;
            CAPTURE(static_cast<int>(model), order);
            f(options);
        }
}

/// How often the ledger has an assumption.
inline std::uint64_t entered(const exploration_result& r, assumption kind) {
    std::uint64_t all = 0;
    for (const auto& [entry, times] : r.assumptions)
        if (entry.first == kind) all += times;
    return all;
}

/// `executions`: how many there are, 0 when that says nothing.
inline void holds(void (*program)(), std::uint64_t executions = 0) {
    for (const memory_model model :
         {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra}) {
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

/// How many executions a program has under rc11: all of them, and those that are left where others are left out.
struct compared {
    std::uint64_t all, some;
};

/// Whatever the program comes to, it comes to with executions left out and without. `everything` says that none is.
template <class Everything>
compared comes_to_the_same(void (*program)(), Everything everything) {
    compared executions{};
    for (const memory_model model : {memory_model::sc, memory_model::tso, memory_model::rc11}) {
        exploration_options options;
        options.model = model;
        options.limits.seconds = 60;
        options.state = [] {
            return std::to_string(programs::seen_by[0]) + ' ' + std::to_string(programs::seen_by[1]) + ' ' +
                   std::to_string(programs::seen_by[2]);
        };
        const exploration_result some = explore(program, options);
        everything(options.limits);
        const exploration_result all = explore(program, options);
        CAPTURE(static_cast<int>(model), all.executions, some.executions);
        CHECK(all.error.message == "");
        CHECK(some.error.message == "");
        CHECK_FALSE(some.stopped);
        std::vector<std::string> states[2];
        for (const auto& [state, times] : all.states) states[0].push_back(state);
        for (const auto& [state, times] : some.states) states[1].push_back(state);
        CHECK(states[0] == states[1]);
        executions = {all.executions, some.executions};
    }
    return executions;
}

} // namespace ringproof::verify::test
