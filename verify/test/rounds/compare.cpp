// SPDX-License-Identifier: Apache-2.0
// Programs whose threads go round until they have read what they want: the search with its reductions against the search
// with none of them. With none it would not end, so there a round that has no effect stops its execution instead of
// beginning anew (assume). The complete executions that are left are those of threads that succeed in their first round,
// and the reductions claim that there are no others: the number of executions, their digest and the values that each
// thread has read have to be equal, and so has the verdict.
//
// Such programs are full of reads that an assumption follows. So what stops rounds is a judge of the reduction of assumed
// reads as well: the search with that one alone against the search with none.
//
// Rounds may store in an atomic of their thread. What such a round leaves, others may read; so there the search with no
// reductions is made with few rounds, and all its final states have to be found with the reductions.
//
// And the search with all reductions is compared with the one that does not drop branches behind stale iterations: that one
// judges rounds that leave something behind as well.
//
//   ringproof_verify_rounds [--kind stores] [--seeds N] [--first SEED] [--show]
#include "../oracle/seed_options.hpp"
#include "run.hpp"
#include "shapes.hpp"
#include "smaller.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/models.hpp>

#include <algorithm>
#include <cstdio>

namespace {

namespace rv = ringproof::verify;
namespace rounds = ringproof::verify::rounds;

rv::exploration_options usual(rv::memory_model model) {
    rv::exploration_options options;
    options.model = model;
    options.limits.hangs_refute =
        false; // a thread that stops and one that waits for ever look alike without reductions
    options.limits.execution_events = 300; // rounds that store have no end
    options.digest = true;
    options.state = rounds::noted_values;
    return options;
}

/// Rounds without effect stop their execution.
rv::exploration_result with_stopped_rounds(const rounds::program& subject, rv::memory_model model,
                                           bool assumed_reads) {
    rv::exploration_options options = usual(model);
    options.limits.reduce = rv::reductions::none();
    options.limits.reduce.assumed_read = assumed_reads;
    if (assumed_reads) options.limits.order_seed = rv::oracle::order_at_hand;
    options.limits.executions = assumed_reads ? 20'000 : 1'000;
    options.limits.seconds = assumed_reads ? 3 : 1;
    rounds::choose(subject, 1);
    return rv::explore(rounds::run_chosen, options);
}

rv::exploration_result with_reductions(const rounds::program& subject, rv::memory_model model,
                                       std::uint64_t order, bool stale_iterations = true) {
    rv::exploration_options options = usual(model);
    options.limits.reduce.stale_iteration = stale_iterations;
    options.limits.order_seed = order;
    options.limits.executions = 20'000; // many times as many as there are
    options.limits.seconds = 3;
    rounds::choose(subject, 0);
    return rv::explore(rounds::run_chosen, options);
}

struct totals {
    unsigned long programs = 0, comparisons = 0, executions = 0, refuted = 0, large = 0, left = 0, twice = 0,
                  blocked = 0, mismatches = 0, stopped_before = 0, stopped = 0, dropped_in = 0,
                  blocked_before = 0, blocked_then = 0, store = 0, without_effect = 0, few_are_large = 0;
};

bool is_out_of_time(const rv::exploration_result& r) {
    return r.stopped_by.find("time") != std::string::npos;
}
bool fails(const rv::exploration_result& r) { return r.error.kind != rv::failure_kind::nothing; }

/// Whether the search found all that it should, and more.
bool has_only_more(const rv::exploration_result& found, const rv::exploration_result& expected) {
    return found.executions > expected.executions &&
           std::all_of(expected.states.begin(), expected.states.end(), [&](const auto& state) {
               const auto at = found.states.find(state.first);
               return at != found.states.end() && at->second >= state.second;
           });
}

/// Whether a round may leave plain memory changed that the next one does not change, or reads: then it is no round without
/// effect, and an execution of its own.
bool leaves_something(const rounds::program& subject) {
    const auto writes = [](const rounds::step& s) {
        return s.what == rounds::step_kind::own || s.what == rounds::step_kind::cell || s.links;
    };
    const auto any = [&](const rounds::statement& s) {
        return std::any_of(s.steps.begin(), s.steps.end(), writes);
    };
    return std::any_of(subject.threads.begin(), subject.threads.end(),
                       [&](const auto& all) { return std::any_of(all.begin(), all.end(), any); });
}

/// Whether a round may store in an atomic of its thread.
bool stores(const rounds::program& subject) {
    const auto any = [&](const rounds::statement& s) {
        return std::any_of(s.steps.begin(), s.steps.end(),
                           [](const rounds::step& one) { return one.what == rounds::step_kind::cell; });
    };
    return std::any_of(subject.threads.begin(), subject.threads.end(),
                       [&](const auto& all) { return std::any_of(all.begin(), all.end(), any); });
}

/// What is wrong with a search, in view of the one with no reductions; nothing where both agree.
std::string difference(const rounds::program& subject, const rv::exploration_result& found,
                       const rv::exploration_result& expected, totals& sum) {
    if (found.stopped) return "stopped by " + found.stopped_by;
    if (fails(found) && !fails(expected) && leaves_something(subject)) // a later round may fail for that
        return ++sum.left, "";
    if (fails(found) != fails(expected)) // of several errors any may be met first
        return "found: " + found.error.message + "; expected: " + expected.error.message;
    if (fails(found) || (found.executions == expected.executions && found.digest == expected.digest &&
                         found.states == expected.states))
        return "";
    if (has_only_more(found, expected)) {
        ++(leaves_something(subject) ? sum.left : sum.twice);
        return "";
    }
    return std::to_string(found.executions) + " executions where there are " +
           std::to_string(expected.executions);
}

/// The same for the search with assumed reads alone: there are no others to recognise what it leaves.
std::string difference_by_assumed_reads(const rounds::program& subject, rv::memory_model model,
                                        const rv::exploration_result& expected, totals& sum) {
    const rv::exploration_result found = with_stopped_rounds(subject, model, true);
    // In another order an error may come after more executions than there is time for.
    if (fails(expected) && (fails(found) || found.stopped)) return "";
    if (is_out_of_time(found)) return ++sum.large, "";
    if (!found.stopped && fails(found) == fails(expected) && found.executions == expected.executions &&
        found.digest == expected.digest && found.states == expected.states) {
        sum.stopped_before += expected.blocked;
        sum.stopped += found.blocked;
        return "";
    }
    return "with assumed reads " + std::to_string(found.executions) + " executions where there are " +
           std::to_string(expected.executions) + "; found: " + found.error.message +
           "; expected: " + expected.error.message;
}

std::string difference_by_stale_iterations(const rounds::program& subject, rv::memory_model model,
                                           std::uint64_t order, const rv::exploration_result& found,
                                           totals& sum) {
    const rv::exploration_result all = with_reductions(subject, model, order, false);
    if (all.stopped) return "";
    if (fails(found) == fails(all) &&
        (fails(all) ||
         (found.executions == all.executions && found.digest == all.digest && found.states == all.states))) {
        if (!fails(all)) {
            sum.dropped_in += found.blocked < all.blocked;
            sum.blocked_before += all.blocked;
            sum.blocked_then += found.blocked;
        }
        return "";
    }
    return "with stale iterations left out " + std::to_string(found.executions) +
           " executions, without that " + std::to_string(all.executions) + "; found: " + found.error.message +
           "; expected: " + all.error.message;
}

/// For stores without effect: the search with no reductions, of few rounds, finds no final state and no error that
/// the one with reductions does not.
std::string difference_by_own_stores(const rounds::program& subject, rv::memory_model model,
                                     const rv::exploration_result& found, totals& sum) {
    if (!stores(subject) || found.stopped || fails(found)) return "";
    ++sum.store;
    sum.without_effect +=
        found.assumptions.lower_bound({rv::assumption::own_store, 0}) != found.assumptions.end();
    rv::exploration_options options = usual(model);
    options.limits.reduce = rv::reductions::none();
    options.limits.reduce.assumed_read = true;
    options.limits.executions = 20'000;
    options.limits.seconds = 0.2;
    rounds::choose(subject, 3);
    const rv::exploration_result few = rv::explore(rounds::run_chosen, options);
    sum.few_are_large += few.stopped;
    if (fails(few)) return "found no error; with few rounds: " + few.error.message;
    for (const auto& [state, times] : few.states)
        if (found.states.count(state) == 0) return "no execution that ends with " + state;
    return "";
}

std::string compare(const rounds::program& subject, rv::memory_model model, totals& sum) {
    const rv::exploration_result expected = with_stopped_rounds(subject, model, false);
    if (expected.stopped) return ++sum.large, "";
    const std::string wrong = difference_by_assumed_reads(subject, model, expected, sum);
    if (!wrong.empty()) return wrong;
    std::uint64_t order = rv::oracle::order_at_hand;
    rv::exploration_result found = with_reductions(subject, model, order);
    if (found.stopped && fails(expected)) // an error may come late in one order
        found = with_reductions(subject, model, order = 0);
    // Where a thread stores first one value and then another, its rounds have no end.
    if (is_out_of_time(found) || (found.stopped && stores(subject))) return ++sum.large, "";
    ++sum.comparisons;
    sum.refuted += fails(expected);
    sum.executions += found.executions;
    sum.blocked += found.blocked;
    const std::string other = difference(subject, found, expected, sum);
    if (!other.empty()) return other;
    const std::string lost = difference_by_own_stores(subject, model, found, sum);
    return lost.empty() ? difference_by_stale_iterations(subject, model, order, found, sum) : lost;
}

void report(const rounds::program& subject, const rv::named_model& model, const std::string& name,
            const std::string& wrong) {
    std::printf("MISMATCH under %s, %s: %s\n%s", std::string(model.name).c_str(), name.c_str(), wrong.c_str(),
                to_string(subject).c_str());
    rounds::program least = subject;
    std::string why = wrong;
    const auto still = [&](const rounds::program& less) {
        totals ignored;
        const std::string there = compare(less, model.which, ignored);
        if (there.empty()) return false;
        why = there;
        least = rounds::program(less);
        return true;
    };
    for (rounds::program from = least; each_smaller(from, still); from = least) {
    }
    std::printf("the same with less: %s\n%s", why.c_str(), to_string(least).c_str());
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = rv::oracle::seed_options::read(argc, argv, "--kind", 300);
    if (!chosen) return 2;
    const bool stores = chosen->only == "stores";
    if (!stores && !chosen->only.empty()) {
        std::fprintf(stderr, "%s: there is one kind of programs, stores\n", argv[0]);
        return 2;
    }
    totals sum;
    const auto judge = [&](const rounds::program& subject, const std::string& name) {
        ++sum.programs;
        if (chosen->show) std::printf("%s\n%s", name.c_str(), to_string(subject).c_str());
        for (const rv::named_model& model : rv::named_models) {
            const std::string wrong = compare(subject, model.which, sum);
            if (!wrong.empty() && ++sum.mismatches <= 3) report(subject, model, name, wrong);
        }
    };
    constexpr std::uint64_t orders = 8;
    for (const rounds::shape& each : rounds::shapes())
        for (std::uint64_t& order = rv::oracle::order_at_hand = 0; order < orders; ++order)
            judge(each.what, each.name + (", order " + std::to_string(order)));
    for (std::uint64_t seed = chosen->first; seed < chosen->first + chosen->seeds; ++seed) {
        rv::oracle::choose_order(seed);
        judge(rounds::generate(seed, stores), "seed " + std::to_string(seed));
    }
    std::printf(
        "%lu programs, %lu comparisons, %lu refuted, %lu too large, %lu executions, %lu blocked, %lu "
        "with rounds that leave something, %lu with a round too many, %lu stopped by assumptions where "
        "%lu were, %lu blocked where %lu were in all with fewer for stale iterations in %lu, "
        "%lu with stores that end, %lu of them by stores without effect, %lu of them too large with few "
        "rounds, "
        "%lu mismatches\n",
        sum.programs, sum.comparisons, sum.refuted, sum.large, sum.executions, sum.blocked, sum.left,
        sum.twice, sum.stopped, sum.stopped_before, sum.blocked_then, sum.blocked_before, sum.dropped_in,
        sum.store, sum.without_effect, sum.few_are_large, sum.mismatches);
    // A round that is not recognised costs time and loses nothing. Few are not: 20 of 78,539 comparisons.
    const bool many = sum.twice * 1'000 > sum.comparisons;
    const bool idle =
        sum.comparisons == 0 || sum.stopped >= sum.stopped_before || sum.blocked_then >= sum.blocked_before;
    return sum.mismatches != 0 || many || idle ? 1 : 0;
}
