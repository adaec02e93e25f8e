// SPDX-License-Identifier: Apache-2.0
// Weak compare-exchanges against programs that choose whether theirs fail: each weak one replaced by a choice between a
// strong one and a load, with the failure's order, that sees what was expected. There are as many executions, with the
// same final states; and where a few failures in a row are all there are, no option changes anything.
//
//   ringproof_verify_weak_comparison [--profile NAME] [--seeds N] [--first SEED] [--show]

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/models.hpp>

#include "engine_program.hpp"
#include "generate.hpp"
#include "seed_options.hpp"

#include <cstdio>
#include <map>
#include <string>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;

oracle::Registers left;
const oracle::program* subject = nullptr;

struct totals {
    unsigned long programs = 0, failures = 0, executions = 0, mismatches = 0;
};

struct explored {
    rv::exploration_result result;
    std::map<std::string, std::uint64_t> states;
};

explored explore(oracle::exchanging how, rv::exploring spurious, rv::memory_model model) {
    explored found;
    oracle::exchanges = how;
    rv::exploration_options options;
    options.model = model;
    options.limits.hangs_refute = false;
    options.limits.order_seed = oracle::order_at_hand;
    options.limits.spurious = spurious;
    options.state = [] { return oracle::to_string(left, *subject); };
    found.result = rv::explore([] { oracle::run_on_threads(*subject, left); }, options);
    found.states = found.result.states;
    return found;
}

bool is_open(const rv::exploration_result& r) {
    for (const auto& [entry, times] : r.assumptions)
        if (entry.first == rv::assumption::spurious_failure) return true;
    return false;
}

bool same(const explored& a, const explored& b) {
    if (a.result.error.kind != b.result.error.kind) return false;
    return a.result.error.kind != rv::failure_kind::nothing ||
           (a.result.executions == b.result.executions && a.states == b.states);
}

void compare(const oracle::program& program, rv::memory_model model, std::uint64_t seed, totals& sum) {
    // Of loops that wait iterations are left out, more of them where one is a choice; wide exchanges are all strong.
    if (oracle::waits(program) || !(program.within == oracle::surroundings{})) return;
    subject = &program;
    const explored expected = explore(oracle::exchanging::by_choice, rv::exploring::never, model);
    const explored all = explore(oracle::exchanging::weakly, rv::exploring::always, model);
    const explored some = explore(oracle::exchanging::weakly, rv::exploring::when_told, model);
    const explored none = explore(oracle::exchanging::weakly, rv::exploring::never, model);
    ++sum.programs;
    sum.executions += all.result.executions;
    sum.failures += all.result.executions - none.result.executions;
    if (same(expected, all) && (is_open(some.result) || same(all, some))) return;
    ++sum.mismatches;
    std::printf("MISMATCH under %s, seed %llu: %llu executions by choice, %llu weakly, %llu by default\n%s\n",
                std::string(rv::model_name(model)).c_str(), static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(expected.result.executions),
                static_cast<unsigned long long>(all.result.executions),
                static_cast<unsigned long long>(some.result.executions), oracle::to_string(program).c_str());
    for (const auto& [state, times] : expected.states)
        if (all.states.count(state) == 0) std::printf("  missing: %s\n", state.c_str());
    for (const auto& [state, times] : all.states)
        if (expected.states.count(state) == 0) std::printf("  unexpected: %s\n", state.c_str());
}

} // namespace

int main(int argc, char** argv) {
    const auto chosen = oracle::seed_options::read(argc, argv, "--profile", 250);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    totals sum;
    for (const oracle::profile& profile : oracle::profiles()) {
        if ((!only.empty() && profile.name != only) || !profile.rmw || profile.handler_times > 0) continue;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
            const oracle::program program = oracle::generate(profile, seed);
            // This executable has no thread_local variable (engine_memory.hpp).
            const oracle::surroundings within = oracle::surroundings_of(program);
            if (within.shared == oracle::storage::thread_variable ||
                within.own == oracle::storage::thread_variable)
                continue;
            if (!oracle::compares_values(program)) continue;
            oracle::choose_order(seed);
            if (show) std::printf("%s\n", oracle::to_string(program).c_str());
            for (const rv::memory_model model :
                 {rv::memory_model::rc11, rv::memory_model::sc, rv::memory_model::ra})
                compare(program, model, seed, sum);
        }
    }
    std::printf("%lu comparisons, %lu executions, %lu of them with spurious failures, %lu mismatches\n",
                sum.programs, sum.executions, sum.failures, sum.mismatches);
    return sum.failures == 0 ? 5 : sum.mismatches == 0 ? 0 : 1;
}
