// SPDX-License-Identifier: Apache-2.0
#include "enumerate.hpp"

#include <algorithm> // std::next_permutation, std::sort
#include <functional>
#include <string>
#include <unordered_set>

namespace ringproof::verify::oracle {
namespace {

class growing_enumerator {
  public:
    growing_enumerator(const program& what, memory_model model, std::uint64_t limit)
        : program_(what), model_(model), limit_(limit) {}

    enumeration run() {
        visit(graph(program_));
        return found_;
    }

  private:
    void visit(const graph& current) {
        if (found_.race || found_.cut_short) return;
        if (!seen_.insert(current.key(true)).second) return;
        if (++found_.states > limit_) {
            found_.cut_short = true;
            return;
        }
        if (current.finished()) {
            ++found_.executions;
            found_.outcomes.insert(current.result());
            return;
        }
        if (current.stuck()) ++found_.blocked;
        const int first = first_to_run(current);
        for (int thread = first < 0 ? 0 : first; thread < (first < 0 ? program_.size : first + 1); ++thread)
            for (const choice& how : current.choices(thread)) {
                graph next = current;
                const int written = next.extend(thread, how);
                if (written == no_event) {
                    visit_if_consistent(next);
                    continue;
                }
                // The write is last in coherence order now; move it forward place by place, but not
                // before the initial write, which is in no one's future.
                std::vector<int>& order = next.coherence(next.at(written).location);
                for (std::size_t place = order.size() - 1; place >= 1; --place) {
                    visit_if_consistent(next);
                    std::swap(order[place], order[place - 1]);
                }
            }
    }

    /// A thread that accesses bytes of the window goes first. What others do neither enables that nor, where
    /// nothing races, changes it, and the graphs that come of it are the same.
    int first_to_run(const graph& current) const {
        for (int thread = 0; thread < program_.size; ++thread)
            if (current.accesses_bytes(thread)) return thread;
        return -1;
    }

    void visit_if_consistent(const graph& next) {
        const relations derived(next, model_);
        if (!consistent(derived, model_)) return;
        if (has_race(derived)) found_.race = true;
        visit(next);
    }

    const program& program_;
    memory_model model_;
    std::uint64_t limit_;
    enumeration found_;
    std::unordered_set<std::string> seen_;
};

class defining_enumerator {
  public:
    defining_enumerator(const program& what, memory_model model, std::uint64_t limit)
        : program_(what), model_(model), limit_(limit) {
        for (int thread = 0; thread < what.size; ++thread)
            for (int step = 0; step < what[thread].size; ++step)
                if (what[thread][step].kind == operation_kind::plain_store ||
                    what[thread][step].kind == operation_kind::bytes_store)
                    can_race_ = true;
    }

    enumeration run() {
        visit(graph(program_));
        return found_;
    }

  private:
    void visit(const graph& current) {
        if (found_.race || found_.cut_short) return;
        if (!seen_.insert(current.key(false)).second) return;
        // A thread that waits for ever may have raced before, so a race is looked for in every prefix.
        if (current.finished() || can_race_) try_coherence_orders(current, 0);
        for (int thread = 0; thread < program_.size; ++thread)
            for (const choice& how : current.choices(thread)) {
                graph next = current;
                next.extend(thread, how);
                visit(next);
            }
    }

    void try_coherence_orders(graph current, int location) {
        if (found_.race || found_.cut_short) return;
        if (location == max_locations) {
            judge(current);
            return;
        }
        if (current.coherence(location).empty()) {
            try_coherence_orders(current, location + 1);
            return;
        }
        std::vector<int>& order = current.coherence(location);
        std::sort(order.begin() + 1, order.end());
        do try_coherence_orders(current, location + 1);
        while (std::next_permutation(order.begin() + 1, order.end()));
    }

    void judge(const graph& candidate) {
        if (++found_.states > limit_) {
            found_.cut_short = true;
            return;
        }
        const relations derived(candidate, model_);
        if (!consistent(derived, model_)) return;
        if (has_race(derived)) found_.race = true;
        if (!candidate.finished()) return;
        ++found_.executions;
        found_.outcomes.insert(candidate.result());
    }

    const program& program_;
    memory_model model_;
    std::uint64_t limit_;
    bool can_race_ = false;
    enumeration found_;
    std::unordered_set<std::string> seen_;
};

} // namespace

enumeration enumerate(const program& what, memory_model model, std::uint64_t state_limit) {
    return growing_enumerator(what, model, state_limit).run();
}

enumeration enumerate_by_definition(const program& what, memory_model model, std::uint64_t state_limit) {
    return defining_enumerator(what, model, state_limit).run();
}

} // namespace ringproof::verify::oracle
