// SPDX-License-Identifier: Apache-2.0
// Programs whose threads can see that another thread held a lock. The search without reductions makes few rounds of each loop;
// the search with reductions has to find all its final states, in the usual order of threads and in others. A waiting loop takes
// the lock and releases it: an iteration that was left out may be the one that another thread has to see.
//
//   ringproof_verify_notices [--seeds N] [--first SEED] [--show]
#include "../oracle/seed_options.hpp"
#include "program.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/models.hpp>

#include <cstdio>

namespace {

namespace rv = ringproof::verify;
namespace notices = ringproof::verify::notices;

rv::exploration_options usual(rv::memory_model model) {
    rv::exploration_options options;
    options.model = model;
    options.state = notices::noted_values;
    options.limits.hangs_refute = false; // a loop may wait for what no thread stores
    options.limits.executions = 20'000;
    options.limits.execution_events = 300; // a loop that is given up has no end
    options.limits.seconds = 0.5;
    return options;
}

rv::exploration_result with_few_rounds(rv::memory_model model) {
    rv::exploration_options options = usual(model);
    options.limits.reduce = rv::reductions::none();
    options.limits.rounds = 3;
    return rv::explore(notices::run_chosen, options);
}

rv::exploration_result with_reductions(rv::memory_model model, std::uint64_t order) {
    rv::exploration_options options = usual(model);
    options.limits.order_seed = order;
    return rv::explore(notices::run_chosen, options);
}

bool fails(const rv::exploration_result& r) { return r.error.kind != rv::failure_kind::nothing; }

bool has_no_end(const rv::exploration_result& r) { return r.error.kind == rv::failure_kind::limit; }

bool leaves_out(const rv::exploration_result& r) {
    for (const auto& [what, times] : r.assumptions)
        if (what.first == rv::assumption::restored_iteration) return true;
    return false;
}

struct totals {
    unsigned long programs = 0, comparisons = 0, in_part = 0, large = 0, endless = 0, left_out = 0,
                  executions = 0, mismatches = 0;
};

std::string compare(rv::memory_model model, std::uint64_t order, const rv::exploration_result& few,
                    totals& sum) {
    const rv::exploration_result found = with_reductions(model, order);
    if (has_no_end(found)) return ++sum.endless, "";
    if (found.stopped) return ++sum.large, "";
    ++sum.comparisons;
    sum.in_part += few.stopped;
    sum.left_out += leaves_out(found);
    sum.executions += found.executions;
    if (fails(found) || fails(few))
        return fails(found) == fails(few)
                   ? ""
                   : "found '" + found.error.message + "', not '" + few.error.message + '\'';
    for (const auto& [state, times] : few.states)
        if (found.states.count(state) == 0) return "no execution that ends with " + state;
    return "";
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = rv::oracle::seed_options::read(argc, argv, "--kind", 100);
    if (!chosen || !chosen->only.empty()) return 2;
    totals sum;
    for (std::uint64_t seed = chosen->first; seed < chosen->first + chosen->seeds; ++seed) {
        const notices::program subject = notices::generate(seed);
        notices::choose(subject);
        ++sum.programs;
        if (chosen->show)
            std::printf("seed %llu\n%s", static_cast<unsigned long long>(seed), to_string(subject).c_str());
        for (const rv::named_model& model : rv::named_models) {
            const rv::exploration_result few = with_few_rounds(model.which);
            for (const std::uint64_t factor : {0, 1, 6}) { // 0: the usual order
                const std::uint64_t order = factor * 0x9e37'79b9'7f4a'7c15u * (seed + 1);
                const std::string wrong = compare(model.which, order, few, sum);
                if (wrong.empty() || ++sum.mismatches > 3) continue;
                std::printf("MISMATCH under %s, seed %llu, order %llu: %s\n%s",
                            std::string(model.name).c_str(), static_cast<unsigned long long>(seed),
                            static_cast<unsigned long long>(order), wrong.c_str(),
                            to_string(subject).c_str());
            }
        }
    }
    std::printf("%lu programs, %lu comparisons, %lu with a part of the states, %lu too large, %lu without "
                "end, %lu with "
                "iterations left out, %lu executions, %lu mismatches\n",
                sum.programs, sum.comparisons, sum.in_part, sum.large, sum.endless, sum.left_out,
                sum.executions, sum.mismatches);
    return sum.mismatches != 0 || sum.left_out == 0 ? 1 : 0;
}
