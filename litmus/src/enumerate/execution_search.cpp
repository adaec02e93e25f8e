// SPDX-License-Identifier: Apache-2.0
#include "execution_search.hpp"
#include "../cat/monotone.hpp"
#include "coherence_order.hpp"
#include "known_values.hpp"
#include "picture.hpp"
#include "why_not.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

/// All executions of one choice of paths and locations.
class execution_search : private cat::event_values {
  public:
    execution_search(execution_sink& all, const program& p, const std::vector<const path*>& paths,
                     const structure& s, std::vector<assumption> assumed, const cat::graph& g,
                     cat::evaluator& e, const cat::forbidden_shapes& shapes)
        : all_(all), program_(p), paths_(paths), structure_(s), assumed_(std::move(assumed)), graph_(g),
          eval_(e), shapes_(shapes), size_(s.size()), writer_(size_.events, none_yet), values_(p, s),
          coherence_(s, all.time()) {}

    void run() {
        check_size();
        eval_.set_watch(&all_.time());
        eval_.start(size_, structure_);
        eval_.set_values(this);
        if (!all_.explains() && rejected_at(cat::stage::paths)) return;
        if (!assumptions_hold()) return;
        find_orders();
        order_reads();
        coherence_.start();
        if (shapes_.all) coherence_.prepare(coherent_location_, shapes_.atomicity && all_.orders_atomics());
        choose_read(0);
    }

  private:
    static constexpr std::size_t none_yet = coherence_order::none_yet;

    /// A level of the coherence order for each read, a relation for each order chosen: half a GiB of them.
    void check_size() const {
        constexpr std::size_t most_words = std::size_t{1} << 26;
        if ((structure_.reads().size() + program_.locations.size() + 2) * size_.relation() > most_words)
            throw cat::cannot_evaluate(
                fmt::format("this test has too many events ({}): not supported", size_.events));
    }

    // ---- values

    bool evaluate(expr e, value& v) const { return values_.evaluate(e, v); }
    bool stored(std::size_t write, value& v) const { return values_.stored(write, v); }

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
                if (values_.knows(r) || writer_[r] == none_yet) continue;
                value got;
                if (!stored(writer_[r], got)) continue;
                values_.learn(r, got);
                learnt.push_back(r);
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

    bool is_coherent_location(std::int32_t l) const {
        return coherent_location_[static_cast<std::size_t>(l)];
    }

    bool coherent(std::size_t level, std::size_t read, std::size_t write) {
        if (!shapes_.all || !is_coherent_location(structure_.events()[read].location))
            return !shapes_.read_own_future || !structure_.po(read, write);
        return coherence_.extend(level, read, write, writer_);
    }

    // ---- parts of executions

    /// Locks first: in which order their sections come decides most of what the other loads can read.
    void order_reads() {
        read_order_ = structure_.reads();
        std::vector<bool> half(size_.events, false);
        std::size_t halves = 0;
        for (const placed_event& e : structure_.events())
            if (e.what && e.what->rmw_read >= 0) {
                half[structure_.index(static_cast<std::size_t>(e.thread),
                                      static_cast<std::size_t>(e.what->rmw_read))] = true;
                ++halves;
            }
        if (halves > 2 && shapes_.atomicity)
            std::stable_partition(read_order_.begin(), read_order_.end(),
                                  [&](std::size_t r) { return half[r]; });
    }

    /// Do so many executions come about that it pays to ask the model about parts of them?
    bool asks_about_parts() {
        if (given_up_ || tried_ < all_.asks_about_parts_after() || all_.explains()) return false;
        if (!parts_known_) part_checks_ = cat::checks_for_parts(graph_);
        parts_known_ = true;
        return !part_checks_.empty();
    }

    bool rejects_part(cat::stage least) {
        const bool rejected = std::any_of(part_checks_.begin(), part_checks_.end(), [&](std::size_t k) {
            const cat::check& c = graph_.checks[k];
            return graph_.at(c.what).needs >= least && !eval_.holds(c);
        });
        ++asked_;
        rejected_ += rejected;
        given_up_ = asked_ > 500 && rejected_ * 10 < asked_;
        return rejected;
    }

    /// With the stores that the first loads read from, and the order of stores that they force.
    bool rejects_part(std::size_t level) {
        if (!asks_about_parts()) return false;
        const bool ordered = shapes_.all && !graph_.choices.empty() && graph_.choices[0].is_order &&
                             graph_.at(graph_.choices[0].set).needs == cat::stage::paths;
        if (ordered) coherence_.stores_at(level, eval_.value(graph_.choices[0].set), eval_.chosen(0));
        eval_.reads_changed();
        const bool rejected = rejects_part(cat::stage::reads);
        if (ordered) clear(eval_.chosen(0), size_.relation());
        return rejected;
    }

    /// With the first stores of a location in order.
    bool rejects_started_order() {
        if (!asks_about_parts()) return false;
        eval_.order_changed();
        return rejects_part(cat::stage::order);
    }

    // ---- reads-from

    void choose_read(std::size_t level) {
        const auto& reads = read_order_;
        if (level == reads.size()) return reads_chosen();
        all_.time().spend(200 + size_.events);
        const std::size_t r = reads[level];
        word* rf = eval_.reads_from();
        for (const std::size_t w :
             structure_.writes()[static_cast<std::size_t>(structure_.events()[r].location)]) {
            if (w == r) continue;
            writer_[r] = w;
            if (!coherent(level, r, w)) continue;
            if (shapes_.all && !is_coherent_location(structure_.events()[r].location))
                coherence_.carry(level);
            std::vector<std::size_t> learnt;
            if (propagate(learnt)) {
                set_bit(rf + w * size_.words, r);
                if (!rejects_part(level + 1)) choose_read(level + 1);
                rf[w * size_.words + r / 64] &= ~(word{1} << (r % 64));
            }
            for (const std::size_t read : learnt) values_.forget(read);
        }
        writer_[r] = none_yet;
    }

    void reads_chosen() {
        const auto& reads = structure_.reads();
        // Values that only justify each other, out of thin air: such an execution has no values to be counted by,
        // but whether the model allows it is asked all the same.
        thin_air_ = !std::all_of(reads.begin(), reads.end(), [&](std::size_t r) { return values_.knows(r); });
        all_.loads_chosen(!thin_air_);
        if (settled()) return;
        eval_.reads_changed();
        if (!all_.explains() && rejected_at(cat::stage::reads)) {
            all_.count_candidate();
            ++tried_;
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
            if (l >= 0) observe(l);
    }

    void observe(std::int32_t location) {
        observed_[static_cast<std::size_t>(location)] = true;
        if (const program::whole* w = program_.whole_of(location))
            for (const auto& [part, shift] : w->parts) observed_[static_cast<std::size_t>(part)] = true;
    }

    /// Nothing more is to be learnt from executions whose values come out of thin air.
    bool settled() const { return thin_air_ && !all_.asks_for_thin_air(); }

    void choose_order(std::size_t k) {
        if (settled()) return;
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
        if (settled()) return;
        all_.time().spend(50 + left.size() * left.size() / 4);
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
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::size_t next = left[i];
            const bool blocked = std::any_of(left.begin(), left.end(), [&](std::size_t o) {
                return test_bit(before.data() + o * size_.words, next) ||
                       (forced && coherence_.ordered_in_the_end(o, next));
            });
            if (blocked) continue;
            std::vector<std::size_t> rest(left);
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            for (const std::size_t after : rest) set_bit(chosen + next * size_.words, after);
            if (rest.size() < 2 || !rejects_started_order()) extend(k, before, rest, next);
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
        state_known_.assign(q.shown.size(), true);
        for (std::size_t i = 0; i < q.shown.size(); ++i) {
            if (!q.shown[i].is_register()) continue;
            const path& p = *paths_[static_cast<std::size_t>(q.shown[i].thread)];
            const auto at = p.registers.find(q.register_names[i]);
            value v;
            if (at != p.registers.end()) state_known_[i] = evaluate(at->second, v);
            state_[i] = v;
        }
    }

    void complete() {
        all_.count_candidate();
        ++tried_;
        eval_.order_changed();
        if (!all_.explains() && rejected_at(cat::stage::order)) return;
        const question& q = all_.asked();
        for (std::size_t i = 0; i < q.shown.size(); ++i)
            if (!q.shown[i].is_register()) {
                value v;
                if (q.location_index[i] >= 0)
                    state_known_[i] = values_.final_value(q.location_index[i], final_, v);
                state_[i] = v;
            }
        if (all_.explains()) return explain();
        if (thin_air_) return complete_thin_air();
        // What the filter leaves out is no execution of the test: neither its state counts nor its flags.
        if (q.filter && !q.filtered_in(state_)) return;
        for (const cat::check& c : graph_.checks) {
            if (c.then == cat::check::effect::flag && eval_.holds(c)) all_.flag(c.name);
            if (c.then == cat::check::effect::undefined_unless && !eval_.holds(c))
                all_.flag("undefined:" + c.name);
        }
        all_.found(state_);
        if (all_.wants(state_)) all_.keep(picture());
    }

    bool rejects(const cat::check& c) { return c.then == cat::check::effect::reject && !eval_.holds(c); }

    /// By a check that needs so much of an execution.
    bool rejected_at(cat::stage s) {
        return std::any_of(graph_.checks.begin(), graph_.checks.end(),
                           [&](const cat::check& c) { return graph_.at(c.what).needs == s && rejects(c); });
    }

    void explain() {
        const question& q = all_.asked();
        if (thin_air_ || (q.filter && !q.filtered_in(state_))) return;
        std::size_t failed = 0;
        const cat::check* last = nullptr; // the first ones are of single locations
        for (const cat::check& c : graph_.checks)
            if (rejects(c)) ++failed, last = &c;
        if (!last || !all_.wants_why(state_, failed)) return;
        const char* test = last->how == cat::check::test::acyclic       ? "acyclic"
                           : last->how == cat::check::test::irreflexive ? "irreflexive"
                                                                        : "empty";
        all_.explain({last->name, test, failed, cycle_of(graph_, eval_, *last), picture()});
    }

    void complete_thin_air() {
        const question& q = all_.asked();
        if (q.filter && !q.outlook_of(*q.filter, state_, state_known_).can_hold) return;
        all_.found_thin_air(q.outlook_of(q.final, state_, state_known_));
    }

    execution picture() const { return picture_of(program_, structure_, values_, writer_, graph_, eval_); }

    execution_sink& all_;
    const program& program_;
    const std::vector<const path*>& paths_;
    const structure& structure_;
    const std::vector<assumption> assumed_;
    const cat::graph& graph_;
    cat::evaluator& eval_;
    const cat::forbidden_shapes& shapes_;
    extent size_;
    std::vector<std::size_t> writer_; ///< of each read
    known_values values_;
    coherence_order coherence_;
    std::vector<std::size_t> read_order_; ///< in which loads are given their stores
    std::vector<std::size_t> part_checks_;
    bool parts_known_ = false, given_up_ = false; ///< given up: too few parts are rejected
    std::size_t tried_ = 0, asked_ = 0, rejected_ = 0;
    std::vector<bool> coherent_location_;
    std::vector<order_problem> orders_;
    std::vector<std::size_t> final_; ///< store of each location
    std::vector<bool> observed_;     ///< locations whose final values the test asks for
    std::vector<value> state_;
    std::vector<bool> state_known_; ///< all, unless values come out of thin air
    bool thin_air_ = false;
};

} // namespace

void search_executions(execution_sink& to, const program& p, const std::vector<const path*>& paths,
                       const structure& s, std::vector<assumption> assumed, const cat::graph& g,
                       cat::evaluator& e, const cat::forbidden_shapes& shapes) {
    execution_search(to, p, paths, s, std::move(assumed), g, e, shapes).run();
}

} // namespace ringproof::litmus
