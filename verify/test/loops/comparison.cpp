// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include "../oracle/seed_options.hpp"

#include <cfenv>
#include <cstring>

namespace ringproof::verify::loops {
namespace {

constexpr std::uint64_t most_executions = 3'000;
constexpr unsigned most_events = 250; // of one execution
constexpr double most_seconds = 0.5;  // for what only blocks; what ends does so within a few milliseconds

machine_model machine_for(const program& what, memory_model model) {
    if (model == memory_model::tso) return machine_model::tso;
    if (model == memory_model::ra) return machine_model::rc11;
    return model == memory_model::sc || all_seq_cst(what) ? machine_model::sc : machine_model::rc11;
}

// At fixed places, as the memory of the program under test is restored, and its body is a function of nothing.
outcome left;
const program* subject = nullptr;
thread_body code_of_subject = nullptr;

struct exploration {
    exploration_result result;
    std::set<outcome> finals;
};

exploration explore_program(const program& what, memory_model model, thread_body code,
                            const reductions& reduce, bool hangs_refute, bool unfair = false) {
    subject = &what;
    code_of_subject = code;
    std::feclearexcept(FE_ALL_EXCEPT); // as at the start of a process
    exploration found;
    exploration_options options;
    options.model = model;
    options.limits.hangs_refute = hangs_refute;
    options.limits.unfair = unfair;
    options.limits.order_seed = oracle::order_at_hand;
    options.limits.reduce = reduce;
    options.limits.executions = most_executions;
    options.limits.execution_events = most_events;
    options.limits.seconds = most_seconds;
    options.limits.spins = 100;
    // States as the checker counts them: those of a search that it gave up to begin anew are not among them.
    options.state = [] { return std::string(reinterpret_cast<const char*>(&left), sizeof left); };
    found.result = explore([] { run_on_threads(*subject, left, code_of_subject); }, options);
    for (const auto& [bytes, times] : found.result.states) {
        outcome each;
        std::memcpy(&each, bytes.data(), sizeof each);
        found.finals.insert(each);
    }
    return found;
}

std::string listed(const std::set<outcome>& some, const std::set<outcome>& others, const char* what,
                   const program& of) {
    std::string all;
    for (const outcome& o : some)
        if (others.count(o) == 0) all += std::string("\n  ") + what + ": " + to_string(o, of);
    return all;
}

bool is_hang(const failure& f) {
    return f.kind == failure_kind::livelock || f.kind == failure_kind::deadlock;
}

} // namespace

bool can_judge(const program& what, memory_model model) {
    return model != memory_model::rc11 || all_seq_cst(what) || no_seq_cst(what);
}

comparison_result compare(const program& what, memory_model model, thread_body code,
                          const reductions& reduce) {
    comparison_result all;
    const machine_model machine = machine_for(what, model);
    // ra is rc11 of the program whose every access is release and acquire.
    const program judged = model == memory_model::ra ? release_acquire(what) : what;
    judgement expected = judge(judged, machine);
    all.states = expected.states;
    // Threads that write for ever make ever more messages: no cycle shows that.
    const bool may_churn = expected.churns || (expected.cut && machine == machine_model::rc11);
    if (expected.cut && machine == machine_model::rc11) {
        // Longer and longer lists of messages: is there anything new in them?
        judge_limits shorter;
        shorter.messages = 5;
        const judgement before = judge(judged, machine, shorter);
        expected.cut = before.finals != expected.finals || before.fails != expected.fails ||
                       before.races != expected.races || expected.states >= shorter.states;
        all.too_large = expected.cut;
    } else {
        all.too_large = expected.cut;
    }
    if (all.too_large) return all;

    exploration found = explore_program(what, model, code, reduce, true);
    const bool hangs = is_hang(found.result.error);
    if (hangs && !may_churn) {
        all.wrong = "the checker reports that a thread waits for ever: " + found.result.error.message;
        return all;
    }
    if (hangs) found = explore_program(what, model, code, reduce, false);
    const exploration_result& result = found.result;
    all.executions = result.executions;
    all.hangs = hangs;
    switch (result.error.kind) {
    case failure_kind::nothing:
        break;
    case failure_kind::assertion:
        all.refuted = true;
        if (!expected.fails && !expected.races) all.wrong = "the checker reports a failure that cannot be";
        break;
    case failure_kind::data_race:
        all.refuted = true;
        if (!expected.races) all.wrong = "the checker reports a race that is none: " + result.error.message;
        break;
    case failure_kind::limit:
        all.endless = true;
        break;
    default:
        all.wrong = "the checker reports: " + result.error.message;
    }
    all.endless = all.endless || result.stopped || !result.bounds.empty();
    // Loops that count, and tell: the engine leaves iterations out, and says so.
    for (const auto& [entry, times] : whole_ledger(result))
        all.endless = all.endless || entry.first == assumption::yield;
    if (all.refuted || !all.wrong.empty() || expected.races) {
        if (expected.races && !all.refuted && !all.endless && all.wrong.empty())
            all.wrong = "the checker misses a race";
        all.judged = !all.endless;
        return all;
    }
    all.wrong = listed(found.finals, expected.finals, "unexpected", what);
    if (all.endless) return all;
    all.judged = true;
    if (expected.fails) all.wrong += "\n  the checker misses a failure";
    if (expected.waits && !hangs) all.wrong += "\n  the checker misses that threads wait for ever";
    all.wrong += listed(expected.finals, found.finals, "missing", what);
    return all;
}

comparison_result compare_unfairly(const program& what, memory_model model, thread_body code,
                                   const reductions& reduce) {
    comparison_result all;
    const machine_model machine = machine_for(what, model);
    const judgement expected = judge(model == memory_model::ra ? release_acquire(what) : what, machine);
    all.states = expected.states;
    all.too_large = expected.cut;
    if (expected.cut) return all;
    const exploration_result result = explore_program(what, model, code, reduce, true, true).result;
    all.executions = result.executions;
    const bool spins = is_hang(result.error) && result.error.message.find("yield") != std::string::npos;
    all.endless = result.stopped || !result.bounds.empty() || result.error.kind == failure_kind::limit;
    for (const auto& [entry, times] : whole_ledger(result))
        all.endless = all.endless || entry.first == assumption::yield;
    all.refuted = spins;
    // The machine for rc11 adds a message for each read-modify-write, so that there is no cycle.
    const bool certain = machine != machine_model::rc11 || !has_read_modify_writes(what);
    if (spins && certain && !expected.may_spin) all.wrong = "the checker reports a loop that yields, or ends";
    const bool none = result.error.kind == failure_kind::nothing && !all.endless;
    if (none && expected.spins) all.wrong = "the checker misses a loop that does not yield";
    all.judged = none || spins;
    return all;
}

program shrink(const program& what, memory_model model, thread_body code, const reductions& reduce,
               comparer how) {
    const auto still_wrong = [&](const program& candidate) {
        return can_judge(candidate, model) && !how(candidate, model, code, reduce).wrong.empty();
    };
    program smallest = what;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (int t = 0; t < smallest.size; ++t)
            for (int at = smallest[t].size; at-- > 0;) {
                // One instruction, or a `when` or loop with its end; what is inside stays.
                const instruction& gone = smallest[t][at];
                if (gone.what == op::end) continue;
                const bool opens = gone.what == op::loop || gone.what == op::when;
                const int end = opens ? gone.jump - 1 : at;
                program candidate = smallest;
                thread_code& changed = candidate.threads[static_cast<std::size_t>(t)];
                changed.size = 0;
                const auto moved = [&](int to) { return to - (to > at) - (opens && to > end); };
                bool sound = true;
                for (int i = 0; i < smallest[t].size; ++i) {
                    if (i == at || (opens && i == end)) continue;
                    instruction each = smallest[t][i];
                    // Who leaves a loop that is gone?
                    if (gone.what == op::loop && each.what == op::break_if && i > at && i < end &&
                        each.jump == gone.jump)
                        sound = false;
                    each.jump = moved(each.jump);
                    changed.instructions[static_cast<std::size_t>(changed.size++)] = each;
                }
                if (!sound || !still_wrong(candidate)) continue;
                smallest = candidate;
                smaller = true;
            }
    }
    return smallest;
}

} // namespace ringproof::verify::loops
