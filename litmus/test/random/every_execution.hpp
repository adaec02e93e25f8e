// SPDX-License-Identifier: Apache-2.0
#pragma once
// The slow way to simulate: every reads-from with every order of stores, and the model is asked about each. It drops
// nothing early, and shares only the front ends and the evaluation of relations with the simulator.

#include "../../src/cat/evaluator.hpp"
#include "../../src/enumerate/model.hpp"
#include "../../src/enumerate/question.hpp"
#include "../../src/enumerate/structure.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

namespace ringproof::litmus {

class every_execution {
  public:
    /// By the values of what the test shows: how many executions the model allows.
    using result = std::map<std::vector<value>, std::uint64_t>;

    every_execution(const test& t, const program& p, const model& m)
        : program_(p), question_(t, p), graph_(*m.common()), eval_(graph_) {
        std::vector<const path*> paths(p.threads.size());
        const std::function<void(std::size_t)> choose = [&](std::size_t thread) {
            if (thread == paths.size()) return of_paths(paths);
            for (const path& one : p.threads[thread]) {
                paths[thread] = &one;
                choose(thread + 1);
            }
        };
        choose(0);
    }

    result found;
    std::uint64_t candidates = 0;

  private:
    void of_paths(const std::vector<const path*>& paths) {
        std::vector<std::int32_t> where;
        for (const path* one : paths)
            for (const event& e : one->events) {
                if (e.address == no_expr) continue;
                if (!program_.values->is_constant(e.address)) throw std::logic_error("a computed address");
                where.push_back(program_.at(program_.values->constant_of(e.address)));
            }
        const structure s(program_, paths, where);
        eval_.start(s.size(), s);
        std::map<std::size_t, std::size_t> from;
        choose_read(paths, s, 0, from);
    }

    void choose_read(const std::vector<const path*>& paths, const structure& s, std::size_t k,
                     std::map<std::size_t, std::size_t>& from) {
        if (k == s.reads().size()) return of_reads(paths, s, from);
        const std::size_t r = s.reads()[k];
        for (const std::size_t w : s.writes()[static_cast<std::size_t>(s.events()[r].location)]) {
            if (w == r) continue;
            from[r] = w;
            choose_read(paths, s, k + 1, from);
        }
    }

    /// The values of all loads. False if they only justify each other.
    bool find_values(const structure& s, const std::map<std::size_t, std::size_t>& from) {
        known_.clear();
        for (bool more = true; more;) {
            more = false;
            for (const auto& [r, w] : from) {
                const std::size_t variable = program_.values->variable_of(s.events()[r].what->loaded);
                value v;
                if (known_.count(variable) || !stored(s, w, v)) continue;
                known_[variable] = v;
                more = true;
            }
        }
        return known_.size() == from.size();
    }
    bool evaluate(expr e, value& v) const {
        return program_.values->evaluate(
            e,
            [&](std::size_t i) {
                const auto at = known_.find(i);
                return at == known_.end() ? nullptr : &at->second;
            },
            v);
    }
    bool stored(const structure& s, std::size_t w, value& v) const {
        const placed_event& e = s.events()[w];
        if (e.what) return evaluate(e.what->stored, v);
        v = program_.initial[static_cast<std::size_t>(e.location)];
        return true;
    }

    void of_reads(const std::vector<const path*>& paths, const structure& s,
                  const std::map<std::size_t, std::size_t>& from) {
        if (!find_values(s, from)) return;
        for (const path* one : paths)
            for (const assumption& a : one->assumed) {
                value v;
                if (!evaluate(a.condition, v) || (v == value{}) == a.holds) return;
            }
        const std::size_t words = s.size().words;
        clear(eval_.reads_from(), s.size().relation());
        for (const auto& [r, w] : from) set_bit(eval_.reads_from() + w * words, r);
        std::vector<std::vector<std::size_t>> orders = s.writes();
        for (auto& one : orders) std::sort(one.begin(), one.end());
        of_orders(paths, s, orders, 0);
    }

    void of_orders(const std::vector<const path*>& paths, const structure& s,
                   std::vector<std::vector<std::size_t>>& orders, std::size_t l) {
        if (l == orders.size()) return complete(paths, s, orders);
        std::sort(orders[l].begin() + 1, orders[l].end());
        do of_orders(paths, s, orders, l + 1);
        while (std::next_permutation(orders[l].begin() + 1, orders[l].end()));
    }

    void complete(const std::vector<const path*>& paths, const structure& s,
                  const std::vector<std::vector<std::size_t>>& orders) {
        ++candidates;
        const std::size_t words = s.size().words;
        clear(eval_.chosen(0), s.size().relation());
        clear(eval_.final_writes(), words);
        for (const auto& one : orders) {
            for (std::size_t i = 0; i < one.size(); ++i)
                for (std::size_t j = i + 1; j < one.size(); ++j)
                    set_bit(eval_.chosen(0) + one[i] * words, one[j]);
            set_bit(eval_.final_writes(), one.back());
        }
        eval_.reads_changed();
        for (const cat::check& c : graph_.checks)
            if (c.then == cat::check::effect::reject && !eval_.holds(c)) return;
        std::vector<value> state;
        for (std::size_t i = 0; i < question_.shown.size(); ++i) {
            const location& shown = question_.shown[i];
            value v;
            if (shown.is_register()) {
                const path& p = *paths[static_cast<std::size_t>(shown.thread)];
                const auto at = p.registers.find(question_.register_names[i]);
                if (at != p.registers.end()) evaluate(at->second, v);
            } else if (question_.location_index[i] >= 0) {
                stored(s, orders[static_cast<std::size_t>(question_.location_index[i])].back(), v);
            }
            state.push_back(v);
        }
        ++found[state];
    }

    const program& program_;
    const question question_;
    const cat::graph& graph_;
    cat::evaluator eval_;
    std::map<std::size_t, value> known_;
};

} // namespace ringproof::litmus
