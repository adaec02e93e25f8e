// SPDX-License-Identifier: Apache-2.0
// Random executions against the search, on generated programs: each that is met is one that the search knows, as far as
// the final state tells; none errs where no execution does; and of programs with few executions all states are met. The
// last is a matter of chance: of 2,760 comparisons one has a state that 4,000 random executions miss and 100,000 meet.
//
//   ringproof_verify_random_comparison [--profile NAME|GROUP] [--seeds N] [--first SEED] [--show]

#include "../oracle/engine_program.hpp"
#include "../oracle/generate.hpp"
#include "../oracle/seed_options.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/sampling.hpp>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;

constexpr std::uint64_t few = 24, walks_of_few = 4000, walks_of_many = 300;

struct totals {
    unsigned long programs = 0, errors = 0, walks = 0, complete = 0, states = 0, met = 0, wrong = 0;
};

// What the program under test leaves behind; at a fixed place, as its own memory is restored.
oracle::Registers left;
const oracle::program* subject = nullptr;

void run() { oracle::run_on_threads(*subject, left); }

std::string difference(const oracle::program& program, rv::memory_model model, std::uint64_t seed,
                       totals& sum) {
    subject = &program;
    std::set<oracle::outcome> all, met;
    rv::exploration_options options;
    options.model = model;
    options.limits.hangs_refute = seed % 2 == 0;
    options.limits.executions = 20'000;
    options.on_complete = [&] { all.insert(left); };
    const rv::exploration_result whole = rv::explore(run, options);
    if (whole.stopped && whole.error.kind == rv::failure_kind::nothing) return ""; // too large
    options.limits.executions = 0;
    options.on_complete = [&] { met.insert(left); };
    const bool small = whole.executions <= few;
    const rv::exploration_result random =
        rv::explore_randomly(run, small ? walks_of_few : walks_of_many, seed, options);
    ++sum.programs;
    sum.walks += random.walks;
    sum.complete += random.executions;
    const bool errs = random.error.kind != rv::failure_kind::nothing;
    if (whole.error.kind != rv::failure_kind::nothing) { // the one that is met first need not be the same
        sum.errors += errs;
        return errs || !small ? "" : "an error is not met: " + whole.error.message;
    }
    if (errs) return "an error that is none: " + random.error.message;
    sum.states += all.size();
    sum.met += met.size();
    if (!std::includes(all.begin(), all.end(), met.begin(), met.end())) return "a state that there is not";
    return small && met != all ? "states that are not met" : "";
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = oracle::seed_options::read(argc, argv, "--profile", 50);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    totals all;
    for (const oracle::profile& profile : oracle::profiles()) {
        if (!only.empty() && only != profile.name && only != profile.group) continue;
        totals of;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed)
            for (const auto model : {rv::memory_model::rc11, rv::memory_model::tso, rv::memory_model::sc}) {
                const oracle::program program = oracle::generate(profile, seed);
                const std::string wrong = difference(program, model, seed, of);
                if (wrong.empty()) continue;
                ++of.wrong;
                if (of.wrong <= 3 || show)
                    std::printf("MISMATCH, seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed),
                                wrong.c_str(), oracle::to_string(program).c_str());
            }
        std::printf("%-16s %5lu programs, %lu with an error, %8lu random executions, %8lu of them complete, "
                    "%6lu of %6lu states met, %lu mismatches\n",
                    std::string(profile.name).c_str(), of.programs, of.errors, of.walks, of.complete, of.met,
                    of.states, of.wrong);
        all.programs += of.programs;
        all.wrong += of.wrong;
    }
    return all.programs == 0 ? 5 : all.wrong == 0 ? 0 : 1;
}
