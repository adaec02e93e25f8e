// SPDX-License-Identifier: Apache-2.0
// The engine with and without the reductions of locks, barriers, timed waits and updates, on generated programs that
// wait in all the ways libc has, and in some of their own.
//
//   ringproof_verify_locks [--resumed | --divided | --alike] [--kind NAME] [--seeds N] [--first SEED] [--show]
#include "../oracle/seed_options.hpp"
#include "../programs/divided.hpp"
#include "program.hpp"
#include "subject.hpp"

#include <ringproof/verify/explore.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;
namespace locks = ringproof::verify::locks;
using locks::running;
using locks::statement;
using what = locks::statement_kind;

/// Whether polls of such programs may have no end: who looks at a lock while others hold it, with nothing that orders
/// the look, keeps them from ending.
bool gives_up(locks::kind kind) {
    return kind == locks::kind::robbed || kind == locks::kind::pairs || kind == locks::kind::polls ||
           kind == locks::kind::undone || kind == locks::kind::shares || kind == locks::kind::tried_polls ||
           kind == locks::kind::looked_polls || kind == locks::kind::together;
}

/// @param reduced whether with all reductions; otherwise without those that are judged here, and with bounded polls.
/// Locks that are tried have no end without: then they are waited for, which is to be the same.
rv::exploration_result explored(locks::kind kind, rv::memory_model model, bool reduced, bool never_hangs) {
    const bool barriers = kind == locks::kind::barriers || kind == locks::kind::starts,
               tried = kind == locks::kind::tries, updates = kind == locks::kind::updates;
    running.tries = tried && reduced;
    running.timed = reduced;
    running.looks = kind == locks::kind::updates;
    running.together = kind == locks::kind::together;
    // Polls that fail: each but the last has been noticed, by a statement of another thread.
    std::size_t enough = 3;
    for (const auto& thread : running.subject->threads) enough = std::max(enough, thread.size());
    running.most_failed = reduced ? 0 : static_cast<int>(enough);
    rv::exploration_options options;
    options.limits.reduce.restored_iteration = reduced || barriers || tried;
    options.limits.reduce.multi_lock = reduced;
    options.limits.reduce.assumed_read = reduced; // a poll that has failed too often is assumed not to
    options.limits.reduce.commuting_update = reduced && updates;
    options.limits.reduce.undone_attempt = reduced || kind != locks::kind::undone;
    options.limits.reduce.barrier =
        reduced && barriers; // which order of arrival it shows depends on the others
    options.model = model;
    options.limits.executions = kind == locks::kind::undone ? 500 : 20'000;
    options.limits.execution_events = 2'000;          // a poll that is given up has no end
    if (gives_up(kind)) options.limits.seconds = 0.2; // some have millions of blocked executions
    options.limits.reduce.blocked_lock = reduced || barriers || tried;
    options.limits.hangs_refute = running.subject->hangs_refute && !never_hangs;
    if (reduced) options.limits.order_seed = oracle::order_at_hand;
    options.digest = true;
    options.state = barriers ? locks::state_and_rounds : locks::state;
    return rv::explore(locks::run_all, options);
}

enum class judged : std::uint8_t { reductions, resuming, dividing, symmetry } judging = judged::reductions;

struct totals {
    unsigned long programs = 0, comparisons = 0, executions = 0, executions_without = 0, refuted = 0,
                  large = 0, blocked = 0, blocked_without = 0, wrong = 0, parts = 0, divisions = 0;
};

bool polls(const std::vector<statement>& all) {
    return std::any_of(all.begin(), all.end(), [](const statement& s) {
        return s.what == what::poll || s.what == what::poll_spin || s.what == what::poll_word ||
               s.what == what::poll_tried || s.what == what::poll_swap || s.what == what::poll_looked ||
               s.what == what::poll_nested || s.what == what::both || s.what == what::await_timed ||
               s.what == what::poll_shared || s.what == what::poll_gate || polls(s.body);
    });
}
void leave_out_both(std::vector<statement>& all) {
    std::erase_if(all, [](const statement& s) { return s.what == what::both; });
    for (statement& s : all) leave_out_both(s.body);
}
bool polls(const locks::program& program) {
    return std::any_of(program.threads.begin(), program.threads.end(),
                       [](const auto& thread) { return polls(thread); });
}

locks::program without_both(locks::program program) {
    for (std::vector<statement>& thread : program.threads) leave_out_both(thread);
    return program;
}

/// How many words of updates.hpp several threads update.
int words_updated_by_several(const locks::program& program) {
    int words = 0;
    for (int word = 0; word < 5; ++word) { // the last one is the latch

        const auto updates = [&](const statement& s) {
            const bool bits = s.what == what::update_bits;
            if (word == 4) return s.what == what::count_latch;
            return (bits || s.what == what::update || s.what == what::update_down) &&
                   s.object + 2 * bits == word;
        };
        words += std::count_if(program.threads.begin(), program.threads.end(), [&](const auto& thread) {
                     return std::any_of(thread.begin(), thread.end(), updates);
                 }) > 1;
    }
    return words;
}

/// Whether both have met the same states: how often depends on the polls that fail.
bool same_states(const rv::exploration_result& a, const rv::exploration_result& b) {
    return a.states.size() == b.states.size() &&
           std::equal(a.states.begin(), a.states.end(), b.states.begin(),
                      [](const auto& one, const auto& other) { return one.first == other.first; });
}

/// Whether `without` has each execution as often as threads can come to its rounds in different orders.
bool has_each_order(const rv::exploration_result& with, const rv::exploration_result& without) {
    unsigned long orders = 1;
    for (std::size_t t = 2; t <= running.subject->runs.size(); ++t) orders *= t;
    for (const auto& [state, times] : with.states) {
        std::uint64_t expected = times;
        for (int rounds = std::stoi(state); rounds > 0; --rounds) expected *= orders;
        const auto other = without.states.find(state);
        if (other == without.states.end() || other->second != expected) return false;
    }
    return true;
}

/// Whether loops that wait with a time-out hang in other programs than loops that poll, which another reduction tells.
std::string hang_differently(rv::memory_model model) {
    running.tries = false;
    running.most_failed = 0;
    bool hangs[2] = {};
    for (const bool timed : {false, true}) {
        running.timed = timed;
        rv::exploration_options options;
        options.model = model;
        options.limits.order_seed = oracle::order_at_hand;
        options.limits.executions = 20'000;
        options.limits.execution_events = 2'000;
        const rv::exploration_result found = rv::explore(locks::run_all, options);
        if (found.stopped || found.error.kind == rv::failure_kind::limit) return "";
        // Of several threads that hang, any may be named.
        hangs[timed] =
            found.error.kind == rv::failure_kind::livelock || found.error.kind == rv::failure_kind::deadlock;
        if (timed && !found.bounds.empty()) return "bounded: " + found.bounds.front();
    }
    return hangs[0] == hangs[1] ? ""
           : hangs[1]           ? "waiting hangs, polling does not"
                                : "polling hangs, waiting does not";
}

/// What the two do not agree about in a program with updates.
std::string updates_differ(const locks::program& program, rv::memory_model model,
                           const rv::exploration_result& with, const rv::exploration_result& without) {
    if (!same_states(with, without)) return "the states differ";
    // The orders of several words depend on each other, and under sc and tso on all else: they are not counted.
    const bool counted = model == rv::memory_model::rc11 && words_updated_by_several(program) < 2;
    if (!counted || with.permutations == static_cast<double>(without.executions)) return "";
    return "executions with their orders: " + std::to_string(with.permutations) + " of " +
           std::to_string(with.executions) + "; without the reduction: " + std::to_string(without.executions);
}

/// Whether an attempt that is tried out in a state in which it was tried out before comes to something else.
std::string tried_differently(rv::memory_model model) {
    running.most_failed = 0;
    rv::exploration_result found[2];
    for (const bool remembers : {false, true}) {
        rv::exploration_options options;
        options.model = model;
        options.limits.order_seed = oracle::order_at_hand;
        options.limits.reduce.tried_look = remembers;
        options.limits.executions = 200;
        options.limits.execution_events = 300; // who can tell makes attempts without an end
        options.digest = true;
        options.state = locks::state;
        found[remembers] = rv::explore(locks::run_all, options);
    }
    const auto& [anew, remembered] = found;
    if (anew.error.kind != remembered.error.kind)
        return "tried anew: " + anew.error.message + "; remembered: " + remembered.error.message;
    if (anew.executions != remembered.executions || anew.blocked != remembered.blocked ||
        anew.discarded != remembered.discarded || anew.digest != remembered.digest ||
        anew.states != remembered.states)
        return "executions: " + std::to_string(anew.executions) + " tried anew, " +
               std::to_string(remembered.executions) + " remembered";
    return "";
}

/// All reductions, for a search that is made in several goes.
rv::exploration_options in_goes(rv::memory_model model) {
    running.tries = running.timed = running.together = true;
    running.most_failed = 0;
    rv::exploration_options options;
    options.model = model;
    options.limits.order_seed = oracle::order_at_hand;
    options.limits.reduce.symmetry = options.limits.reduce.commuting_update = true;
    options.limits.execution_events = 300;
    options.digest = true;
    options.state = locks::state;
    return options;
}

/// What a search at once does not agree about with one in several goes; `how`: "resumed", "in parts".
std::string go_differently(const rv::exploration_result& whole, const rv::exploration_result& goes,
                           const std::string& how) {
    if (goes.error.kind != whole.error.kind)
        return how + ": " + goes.error.message + "; at once: " + whole.error.message;
    if (whole.error.kind != rv::failure_kind::nothing) return "";
    if (goes.executions == whole.executions && goes.digest == whole.digest &&
        goes.permutations == whole.permutations && goes.states == whole.states)
        return "";
    return "executions: " + std::to_string(goes.executions) + " " + how + ", " +
           std::to_string(whole.executions) + " at once";
}

/// Whether a search that is divided into parts finds something else than one that is not.
std::string divided_differently(rv::memory_model model, totals& of) {
    rv::exploration_options options = in_goes(model);
    options.limits.executions = 300;
    const rv::exploration_result whole = rv::explore(locks::run_all, options);
    if (whole.stopped) return ++of.large, "";
    const rv::test::divided_search parts =
        rv::test::explore_divided(locks::run_all, options, 1 + whole.executions / 8, 7);
    of.executions += parts.all.executions;
    of.parts += parts.parts;
    of.divisions += parts.divisions;
    if (!parts.ends) return "the search that is divided does not end";
    if (parts.all.misfit) return "a part does not fit the program";
    const bool errs =
        parts.all.error.kind != rv::failure_kind::nothing && whole.error.kind != rv::failure_kind::nothing;
    // Which error is met first depends on the part, and one with a limit may be met behind it.
    return errs ? "" : go_differently(whole, parts.all, "in parts");
}

/// Whether a search that is stopped again and again, and resumed by a checker that knows nothing of it but its result, finds
/// something else than one that is not.
std::string resumed_differently(rv::memory_model model) {
    rv::exploration_options options = in_goes(model);
    options.limits.executions = 300;
    const rv::exploration_result whole = rv::explore(locks::run_all, options);
    if (whole.stopped) return "";
    options.limits.executions = 1 + (whole.executions + whole.discarded) / 4;
    options.limits.resumable = true;
    rv::exploration_result parts = rv::explore(locks::run_all, options);
    for (int more = 0; parts.stopped && more < 50; ++more) {
        const rv::exploration_result so_far = parts;
        options.resume = &so_far;
        parts = rv::explore(locks::run_all, options);
    }
    options.resume = nullptr;
    if (parts.stopped || parts.misfit) return "the search that is resumed does not end";
    return go_differently(whole, parts, "resumed");
}

/// Whether executions of such programs have one number. Iterations in vain that take a lock are left out where a twin is
/// found, and which of two alike threads comes first makes a difference to that.
bool is_counted(locks::kind kind) { return !gives_up(kind) && kind != locks::kind::timed; }

/// What a program some of whose threads are alike can come to. @param limit executions
rv::exploration_result explored_alike(locks::kind kind, rv::memory_model model, bool symmetry, bool commuting,
                                      std::uint64_t limit) {
    running.tries = kind == locks::kind::tries;
    running.timed = true;
    running.looks = kind == locks::kind::updates;
    running.together = kind == locks::kind::together;
    running.most_failed = 0;
    rv::exploration_options options;
    options.model = model;
    if (symmetry) options.limits.order_seed = oracle::order_at_hand;
    options.limits.reduce.symmetry = symmetry;
    options.limits.reduce.commuting_update = commuting;
    options.limits.executions = limit;
    options.limits.seconds = 2; // some have millions of blocked executions
    options.limits.execution_events = 300;
    options.limits.hangs_refute = running.subject->hangs_refute;
    options.state = locks::state;
    return rv::explore(locks::run_all, options);
}

/// Whether alike threads that change places make a difference.
std::string alike_differently(locks::kind kind, rv::memory_model model, totals& of) {
    constexpr std::uint64_t most = 5'000;
    const rv::exploration_result without = explored_alike(kind, model, false, false, most);
    const bool refuted = without.error.kind != rv::failure_kind::nothing;
    if (without.stopped || without.error.kind == rv::failure_kind::limit ||
        (!refuted && !without.bounds.empty()))
        return ++of.large, "";
    const rv::exploration_result with = explored_alike(kind, model, true, false, 20 * most);
    if (with.error.kind == rv::failure_kind::nothing && with.stopped) return ++of.large, "";
    if (gives_up(kind) && with.error.kind == rv::failure_kind::limit) return ++of.large, "";
    if (refuted != (with.error.kind != rv::failure_kind::nothing))
        return "with symmetry: " + with.error.message + "; without: " + without.error.message;
    if (refuted) return ++of.refuted, "";
    of.executions += with.executions;
    of.executions_without += without.executions;
    of.blocked += with.blocked + with.pruned;
    of.blocked_without += without.blocked + without.pruned;
    of.parts += with.executions != without.executions;
    if (!same_states(with, without)) return "the states differ";
    const auto count = static_cast<double>(without.executions);
    if (is_counted(kind) && std::abs(with.permutations - count) > 1e-6 * count)
        return "executions: " + std::to_string(with.executions) + ", " + std::to_string(with.permutations) +
               " with their permutations, " + std::to_string(without.executions) + " without symmetry";
    if (kind != locks::kind::updates && kind != locks::kind::all) return "";
    const rv::exploration_result both = explored_alike(kind, model, true, true, 20 * most);
    if (both.error.kind != rv::failure_kind::nothing) return "with commuting updates: " + both.error.message;
    if (both.stopped) return ++of.large, "";
    return same_states(both, without) ? "" : "the states differ with symmetry and commuting updates";
}

/// What the two searches do not agree about, both of which came to their ends.
/// @param bounded the program has polls whose number is bounded
std::string searches_differ(locks::kind kind, const locks::program& program, rv::memory_model model,
                            bool bounded, const rv::exploration_result& with,
                            const rv::exploration_result& without, totals& of) {
    of.executions += with.executions;
    of.executions_without += without.executions;
    of.blocked += with.blocked + with.pruned;
    of.blocked_without += without.blocked + without.pruned;
    if (kind == locks::kind::updates) return updates_differ(program, model, with, without);
    if (bounded || kind == locks::kind::barriers || kind == locks::kind::starts) {
        if (!same_states(with, without)) return "the states differ";
        if (kind != locks::kind::barriers || static_cast<int>(program.runs.size()) != program.meeting)
            return "";
        return has_each_order(with, without) ? "" : "not each order of arrival is left out once";
    }
    if (with.executions != without.executions)
        return "executions: " + std::to_string(with.executions) + ", without the reduction " +
               std::to_string(without.executions);
    if (with.states != without.states) return "the states differ";
    // A try is made at another place in the program, which is a part of the digest.
    if (kind != locks::kind::tries && with.digest != without.digest) return "the executions differ";
    return "";
}

/// @return what the two do not agree about
std::string difference(locks::kind kind, const locks::program& program, rv::memory_model model, totals& of) {
    running.subject = &program;
    if (judging == judged::resuming) return ++of.comparisons, resumed_differently(model);
    if (judging == judged::dividing) return ++of.comparisons, divided_differently(model, of);
    if (judging == judged::symmetry) return ++of.comparisons, alike_differently(kind, model, of);
    if (std::string how = kind == locks::kind::timed    ? hang_differently(model)
                          : kind == locks::kind::undone ? tried_differently(model)
                                                        : "";
        !how.empty())
        return how;
    const bool bounded = polls(program) || kind == locks::kind::undone;
    // What is bounded does not hang; but who steps back waits in the end.
    const bool never_hangs = bounded && (kind != locks::kind::together || polls(without_both(program)));
    ++of.comparisons;
    const auto refuted = [](const rv::exploration_result& r) {
        return r.error.kind != rv::failure_kind::nothing;
    };
    const auto stopped = [&](const rv::exploration_result& r) { return r.stopped && !refuted(r); };
    const rv::exploration_result with = explored(kind, model, true, never_hangs);
    if (stopped(with)) return ++of.large, "";
    const rv::exploration_result without = explored(kind, model, false, never_hangs);
    if (stopped(without)) return ++of.large, "";
    if (gives_up(kind) && with.error.kind == rv::failure_kind::limit) return ++of.large, "";
    if (with.error.kind == rv::failure_kind::unsupported || with.error.kind == rv::failure_kind::limit)
        return "the engine reports: " + with.error.message;
    if (refuted(with) != refuted(without))
        return "with: " + with.error.message + "; without: " + without.error.message;
    if (refuted(with)) return ++of.refuted, "";
    return searches_differ(kind, program, model, bounded, with, without, of);
}

/// The program with as few statements as still make a difference.
locks::program smallest(locks::kind kind, locks::program program, rv::memory_model model) {
    totals ignored;
    const auto differs = [&](const locks::program& p) {
        return !difference(kind, p, model, ignored).empty();
    };
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (std::size_t t = 0; t < program.threads.size(); ++t)
            for (std::size_t i = program.threads[t].size(); i-- > 0;) {
                locks::program candidate = program;
                candidate.threads[t].erase(candidate.threads[t].begin() + static_cast<std::ptrdiff_t>(i));
                if (differs(candidate)) program = candidate, smaller = true;
            }
        for (std::size_t t = 0; t < program.threads.size(); ++t)
            for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
                if (program.threads[t][i].body.empty()) continue;
                locks::program candidate = program;
                candidate.threads[t][i].body.pop_back();
                if (differs(candidate)) program = candidate, smaller = true;
            }
    }
    return program;
}

void compare(locks::kind kind, std::uint64_t seed, bool show, totals& of) {
    const std::string_view name = locks::kind_names[static_cast<std::size_t>(kind)];
    locks::program program = locks::generate(kind, seed);
    if (judging == judged::symmetry || (judging != judged::reductions && seed % 2 == 0))
        program = locks::with_alike(std::move(program), seed / 2);
    if (show)
        std::printf("%s %llu\n%s\n", name.data(), static_cast<unsigned long long>(seed),
                    to_string(program).c_str());
    ++of.programs;
    oracle::choose_order(seed);
    for (const rv::memory_model model :
         {rv::memory_model::rc11, rv::memory_model::tso, rv::memory_model::sc, rv::memory_model::ra}) {
        const std::string wrong = difference(kind, program, model, of);
        if (wrong.empty()) continue;
        if (++of.wrong > 3) continue; // those shown are enough
        const locks::program less = smallest(kind, program, model);
        totals ignored;
        std::printf("MISMATCH under model %d, %s %llu: %s\nthe same with less: %s\n%s\n",
                    static_cast<int>(model), name.data(), static_cast<unsigned long long>(seed),
                    wrong.c_str(), difference(kind, less, model, ignored).c_str(), to_string(less).c_str());
    }
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const std::string_view mode = argc > 1 ? argv[1] : "";
    if (mode == "--resumed") judging = judged::resuming, ++argv, --argc;
    if (mode == "--divided") judging = judged::dividing, ++argv, --argc;
    if (mode == "--alike") judging = judged::symmetry, ++argv, --argc;
    const auto chosen = oracle::seed_options::read(argc, argv, "--kind", 200);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    unsigned long compared = 0, mismatches = 0;
    for (std::size_t k = 0; k < locks::kind_names.size(); ++k) {
        if (!only.empty() && only != locks::kind_names[k]) continue;
        totals of;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed)
            compare(static_cast<locks::kind>(k), seed, show, of);
        std::printf(
            "%-10s %5lu programs, %6lu comparisons, %5lu refuted, %4lu too large, %8lu executions (%lu), "
            "%8lu blocked (%lu without the reduction), %lu mismatches\n",
            locks::kind_names[k].data(), of.programs, of.comparisons, of.refuted, of.large, of.executions,
            of.executions_without, of.blocked, of.blocked_without, of.wrong);
        if (judging == judged::dividing)
            std::printf("%-10s %lu parts, divided %lu times more\n", "", of.parts, of.divisions);
        compared += of.comparisons;
        mismatches += of.wrong;
    }
    return compared == 0 ? 5 : mismatches == 0 ? 0 : 1;
}
