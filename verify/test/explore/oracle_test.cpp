// SPDX-License-Identifier: Apache-2.0
// The engine against the brute-force oracle on generated programs: the same number of executions, the
// same final states, the same verdict on races, for every program under every model. In two of three the threads
// allocate, which the oracle knows nothing of. Rounds of a wait that counts them may be left out, so that there are
// fewer executions, as long as the final states are the same.
//
//   ringproof_verify_oracle_comparison [--profile NAME|GROUP] [--seeds N] [--first SEED] [--show]

#include <ringproof/verify/explore.hpp>

#include "engine_program.hpp"
#include "enumerate.hpp"
#include "generate.hpp"
#include "placements.hpp"
#include "seed_options.hpp"
#include "shrink.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;

struct totals {
    unsigned long programs = 0, executions = 0, races = 0, skipped = 0, left_open = 0, mismatches = 0;
};

struct model_pair {
    const char* name;
    rv::memory_model engine;
    oracle::memory_model oracle;
};

constexpr model_pair models[] = {{"rc11", rv::memory_model::rc11, oracle::memory_model::rc11},
                                 {"tso", rv::memory_model::tso, oracle::memory_model::tso},
                                 {"sc", rv::memory_model::sc, oracle::memory_model::sc},
                                 {"ra", rv::memory_model::ra, oracle::memory_model::ra}};

// What the program under test leaves behind; at a fixed place, as its own memory is restored.
oracle::Registers left;
const oracle::program* subject = nullptr;
oracle::allocating memory_use = oracle::allocating::never;

/// An iteration of a waiting loop that leaves the thread's state unlike before may be an execution of its own, where
/// something is allocated behind the loop, padding is copied, or handlers come in; of a loop that counts, iterations are left out.
bool is_number_right(const oracle::program& program, std::uint64_t found, std::uint64_t expected) {
    const bool waits = oracle::waits(program), counts = oracle::counts_rounds(program);
    const bool exact =
        memory_use == oracle::allocating::never && oracle::has_room(program) && program.handler.thread < 0;
    return (found >= expected || counts) && (found <= expected || (waits && !exact));
}

/// @return what the two do not agree about
std::string difference(const oracle::program& program, const model_pair& model, std::uint64_t seed,
                       totals& sum) {
    oracle::enumeration expected;
    for (const oracle::placement& one : oracle::placements(program)) {
        oracle::enumeration part = oracle::enumerate(one.what, model.oracle, 2'000'000);
        expected.race = expected.race || part.race || one.race;
        if (!one.again) {
            expected.executions += part.executions;
            expected.outcomes.merge(part.outcomes);
        }
        expected.cut_short = expected.cut_short || part.cut_short;
    }
    if (expected.cut_short) {
        ++sum.skipped;
        return "";
    }
    subject = &program;
    constexpr oracle::allocating ways[] = {oracle::allocating::never, oracle::allocating::idly,
                                           oracle::allocating::shown};
    memory_use = ways[seed % std::size(ways)];
    if (memory_use == oracle::allocating::shown &&
        (oracle::compares_values(program) || !oracle::has_room(program)))
        memory_use = oracle::allocating::idly;
    std::set<oracle::outcome> outcomes;
    rv::exploration_options options;
    options.model = model.engine;
    options.limits.hangs_refute = false;
    options.limits.order_seed = oracle::order_at_hand;
    options.limits.reuse = rv::exploring::never; // the oracle knows nothing of allocations
    options.on_complete = [&] { outcomes.insert(left); };
    const rv::exploration_result found =
        rv::explore([] { oracle::run_on_threads(*subject, left, memory_use); }, options);
    ++sum.programs;
    std::string wrong;
    const bool race = found.error.kind == rv::failure_kind::data_race;
    if (found.error.kind != rv::failure_kind::nothing && !race)
        wrong = "the engine reports: " + found.error.message;
    else if (!race && !found.bounds.empty())
        ++sum.left_open; // and the engine says so
    else if (race != expected.race)
        wrong = race ? "the engine reports a race that is none: " + found.error.message
                     : "the engine misses a race";
    else if (!race && found.stopped)
        wrong = "the engine gave up: " + found.stopped_by;
    else if (!race && !is_number_right(program, found.executions, expected.executions))
        wrong = "executions: " + std::to_string(found.executions) + ", expected " +
                std::to_string(expected.executions);
    else if (!race && outcomes != expected.outcomes)
        wrong = "final states: " + std::to_string(outcomes.size()) + ", expected " +
                std::to_string(expected.outcomes.size()) + ", or others";
    if (!wrong.empty() && !race)
        for (const auto* one : {&expected.outcomes, &outcomes})
            for (const oracle::outcome& o : *one) {
                const auto& other = one == &outcomes ? expected.outcomes : outcomes;
                if (other.count(o) == 0)
                    wrong += std::string(one == &outcomes ? "\n  unexpected: " : "\n  missing: ") +
                             oracle::to_string(o, program);
            }
    sum.races += race;
    if (!race) sum.executions += found.executions;
    return wrong;
}

void compare(const oracle::program& program, const model_pair& model, std::uint64_t seed, totals& sum) {
    const std::string wrong = difference(program, model, seed, sum);
    if (wrong.empty()) return;
    if (++sum.mismatches > 5) return; // those shown are enough
    std::printf("MISMATCH under %s, seed %llu: %s\n%s\n", model.name, static_cast<unsigned long long>(seed),
                wrong.c_str(), oracle::to_string(program).c_str());
    totals ignored;
    const oracle::program less = oracle::shrink(program, [&](const oracle::program& candidate) {
        return !difference(candidate, model, seed, ignored).empty();
    });
    std::printf("the same with less: %s\n%s\n", difference(less, model, seed, ignored).c_str(),
                oracle::to_string(less).c_str());
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = oracle::seed_options::read(argc, argv, "--profile", 250);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    totals all;
    for (const oracle::profile& profile : oracle::profiles()) {
        if (!only.empty() && profile.name != only && profile.group != only) continue;
        totals sum;
        // A program with a handler stands for many without.
        const std::uint64_t count = profile.handler_times > 0 ? (seeds + 9) / 10 : seeds;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const oracle::program program = oracle::generate(profile, seed);
            oracle::choose_order(seed);
            if (show) std::printf("%s\n", oracle::to_string(program).c_str());
            for (const model_pair& model : models) compare(program, model, seed, sum);
        }
        std::printf("%-14s %6lu comparisons, %9lu executions, %5lu races, %lu too large, %lu left open, %lu "
                    "mismatches\n",
                    std::string(profile.name).c_str(), sum.programs, sum.executions, sum.races, sum.skipped,
                    sum.left_open, sum.mismatches);
        std::fflush(stdout);
        all.programs += sum.programs;
        all.executions += sum.executions;
        all.races += sum.races;
        all.skipped += sum.skipped;
        all.left_open += sum.left_open;
        all.mismatches += sum.mismatches;
    }
    std::printf(
        "in all: %lu programs under %zu models, %lu executions, %lu races, %lu too large, %lu left open, "
        "%lu mismatches\n",
        (all.programs + all.skipped) / std::size(models), std::size(models), all.executions, all.races,
        all.skipped, all.left_open, all.mismatches);
    // The engine may say that it left something out, but not of everything.
    const bool compared = all.programs > 0 && 10 * all.left_open <= all.programs;
    return !compared ? 5 : all.mismatches == 0 ? 0 : 1;
}
