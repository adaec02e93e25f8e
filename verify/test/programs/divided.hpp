// SPDX-License-Identifier: Apache-2.0
#pragma once
// A search that is stopped, divided, and made part by part by explorers that know nothing of each other.
#include <ringproof/verify/explore.hpp>

#include <algorithm>
#include <functional>

namespace ringproof::verify::test {

struct divided_search {
    exploration_result all;
    std::size_t parts = 0;
    unsigned divisions = 0; ///< one more each time that a part learnt what the others would have to know
    bool ends = true;
};

/// What `part` found is added to `to`, as ringproof merge does.
inline void add(exploration_result& to, const exploration_result& part) {
    to.executions += part.executions;
    to.blocked += part.blocked;
    to.pruned += part.pruned;
    to.permutations += part.permutations;
    to.digest += part.digest;
    to.longest = std::max(to.longest, part.longest);
    to.unordered_reads |= part.unordered_reads;
    for (const auto& [entry, times] : part.assumptions) to.assumptions[entry] += times;
    for (const auto& [state, times] : part.states) to.states[state] += times;
    if (to.error.kind == failure_kind::nothing) to.error = part.error;
}

/// @param first executions before the division; a part that has more than as many again is divided further
inline divided_search explore_divided(const std::function<void()>& body, exploration_options options,
                                      std::uint64_t first, std::size_t parts) {
    divided_search search;
    for (; search.divisions < 40; ++search.divisions, first *= 2) {
        options.limits.executions = first;
        options.resume = nullptr;
        options.part = false;
        options.limits.divide = parts;
        exploration_result head = explore(body, options);
        if (head.stopped && head.positions.empty()) continue; // it could not be divided
        search.all = {};
        search.parts = 0;
        options.limits.divide = 0; // what a part leaves are the places where it was stopped
        bool learnt = false;
        std::vector<exploration_result> left{head};
        left.back().executions = 0;
        add(search.all, head);
        while (!left.empty() && !learnt && search.all.error.kind == failure_kind::nothing) {
            const exploration_result from = std::move(left.back());
            left.pop_back();
            for (const search_position& position : from.positions) {
                exploration_result part;
                part.lessons = head.lessons;
                part.first_met = head.first_met;
                part.positions = {position};
                options.resume = &part;
                options.part = true;
                options.limits.executions = 2 * first;
                const exploration_result found = explore(body, options);
                learnt = learnt || found.has_learnt;
                if (learnt) break;
                ++search.parts;
                add(search.all, found);
                if (found.misfit) return search.all = found, search;
                if (found.stopped && found.error.kind == failure_kind::nothing) left.push_back(found);
            }
        }
        if (!learnt) return search;
    }
    search.ends = false;
    return search;
}

} // namespace ringproof::verify::test
