// SPDX-License-Identifier: Apache-2.0
#include "searches.hpp"

#include "../oracle/seed_options.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

namespace ringproof::verify::early_wakes {
namespace {

struct sums {
    unsigned long compared = 0, one_by_one = 0, mismatches = 0, failed = 0, unfinished = 0, in_part = 0,
                  cut = 0;
    std::uint64_t executions = 0, without = 0;
};

std::string state_of(const noted& seen) {
    std::string all;
    for (const unsigned value : seen) all += std::to_string(value) + ' ';
    return all;
}

exploration_result search(const programs& of, memory_model model, const reductions& reduce,
                          std::uint64_t order, std::uint64_t shown = 0) {
    exploration_options options;
    options.model = model;
    options.limits.reduce = reduce;
    options.limits.executions = 5'000;
    options.limits.order_seed = order;
    options.limits.shown = shown;
    options.state = [&of] { return state_of(of.seen); };
    of.seen = {};
    return explore(of.run, options);
}

/// @return whether they agree, as far as both came to an end
bool agree(const exploration_result& with, const exploration_result& without) {
    // A search that was ended has found some of the states, and may have missed an error.
    const bool in_part = without.stopped && without.error.kind == failure_kind::nothing;
    if (with.error.kind != failure_kind::nothing) return in_part || with.error.kind == without.error.kind;
    return without.error.kind == failure_kind::nothing &&
           std::includes(with.states.begin(), with.states.end(), without.states.begin(), without.states.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; }) &&
           (in_part || with.states.size() == without.states.size());
}

/// An execution as a text that is the same in whatever order its events came.
std::string text_of(const std::vector<recorded_event>& execution) {
    std::map<std::uint16_t, std::string> of_thread;
    std::map<std::uint16_t, unsigned> events;
    std::vector<std::string> names;
    for (const recorded_event& e : execution) {
        names.push_back(std::to_string(e.thread) + '.' + std::to_string(++events[e.thread]));
        std::string& text = of_thread[e.thread];
        text += ' ' + std::to_string(static_cast<int>(e.kind)) + '@' + std::to_string(e.address) + '=' +
                std::to_string(e.value) + '#' + std::to_string(e.co) + std::string(e.word);
        if (e.reads()) text += '<' + (e.rf == recorded_event::initial ? "" : names[e.rf]);
    }
    std::string all;
    for (const auto& [thread, text] : of_thread) all += text + '\n';
    return all;
}

std::set<std::string> executions_of(const exploration_result& found) {
    std::set<std::string> all;
    for (const auto& execution : found.shown) all.insert(text_of(execution));
    return all;
}

/// More executions are not compared one by one.
constexpr std::uint64_t most_compared = 300;

/// Whether the searches in the usual order of threads, and without the reduction blocked-lock, find the same executions as
/// `with` did in the order at hand. Where one finds an error or too many, nothing is compared.
bool find_the_same(const programs& of, memory_model model, const exploration_result& with, sums& all) {
    const auto is_compared = [](const exploration_result& r) {
        return r.error.kind == failure_kind::nothing && r.executions <= most_compared;
    };
    if (!is_compared(with)) return true;
    reductions waiting; // for locks, as published
    waiting.blocked_lock = false;
    const std::set<std::string> expected = executions_of(with);
    const std::pair<reductions, std::uint64_t> others[] = {
        {{}, 0}, {waiting, 0}, {waiting, oracle::order_at_hand}};
    for (const auto& [reduce, order] : others) {
        const exploration_result found = search(of, model, reduce, order, most_compared);
        if (!is_compared(found)) return true;
        if (executions_of(found) != expected) return false;
    }
    ++all.one_by_one;
    return true;
}

void compare_one(const programs& of, memory_model model, const kind& as, const std::string& what, sums& all) {
    const exploration_result with = search(of, model, {}, oracle::order_at_hand,
                                           as.one_by_one ? most_compared : 0),
                             without = search(of, model, as.without, 0);
    ++all.compared;
    all.failed += without.error.kind != failure_kind::nothing;
    all.executions += with.executions;
    all.without += without.executions;
    all.cut += with.executions < without.executions;
    if (with.stopped) {
        ++all.unfinished;
        return;
    }
    all.in_part += without.stopped;
    if (as.one_by_one && !find_the_same(of, model, with, all) && ++all.mismatches <= 3)
        std::printf("MISMATCH, model %d: not the same executions\n%s", static_cast<int>(model), what.c_str());
    if (agree(with, without) || ++all.mismatches > 3) return; // those shown are enough
    std::printf("MISMATCH, model %d: states %zu and %zu, errors '%s' and '%s'\n%s", static_cast<int>(model),
                with.states.size(), without.states.size(), with.error.message.c_str(),
                without.error.message.c_str(), what.c_str());
}

} // namespace

int compare(int argc, char** argv, const std::vector<kind>& kinds, const programs& of) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = oracle::seed_options::read(argc, argv, "--kind", 150);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    unsigned long mismatches = 0, cut = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (!only.empty() && only != kinds[k].name) continue;
        sums all;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
            const std::string what = "seed " + std::to_string(seed) + ": " + of.make(k, seed);
            if (show) std::printf("%s", what.c_str());
            oracle::choose_order(seed);
            for (const auto model : {memory_model::sc, memory_model::tso, memory_model::rc11})
                compare_one(of, model, kinds[k], what, all);
        }
        std::printf(
            "%s: %llu programs, %lu searches, %llu executions, %llu without, %lu searches with fewer, "
            "%lu compared in part, %lu execution by execution, %lu fail, %lu unfinished, %lu mismatches\n",
            kinds[k].name.c_str(), static_cast<unsigned long long>(seeds), all.compared,
            static_cast<unsigned long long>(all.executions), static_cast<unsigned long long>(all.without),
            all.cut, all.in_part, all.one_by_one, all.failed, all.unfinished, all.mismatches);
        mismatches += all.mismatches;
        cut += all.cut;
    }
    return mismatches != 0 ? 1 : cut == 0 ? 5 : 0; // nothing was left out: nothing was compared
}

} // namespace ringproof::verify::early_wakes
