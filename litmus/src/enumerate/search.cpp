// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"
#include "question.hpp"
#include "structure.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace ringproof::litmus {
namespace {

using clock = std::chrono::steady_clock;

struct out_of_time {};

struct values_hash {
    std::size_t operator()(const std::vector<value>& values) const {
        std::uint64_t h = 0x9e3779b97f4a7c15u;
        for (const value& v : values) {
            h = (h ^ static_cast<std::uint64_t>(v.number)) * 0xff51afd7ed558ccdu;
            h = (h ^ (h >> 32)) + static_cast<std::uint64_t>(v.location);
        }
        return static_cast<std::size_t>(h);
    }
};

/// The whole search of one test; what one choice of paths needs is in `execution_search`.
class test_search {
  public:
    test_search(const question& q, const program& p, const model& m, const limits& l)
        : question_(q), program_(p), model_(m), limits_(l), begin_(clock::now()) {}

    const question& asked() const { return question_; }
    const program& what() const { return program_; }
    const model& under() const { return model_; }

    void found(const std::vector<value>& values) {
        if (question_.filter && !question_.filtered_in(values)) return;
        const auto [at, fresh] = states_.try_emplace(values);
        if (fresh) at->second.witness = question_.satisfied_by(values);
        ++at->second.executions;
        ++(at->second.witness ? result_.positive : result_.negative);
    }
    void flag(const std::string& name) { result_.flags.insert(name); }

    void count_candidate() {
        if ((++result_.candidates & 0x3ff) == 0) check_time();
    }
    void check_time() {
        if (limits_.interrupted && limits_.interrupted->load(std::memory_order_relaxed)) throw out_of_time{};
        if (limits_.seconds > 0 &&
            std::chrono::duration<double>(clock::now() - begin_).count() > limits_.seconds)
            throw out_of_time{};
    }
    cat::evaluator& common_evaluator() {
        if (!evaluator_) evaluator_ = std::make_unique<cat::evaluator>(*model_.common());
        return *evaluator_;
    }

    simulation run();

  private:
    struct seen {
        std::uint64_t executions = 0;
        bool witness = false;
    };
    const question& question_;
    const program& program_;
    const model& model_;
    const limits& limits_;
    clock::time_point begin_;
    std::unordered_map<std::vector<value>, seen, values_hash> states_;
    std::unique_ptr<cat::evaluator> evaluator_;
    simulation result_;
};

/// All executions of one choice of paths and locations.
class execution_search : private cat::event_values {
  public:
    execution_search(test_search& all, const std::vector<const path*>& paths, const structure& s,
                     std::vector<assumption> assumed, const cat::graph& g, cat::evaluator& e,
                     const cat::forbidden_shapes& shapes)
        : all_(all), program_(all.what()), paths_(paths), structure_(s), assumed_(std::move(assumed)),
          graph_(g), eval_(e), shapes_(shapes), size_(s.size()), writer_(size_.events, none_yet) {
        variable_.resize(program_.values->variables());
        known_.assign(program_.values->variables(), false);
        for (const std::size_t r : structure_.reads()) reader_of_[variable_of(r)] = r;
    }

    void run() {
        eval_.start(size_, structure_);
        eval_.set_values(this);
        for (const cat::check& c : graph_.checks)
            if (c.then == cat::check::effect::reject && graph_.at(c.what).needs == cat::stage::paths &&
                !eval_.holds(c))
                return;
        if (!assumptions_hold()) return;
        find_orders();
        coherence_.assign((structure_.reads().size() + 1) * size_.relation(), 0);
        if (shapes_.all) prepare_coherence();
        choose_read(0);
    }

  private:
    static constexpr std::size_t none_yet = static_cast<std::size_t>(-1);

    std::size_t variable_of(std::size_t read) const {
        return program_.values->variable_of(structure_.events()[read].what->loaded);
    }

    // ---- values

    bool evaluate(expr e, value& v) const {
        return program_.values->evaluate(
            e, [&](std::size_t i) { return known_[i] ? &variable_[i] : nullptr; }, v);
    }

    bool stored(std::size_t write, value& v) const {
        const placed_event& e = structure_.events()[write];
        if (!e.what) {
            v = program_.initial[static_cast<std::size_t>(e.location)];
            return true;
        }
        return evaluate(e.what->stored, v);
    }

    bool assumptions_hold() const {
        for (const assumption& a : assumed_) {
            value v;
            if (evaluate(a.condition, v) && (v == value{}) == a.holds) return false;
        }
        return true;
    }

    /// After a choice of reads-from: what values are known now? False if one contradicts its path.
    bool propagate(std::vector<std::size_t>& learnt) {
        const auto& reads = structure_.reads();
        for (bool more = true; more;) {
            more = false;
            for (const std::size_t r : reads) {
                const std::size_t v = variable_of(r);
                if (known_[v] || writer_[r] == none_yet) continue;
                value got;
                if (!stored(writer_[r], got)) continue;
                variable_[v] = got;
                known_[v] = true;
                learnt.push_back(v);
                more = true;
            }
        }
        return learnt.empty() || assumed_.empty() || assumptions_hold();
    }

    bool differ(std::size_t a, std::size_t b) const override {
        const auto of = [&](std::size_t i, value& v) {
            const placed_event& e = structure_.events()[i];
            if (e.is_write) return stored(i, v);
            return e.is_read && evaluate(e.what->loaded, v);
        };
        value left, right;
        return of(a, left) && of(b, right) && !(left == right);
    }

    // ---- coherence

    word* coherence(std::size_t level) { return coherence_.data() + level * size_.relation(); }

    bool ordered(const word* c, std::size_t a, std::size_t b) const {
        return test_bit(c + a * size_.words, b);
    }

    /// Adds a -> b to a closed relation and closes it again. False if that makes a cycle.
    bool add_edge(word* c, std::size_t a, std::size_t b) {
        if (a == b || ordered(c, b, a)) return false;
        if (ordered(c, a, b)) return true;
        const word* below = c + b * size_.words;
        for (std::size_t i = 0; i < size_.events; ++i) {
            if (i != a && !ordered(c, i, a)) continue;
            word* row = c + i * size_.words;
            for (std::size_t w = 0; w < size_.words; ++w) row[w] |= below[w];
            set_bit(row, b);
        }
        return true;
    }

    bool is_coherent_location(std::int32_t l) const {
        return coherent_location_[static_cast<std::size_t>(l)];
    }

    void prepare_coherence() {
        word* c = coherence(0);
        const auto& events = structure_.events();
        for (std::size_t i = 0; i < size_.events; ++i)
            for (std::size_t j = 0; j < size_.events; ++j)
                if (events[i].location >= 0 && events[i].location == events[j].location &&
                    is_coherent_location(events[i].location))
                    if (structure_.po(i, j) || (!events[i].what && events[j].what))
                        set_bit(c + i * size_.words, j);
    }

    /// What the reads-from of one location forces on its stores, and they on each other.
    bool saturate(word* c, std::int32_t l) {
        const auto& writes = structure_.writes()[static_cast<std::size_t>(l)];
        for (bool more = true; more;) {
            more = false;
            for (const std::size_t r : structure_.reads()) {
                if (structure_.events()[r].location != l || writer_[r] == none_yet) continue;
                const std::size_t w = writer_[r];
                for (const std::size_t other : writes) {
                    if (other == w || other == r) continue;
                    if (ordered(c, other, r) && !ordered(c, other, w)) {
                        if (!add_edge(c, other, w)) return false;
                        more = true;
                    }
                    if (ordered(c, w, other) && !ordered(c, r, other)) {
                        if (!add_edge(c, r, other)) return false;
                        more = true;
                    }
                }
            }
        }
        return true;
    }

    bool coherent(std::size_t level, std::size_t read, std::size_t write) {
        const std::int32_t l = structure_.events()[read].location;
        if (!shapes_.all || !is_coherent_location(l))
            return !shapes_.read_own_future || !structure_.po(read, write);
        copy(coherence(level + 1), coherence(level), size_.relation());
        return add_edge(coherence(level + 1), write, read) && saturate(coherence(level + 1), l);
    }

    // ---- reads-from

    void choose_read(std::size_t level) {
        const auto& reads = structure_.reads();
        if (level == reads.size()) return reads_chosen();
        const std::size_t r = reads[level];
        word* rf = eval_.reads_from();
        for (const std::size_t w :
             structure_.writes()[static_cast<std::size_t>(structure_.events()[r].location)]) {
            if (w == r) continue;
            writer_[r] = w;
            if (!coherent(level, r, w)) continue;
            if (shapes_.all && !is_coherent_location(structure_.events()[r].location))
                copy(coherence(level + 1), coherence(level), size_.relation());
            std::vector<std::size_t> learnt;
            if (propagate(learnt)) {
                set_bit(rf + w * size_.words, r);
                choose_read(level + 1);
                rf[w * size_.words + r / 64] &= ~(word{1} << (r % 64));
            }
            for (const std::size_t v : learnt) known_[v] = false;
        }
        writer_[r] = none_yet;
    }

    void reads_chosen() {
        const auto& reads = structure_.reads();
        // Values that only justify each other, out of thin air: no execution has them.
        for (const std::size_t r : reads)
            if (!known_[variable_of(r)]) return;
        eval_.reads_changed();
        for (const cat::check& c : graph_.checks)
            if (c.then == cat::check::effect::reject && graph_.at(c.what).needs == cat::stage::reads &&
                !eval_.holds(c)) {
                all_.count_candidate();
                return;
            }
        prepare_state();
        choose_order(0);
    }

    // ---- orders

    /// One linear order to choose, or with `members` empty only the final store of a location.
    struct order_problem {
        std::size_t choice = none_yet;
        std::vector<std::size_t> members;
        std::int32_t decides_final = -1; ///< location
        const cat::node_id* alternatives = nullptr;
    };

    void find_orders() {
        orders_.clear();
        coherent_location_.assign(program_.locations.size(), false);
        std::vector<bool> final_decided(program_.locations.size(), false);
        bool first = true;
        for (std::size_t k = 0; k < graph_.choices.size(); ++k) {
            const cat::choice& c = graph_.choices[k];
            if (!c.is_order) {
                order_problem p;
                p.choice = k;
                orders_.push_back(p);
                continue;
            }
            const word* set = eval_.value(c.set);
            if (!c.per_location) {
                order_problem p;
                p.choice = k;
                each_bit(set, size_.words, [&](std::size_t i) { p.members.push_back(i); });
                orders_.push_back(p);
                continue;
            }
            for (std::size_t l = 0; l < program_.locations.size(); ++l) {
                order_problem p;
                p.choice = k;
                for (std::size_t i = 0; i < size_.events; ++i)
                    if (structure_.events()[i].location == static_cast<std::int32_t>(l) && test_bit(set, i))
                        p.members.push_back(i);
                if (first) {
                    p.decides_final = static_cast<std::int32_t>(l);
                    final_decided[l] = true;
                    const auto& writes = structure_.writes()[l];
                    coherent_location_[l] = std::all_of(writes.begin(), writes.end(),
                                                        [&](std::size_t w) { return test_bit(set, w); });
                }
                if (!p.members.empty() || first) orders_.push_back(p);
            }
            first = false;
        }
        for (std::size_t l = 0; l < program_.locations.size(); ++l)
            if (!final_decided[l]) {
                order_problem p;
                p.decides_final = static_cast<std::int32_t>(l);
                orders_.push_back(p);
            }
        final_.assign(program_.locations.size(), 0);
        observed_.assign(program_.locations.size(), false);
        for (const std::int32_t l : all_.asked().location_index)
            if (l >= 0) observed_[static_cast<std::size_t>(l)] = true;
    }

    void choose_order(std::size_t k) {
        if (k == orders_.size()) return complete();
        const order_problem& p = orders_[k];
        if (p.choice == none_yet) return choose_final(k, none_yet);
        const cat::choice& c = graph_.choices[p.choice];
        if (!c.is_order) {
            for (const cat::node_id n : c.alternatives) {
                copy(eval_.chosen(p.choice), eval_.value(n), size_.relation());
                choose_order(k + 1);
            }
            return;
        }
        // What it extends may depend on earlier choices: taken down now, before later ones change.
        eval_.order_changed();
        const word* extends = eval_.value(c.extends);
        extend(k, std::vector<word>(extends, extends + size_.relation()), p.members, none_yet);
    }

    /// Puts one more member behind those already in line.
    void extend(std::size_t k, const std::vector<word>& before, const std::vector<std::size_t>& left,
                std::size_t last) {
        const order_problem& p = orders_[k];
        word* chosen = eval_.chosen(p.choice);
        if (left.empty()) {
            if (p.decides_final >= 0)
                choose_final(k, last);
            else
                choose_order(k + 1);
            return;
        }
        const bool forced = shapes_.all && p.decides_final >= 0 && is_coherent_location(p.decides_final);
        const word* c = coherence(structure_.reads().size());
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::size_t next = left[i];
            const bool blocked = std::any_of(left.begin(), left.end(), [&](std::size_t o) {
                return test_bit(before.data() + o * size_.words, next) || (forced && ordered(c, o, next));
            });
            if (blocked) continue;
            std::vector<std::size_t> rest(left);
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            for (const std::size_t after : rest) set_bit(chosen + next * size_.words, after);
            extend(k, before, rest, next);
            for (const std::size_t after : rest)
                chosen[next * size_.words + after / 64] &= ~(word{1} << (after % 64));
        }
    }

    /// The final store of a location: the last of the order, or one that the order leaves out.
    void choose_final(std::size_t k, std::size_t last) {
        const order_problem& p = orders_[k];
        const auto l = static_cast<std::size_t>(p.decides_final);
        const auto with = [&](std::size_t w) {
            word* finals = eval_.final_writes();
            final_[l] = w;
            set_bit(finals, w);
            choose_order(k + 1);
            finals[w / 64] &= ~(word{1} << (w % 64));
        };
        // Who was last at a location that nothing asks for makes no difference: FW leaves it out.
        if (!observed_[l]) return choose_order(k + 1);
        for (const std::size_t w : structure_.writes()[l]) {
            const bool in_order = std::find(p.members.begin(), p.members.end(), w) != p.members.end();
            // The initial store is followed by every other.
            if (!in_order && !structure_.events()[w].what && structure_.writes()[l].size() > 1) continue;
            if (w == last || !in_order) with(w);
        }
    }

    // ---- complete executions

    void prepare_state() {
        const question& q = all_.asked();
        state_.resize(q.shown.size());
        for (std::size_t i = 0; i < q.shown.size(); ++i) {
            if (!q.shown[i].is_register()) continue;
            const path& p = *paths_[static_cast<std::size_t>(q.shown[i].thread)];
            const auto at = p.registers.find(q.register_names[i]);
            value v;
            if (at != p.registers.end()) evaluate(at->second, v);
            state_[i] = v;
        }
    }

    void complete() {
        all_.count_candidate();
        eval_.order_changed();
        for (const cat::check& c : graph_.checks)
            if (c.then == cat::check::effect::reject && graph_.at(c.what).needs == cat::stage::order &&
                !eval_.holds(c))
                return;
        for (const cat::check& c : graph_.checks) {
            if (c.then == cat::check::effect::flag && eval_.holds(c)) all_.flag(c.name);
            if (c.then == cat::check::effect::undefined_unless && !eval_.holds(c))
                all_.flag("undefined:" + c.name);
        }
        const question& q = all_.asked();
        for (std::size_t i = 0; i < q.shown.size(); ++i)
            if (!q.shown[i].is_register()) {
                value v;
                if (q.location_index[i] >= 0)
                    stored(final_[static_cast<std::size_t>(q.location_index[i])], v);
                state_[i] = v;
            }
        all_.found(state_);
    }

    test_search& all_;
    const program& program_;
    const std::vector<const path*>& paths_;
    const structure& structure_;
    const std::vector<assumption> assumed_;
    const cat::graph& graph_;
    cat::evaluator& eval_;
    const cat::forbidden_shapes& shapes_;
    extent size_;
    std::vector<std::size_t> writer_; ///< of each read
    std::vector<value> variable_;
    std::vector<bool> known_;
    std::unordered_map<std::size_t, std::size_t> reader_of_;
    std::vector<word> coherence_; ///< one relation per level of choose_read
    std::vector<bool> coherent_location_;
    std::vector<order_problem> orders_;
    std::vector<std::size_t> final_; ///< store of each location
    std::vector<bool> observed_;     ///< locations whose final values the test asks for
    std::vector<value> state_;
};

/// Where an access goes is mostly a constant; otherwise each location is tried, as an assumption.
void choose_locations(test_search& all, const std::vector<const path*>& paths) {
    const program& p = all.what();
    std::vector<std::int32_t> where;
    std::vector<std::size_t> open;
    std::vector<expr> addresses;
    std::vector<assumption> assumed;
    for (const path* one : paths) {
        assumed.insert(assumed.end(), one->assumed.begin(), one->assumed.end());
        for (const event& e : one->events) {
            if (!e.is_read && !e.is_write) continue;
            addresses.push_back(e.address);
            where.push_back(-1);
            if (!p.values->is_constant(e.address)) {
                open.push_back(where.size() - 1);
                continue;
            }
            const value a = p.values->constant_of(e.address);
            // On this path the thread follows a pointer to nowhere: no final state to speak of.
            if (!a.is_address() || a.number != 0) return;
            where.back() = a.location;
        }
    }
    const std::function<void(std::size_t)> choose = [&](std::size_t k) {
        if (k < open.size()) {
            for (std::size_t l = 0; l < p.locations.size(); ++l) {
                where[open[k]] = static_cast<std::int32_t>(l);
                assumed.push_back({p.values->apply(expressions::op::equal, addresses[open[k]],
                                                   p.values->constant({0, static_cast<std::int32_t>(l)})),
                                   true});
                choose(k + 1);
                assumed.pop_back();
            }
            return;
        }
        all.check_time();
        const structure s(p, paths, where);
        if (all.under().common()) {
            execution_search(all, paths, s, assumed, *all.under().common(), all.common_evaluator(),
                             all.under().shapes())
                .run();
            return;
        }
        const cat::graph g = all.under().make(s.size(), s);
        const cat::forbidden_shapes shapes = cat::coherence_of(g);
        cat::evaluator e(g);
        execution_search(all, paths, s, assumed, g, e, shapes).run();
    };
    choose(0);
}

simulation test_search::run() {
    std::vector<const path*> paths(program_.threads.size());
    const std::function<void(std::size_t)> choose = [&](std::size_t t) {
        if (t == paths.size()) return choose_locations(*this, paths);
        for (const path& one : program_.threads[t]) {
            paths[t] = &one;
            choose(t + 1);
        }
    };
    try {
        choose(0);
    } catch (const out_of_time&) {
        result_.complete = false;
    }
    result_.shown = question_.shown;
    result_.locations = program_.locations;
    result_.bounded = program_.bounded;
    result_.unroll = program_.unroll;
    for (const auto& [values, how] : states_) result_.states.push_back({values, how.executions, how.witness});
    std::sort(result_.states.begin(), result_.states.end(),
              [](const state& a, const state& b) { return a.values < b.values; });
    result_.seconds = std::chrono::duration<double>(clock::now() - begin_).count();
    return std::move(result_);
}

} // namespace

simulation simulate(const test& t, const program& p, const model& m, const limits& l) {
    const question q(t, p);
    return test_search(q, p, m, l).run();
}

std::string state_text(const simulation& s, const state& one) {
    std::string text;
    for (std::size_t i = 0; i < s.shown.size(); ++i) {
        const value& v = one.values[i];
        std::string shown =
            v.is_address() ? s.locations[static_cast<std::size_t>(v.location)] : std::to_string(v.number);
        if (v.is_address() && v.number) shown += fmt::format("+{}", v.number);
        text += fmt::format("{}{}={};", i ? " " : "", s.shown[i].printed(), shown);
    }
    return text;
}

} // namespace ringproof::litmus
