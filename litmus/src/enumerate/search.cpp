// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"
#include "../frontend/pieces.hpp"
#include "../frontend/places.hpp"
#include "execution_search.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace ringproof::litmus {
namespace {

struct too_many_states {};
struct explained {}; ///< nothing simpler is to be found
/// One location is accessed in several sizes: the test has to be searched with its accesses in pieces.
struct several_sizes {};

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

/// An address of an array is shown by the name of the array, not of its first element.
std::string array_name(const std::string& location) {
    return location.ends_with("[0]") ? location.substr(0, location.size() - 3) : location;
}

std::string state_text(const std::vector<location>& shown, const std::vector<std::string>& locations,
                       const std::vector<value>& values) {
    std::string text;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const value& v = values[i];
        std::string one = v.is_address() ? array_name(locations[static_cast<std::size_t>(v.location)])
                                         : std::to_string(v.number);
        if (v.is_address() && v.number) one += fmt::format("+{}", v.number);
        text += fmt::format("{}{}={};", i ? " " : "", shown[i].printed(), one);
    }
    return text;
}

/// The whole search of one test; what one choice of paths needs is in execution_search.cpp.
class test_search : public execution_sink {
  public:
    test_search(const question& q, const program& p, const model& m, const limits& l)
        : question_(q), program_(p), model_(m), limits_(l), time_(l.seconds, l.interrupted) {}

    const question& asked() const override { return question_; }
    const program& what() const { return program_; }
    const model& under() const { return model_; }

    /// With this choice of locations, one is accessed in several sizes.
    void set_several_sizes(bool yes) { several_sizes_ = yes; }
    /// With this choice of locations, an access goes to no location.
    void set_outside(bool yes) { outside_ = yes; }
    /// On these paths, an access goes to no place.
    void set_misplaced(bool yes) { misplaced_ = yes; }
    /// With this choice of locations, one is an instruction.
    void set_code_accessed(bool yes) { code_accessed_ = yes; }

    void loads_chosen(bool valued) override {
        if (code_accessed_)
            throw cat::cannot_evaluate("an instruction that is loaded or stored as data is not supported");
        if (misplaced_)
            throw cat::cannot_evaluate(
                "a thread computes an address that is not aligned or outside of its location, and "
                "the test has accesses of several sizes: not supported");
        if (several_sizes_) throw several_sizes{};
        if (outside_ && valued)
            throw cat::cannot_evaluate("a thread computes, from what it loads, an address where no location "
                                       "begins: declare an array that is large enough");
    }
    void found(const std::vector<value>& values) override {
        if (limits_.keep != 0) last_ = values;
        const auto [at, fresh] = states_.try_emplace(values);
        if (fresh && states_.size() > limits_.most_states) {
            states_.erase(at);
            throw too_many_states{};
        }
        if (fresh) at->second.witness = question_.satisfied_by(values);
        ++at->second.executions;
        ++(at->second.witness ? result_.positive : result_.negative);
    }
    void flag(const std::string& name) override { result_.flags.insert(name); }

    void found_thin_air(const question::outlook& condition) override {
        result_.thin_air = true;
        result_.thin_air_outlook.can_hold = result_.thin_air_outlook.can_hold || condition.can_hold;
        result_.thin_air_outlook.can_fail = result_.thin_air_outlook.can_fail || condition.can_fail;
    }
    void explain_outcome(bool satisfying) {
        explains_ = true;
        sought_ = satisfying;
    }
    bool explains() const override { return explains_; }
    bool wants_why(const std::vector<value>& values, std::size_t failed) const override {
        return question_.satisfied_by(values) == sought_ && (!result_.why || failed < result_.why->failed);
    }
    void explain(why_not why) override {
        result_.why = std::move(why);
        if (result_.why->failed == 1) throw explained{};
    }
    bool orders_atomics() const override { return limits_.order_atomics; }
    std::size_t asks_about_parts_after() const override { return limits_.parts_after; }
    bool asks_for_thin_air() const override {
        return !result_.thin_air_outlook.can_hold || !result_.thin_air_outlook.can_fail;
    }

    void count_candidate() override { ++result_.candidates; }
    watch& time() override { return time_; }
    bool wants(const std::vector<value>& values) const override {
        if (limits_.keep == 0) return false;
        if (limits_.keep_of_state != 0)
            return of_states_.size() < limits_.keep && states_.at(values).executions <= limits_.keep_of_state;
        return (question_.satisfied_by(values) ? witnesses_ : others_).size() < limits_.keep;
    }
    void keep(execution x) override {
        x.witness = question_.satisfied_by(last_);
        x.state = state_text(question_.shown, program_.locations, last_);
        if (limits_.keep_of_state != 0)
            of_states_.emplace_back(last_, std::move(x));
        else
            (x.witness ? witnesses_ : others_).push_back(std::move(x));
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
    watch time_;
    std::unordered_map<std::vector<value>, seen, values_hash> states_;
    std::unique_ptr<cat::evaluator> evaluator_;
    std::vector<execution> witnesses_, others_;
    std::vector<std::pair<std::vector<value>, execution>> of_states_;
    bool several_sizes_ = false;
    bool code_accessed_ = false;
    bool outside_ = false;
    bool misplaced_ = false;
    bool explains_ = false, sought_ = true;
    std::vector<value> last_; ///< of the execution found last, if any are kept
    simulation result_;
};

/// Would an access of these bytes leave some of an initial value that its location has? A location without a type
/// has as many bytes as what accesses it.
bool keeps_some(const value& initial, int bytes) {
    return !initial.is_address() && bytes < 4 && (initial.number >> (8 * bytes)) != 0;
}

/// Locations are read and written whole: accesses of different sizes would be simulated wrongly, and the test has to
/// be searched in pieces. Where locations are computed, only if loads return what makes them so.
bool in_several_sizes(const program& p, const std::vector<const event*>& accesses,
                      const std::vector<std::int32_t>& where) {
    std::vector<int> bytes;
    for (const program::placement& at : p.placed) bytes.push_back(at.bytes);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const int own = accesses[i]->bytes;
        if (own == 0 || where[i] < 0) continue;
        const auto l = static_cast<std::size_t>(where[i]);
        if (bytes[l] == 0 ? keeps_some(p.initial[l], own) : bytes[l] != own) return true;
        bytes[l] = own;
    }
    return false;
}

/// Two accesses that are one are what models say of pieces.
bool has_pairs(const std::vector<const event*>& accesses) {
    return std::any_of(accesses.begin(), accesses.end(), [](const event* e) { return e->paired; });
}

/// Whether what is accessed has to be divided into pieces first.
bool needs_pieces(const program& p, const std::vector<const event*>& accesses,
                  const std::vector<std::int32_t>& where) {
    return in_several_sizes(p, accesses, where) || (p.wholes.empty() && has_pairs(accesses));
}

/// Assumes that an address is that of no location: of a part of one, or of what is beside it.
std::size_t assume_elsewhere(const program& p, expr address, std::vector<assumption>& assumed) {
    assumed.push_back({p.values->apply(expressions::op::is_address, address), true});
    for (std::size_t l = 0; l < p.locations.size(); ++l)
        assumed.push_back({p.values->apply(expressions::op::equal, address,
                                           p.values->constant(p.address(static_cast<std::int32_t>(l)))),
                           false});
    return 1 + p.locations.size();
}

/// All executions of these paths with accesses at these places.
void search_structure(test_search& all, const std::vector<const path*>& paths, const structure& s,
                      const std::vector<assumption>& assumed) {
    const program& p = all.what();
    if (all.under().common()) {
        search_executions(all, p, paths, s, assumed, *all.under().common(), all.common_evaluator(),
                          all.explains() ? cat::forbidden_shapes{} : all.under().shapes());
        return;
    }
    const cat::graph g = all.under().make(s.size(), s);
    const cat::forbidden_shapes shapes = all.explains() ? cat::forbidden_shapes{} : cat::coherence_of(g);
    cat::evaluator e(g);
    search_executions(all, p, paths, s, assumed, g, e, shapes);
}

/// Where an access goes is mostly a constant; otherwise each location is tried, as an assumption. So is that it is none
/// of them, and if loads can return what makes it so, the test has to be searched in pieces, or is refused where
/// accesses have the size of a location.
void choose_locations(test_search& all, const std::vector<const path*>& paths) {
    all.time().look();
    const program& p = all.what();
    std::vector<std::int32_t> where;
    std::vector<std::size_t> open;
    std::vector<expr> addresses;
    std::vector<const event*> accesses;
    std::vector<assumption> assumed;
    for (const path* one : paths) {
        assumed.insert(assumed.end(), one->assumed.begin(), one->assumed.end());
        for (const event& e : one->events) {
            if (e.address == no_expr) continue;
            addresses.push_back(e.address);
            accesses.push_back(&e);
            where.push_back(-1);
            if (!p.values->is_constant(e.address)) {
                open.push_back(where.size() - 1);
                continue;
            }
            const value a = p.values->constant_of(e.address);
            // On this path the thread follows a pointer to nowhere: no final state to speak of.
            where.back() = p.at(a);
            if (where.back() < 0 && a.is_address()) throw several_sizes{};
            if (where.back() < 0) return;
        }
    }
    if (needs_pieces(p, accesses, where)) throw several_sizes{};
    all.set_misplaced(
        std::any_of(accesses.begin(), accesses.end(), [](const event* e) { return e->misplaced; }));
    const std::int32_t nowhere = p.find(nowhere_name); // there where an address is open: see simulate()
    const std::function<void(std::size_t)> choose = [&](std::size_t k) {
        all.time().look();
        if (k < open.size()) {
            for (std::size_t l = 0; l < p.locations.size(); ++l) {
                where[open[k]] = static_cast<std::int32_t>(l);
                assumed.push_back(
                    {p.values->apply(expressions::op::equal, addresses[open[k]],
                                     p.values->constant(p.address(static_cast<std::int32_t>(l)))),
                     true});
                choose(k + 1);
                assumed.pop_back();
            }
            where[open[k]] = nowhere;
            const std::size_t more = assume_elsewhere(p, addresses[open[k]], assumed);
            choose(k + 1);
            assumed.resize(assumed.size() - more);
            return;
        }
        const auto elsewhere = [&](bool sized) {
            return std::any_of(open.begin(), open.end(), [&](std::size_t i) {
                return where[i] == nowhere && (accesses[i]->bytes != 0) == sized;
            });
        };
        all.set_several_sizes(elsewhere(true) || in_several_sizes(p, accesses, where));
        all.set_outside(elsewhere(false));
        all.set_code_accessed(std::any_of(where.begin(), where.end(), [&](std::int32_t l) {
            return p.placed[static_cast<std::size_t>(l)].code;
        }));
        const structure s(p, paths, where);
        search_structure(all, paths, s, assumed);
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
    } catch (const explained&) {
    } catch (const too_many_states&) {
        result_.complete = false;
        result_.stopped_by = fmt::format("more than {} final states", limits_.most_states);
    }
    result_.shown = question_.shown;
    result_.locations = program_.locations;
    result_.bounded = program_.bounded;
    result_.unroll = program_.unroll;
    for (const auto& [values, how] : states_) result_.states.push_back({values, how.executions, how.witness});
    std::sort(result_.states.begin(), result_.states.end(),
              [](const state& a, const state& b) { return a.values < b.values; });
    result_.executions = std::move(witnesses_.empty() ? others_ : witnesses_);
    std::stable_sort(of_states_.begin(), of_states_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [values, x] : of_states_) result_.executions.push_back(std::move(x));
    result_.seconds = time_.elapsed();
    return std::move(result_);
}

} // namespace

/// Seconds to look for a rejected execution with few failed checks.
constexpr double longest_explanation = 5;

static simulation simulate_program(const test& t, const program& p, const model& m, const limits& l) {
    const question q(t, p);
    simulation s = test_search(q, p, m, l).run();
    const bool for_all = t.final.how == condition::quantifier::forall;
    if (!l.why || !s.complete || (for_all ? s.negative : s.positive) != 0) return s;
    limits only = l;
    only.keep = 0;
    if (only.seconds == 0) only.seconds = longest_explanation;
    test_search rejected(q, p, m, only);
    rejected.explain_outcome(!for_all);
    simulation r = rejected.run();
    s.nothing_to_explain = r.complete && !r.why;
    s.why = std::move(r.why);
    return s;
}

/// Does a thread compute, from what it loads, where an access goes?
static bool computes_addresses(const program& p) {
    for (const std::vector<path>& paths : p.threads)
        for (const path& one : paths)
            for (const event& e : one.events)
                if (e.address != no_expr && !p.values->is_constant(e.address)) return true;
    return false;
}

simulation simulate(const test& t, const program& p, const model& m, const limits& l) {
    const watch time(l.seconds, l.interrupted);
    try {
        if (!computes_addresses(p)) return simulate_program(t, p, m, l);
        program with_nowhere = p;
        nowhere_in(with_nowhere);
        return simulate_program(t, with_nowhere, m, l);
    } catch (const several_sizes&) {
    }
    limits rest = l;
    if (l.seconds > 0) rest.seconds = std::max(l.seconds - time.elapsed(), 1e-3);
    try {
        simulation s = simulate_program(t, in_pieces(p), m.of_pieces(), rest);
        s.in_pieces = true;
        s.seconds = time.elapsed();
        return s;
    } catch (const cannot_divide& e) {
        throw cat::cannot_evaluate(e.what());
    } catch (const several_sizes&) {
        throw cat::cannot_evaluate("accesses of several sizes to one location: not supported");
    }
}

simulation not_simulated(const test& t, int unroll) {
    simulation s;
    s.shown = shown_locations(t);
    s.complete = false;
    s.unroll = unroll;
    return s;
}

std::string state_text(const simulation& s, const state& one) {
    return state_text(s.shown, s.locations, one.values);
}

} // namespace ringproof::litmus
