// SPDX-License-Identifier: Apache-2.0
// Threads that wait in loops which access memory, and others that see behind them, mostly without an order. The search
// leaves iterations out whose accesses may race; whether it refutes a program is compared with the search without
// reductions that makes three rounds, and with the one that keeps the first iteration of each kind anyway.
//
//   ringproof_verify_left_out [--seeds N] [--first SEED] [--show]
#include "../oracle/seed_options.hpp"
#include "program.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/models.hpp>

#include <cstdio>

namespace {

namespace rv = ringproof::verify;
namespace left_out = ringproof::verify::left_out;

enum class how : std::uint8_t { plainly, as_used, with_kept };

rv::exploration_result search(const left_out::program& subject, rv::memory_model model, how way) {
    rv::exploration_options options;
    options.model = model;
    options.limits.hangs_refute = false; // only without a bound of rounds is it known who waits for ever
    options.limits.executions = 30'000;
    options.limits.seconds = 2;
    options.limits.execution_events = 300;
    if (way == how::plainly) {
        options.limits.reduce = rv::reductions::none();
        options.limits.rounds = 3;
    } else {
        options.limits.reduce.symmetry = options.limits.reduce.commuting_update = true;
        options.limits.order_seed = rv::oracle::order_at_hand;
    }
    options.limits.keep_iterations = way == how::with_kept;
    left_out::choose(subject);
    return rv::explore(left_out::run_chosen, options);
}

struct totals {
    unsigned long programs = 0, comparisons = 0, refuted = 0, large = 0, kept = 0, executions = 0,
                  mismatches = 0;
};

bool fails(const rv::exploration_result& r) { return r.error.kind != rv::failure_kind::nothing; }

std::string compare(const left_out::program& subject, rv::memory_model model, totals& sum) {
    const rv::exploration_result expected = search(subject, model, how::plainly);
    const rv::exploration_result found = search(subject, model, how::as_used);
    const rv::exploration_result kept = search(subject, model, how::with_kept);
    if (expected.stopped || found.stopped || kept.stopped) return ++sum.large, "";
    ++sum.comparisons;
    sum.refuted += fails(expected);
    sum.kept += found.discarded != 0;
    sum.executions += found.executions;
    if (!found.bounds.empty()) return "bounded by: " + found.bounds.front();
    if (fails(found) != fails(expected))
        return "found: " + found.error.message + "; without reductions: " + expected.error.message;
    if (fails(kept) != fails(expected))
        return "with iterations kept: " + kept.error.message +
               "; without reductions: " + expected.error.message;
    return "";
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = rv::oracle::seed_options::read(argc, argv, "--kind", 300);
    if (!chosen) return 2;
    totals sum;
    for (std::uint64_t seed = chosen->first; seed < chosen->first + chosen->seeds; ++seed) {
        rv::oracle::choose_order(seed);
        const left_out::program subject = left_out::generate(seed);
        ++sum.programs;
        if (chosen->show)
            std::printf("seed %llu\n%s", static_cast<unsigned long long>(seed), to_string(subject).c_str());
        for (const rv::named_model& model : rv::named_models) {
            const std::string wrong = compare(subject, model.which, sum);
            if (!wrong.empty() && ++sum.mismatches <= 5)
                std::printf("MISMATCH under %s, seed %llu: %s\n%s", std::string(model.name).c_str(),
                            static_cast<unsigned long long>(seed), wrong.c_str(), to_string(subject).c_str());
        }
    }
    std::printf(
        "%lu programs, %lu comparisons, %lu refuted, %lu too large, %lu that began anew, %lu executions, "
        "%lu mismatches\n",
        sum.programs, sum.comparisons, sum.refuted, sum.large, sum.kept, sum.executions, sum.mismatches);
    const bool little = sum.refuted * 20 < sum.comparisons || sum.kept == 0; // then it says nothing
    return sum.mismatches != 0 || little || sum.comparisons == 0 ? 1 : 0;
}
