// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include "machine_state.hpp"
#include "state_graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace ringproof::verify::loops {
namespace {

bool accesses(const instruction& what) {
    switch (what.what) {
    case op::load:
    case op::store:
    case op::add:
    case op::exchange:
    case op::compare:
        return true;
    default:
        return false;
    }
}

bool is(std::memory_order order, std::memory_order weaker, std::memory_order stronger) {
    return order == weaker || order == stronger || order == std::memory_order_seq_cst ||
           order == std::memory_order_acq_rel;
}
bool acquires(std::memory_order order) {
    return is(order, std::memory_order_acquire, std::memory_order_consume);
}
bool releases(std::memory_order order) {
    return is(order, std::memory_order_release, std::memory_order_release);
}

class machine {
  public:
    machine(const program& what, machine_model model, const judge_limits& limits)
        : program_(what), model_(model), limits_(limits) {}

    judgement run() {
        state first(program_.size);
        for (int t = 0; t < program_.size; ++t) settle(first, t);
        number(std::move(first));
        // States are numbered as they are met; those behind `at` are still to be looked at.
        for (std::size_t at = 0; at < states_.size(); ++at) {
            if (found_.races) break;
            if (states_.size() > limits_.states) {
                found_.cut = true;
                break;
            }
            from_ = at;
            look_at(state(states_[at]));
        }
        found_.states = states_.size();
        found_.waits = graph_.has_fair_cycle(program_.size, true);
        found_.spins = graph_.has_lone_cycle(program_.size, alone::only_reads);
        found_.may_spin = found_.spins || graph_.has_lone_cycle(program_.size, alone::writes_the_same);
        found_.churns = found_.waits || graph_.has_fair_cycle(program_.size, false);
        return std::move(found_);
    }

  private:
    void number(state&& s) {
        const auto [at, fresh] = numbers_.emplace(s.key(), states_.size());
        if (fresh) {
            graph_.add_state(s.unfinished(), s.buffers_are_empty());
            states_.push_back(std::move(s));
        }
        met_ = at->second;
    }

    void look_at(const state& s) {
        bool over = true;
        for (int t = 0; t < program_.size; ++t) {
            if (!s[t].buffer.empty()) {
                over = false;
                state next = s;
                const auto [location, value] = next[t].buffer.front();
                next[t].buffer.erase(next[t].buffer.begin());
                next.value_of(location) = value;
                go(std::move(next), t, step_kind::changes, alone::ends_round);
            }
            if (s[t].done) continue;
            over = false;
            if (model_ != machine_model::rc11 && races_with_another(s, t)) found_.races = true;
            step(s, t);
        }
        if (over) found_.finals.insert(s.result(program_, model_ == machine_model::rc11));
    }

    void go(state&& next, int t, step_kind kind, alone how) {
        if (failed_) {
            found_.fails = true;
            failed_ = false;
            return;
        }
        if (model_ == machine_model::rc11) {
            next.forget_old_messages();
            if (next.most_messages() > limits_.messages) {
                found_.cut = true;
                return;
            }
        } else if (next[t].buffer.size() > limits_.messages) {
            found_.cut = true;
            return;
        }
        number(std::move(next));
        graph_.add_step(from_, met_, t, kind, how);
    }

    const instruction& pending(const state& s, int t) const { return program_[t][s[t].at]; }

    bool races_with_another(const state& s, int t) const {
        const instruction& mine = pending(s, t);
        if (mine.what != op::cell_store) return false;
        for (int u = 0; u < program_.size; ++u) {
            if (u == t || s[u].done) continue;
            const instruction& other = pending(s, u);
            if (other.what == op::cell_load && evaluate(other.value, s[u].values) == t) return true;
        }
        return false;
    }

    /// Half of `halves`, as an integer, in one of the four ways of IEEE 754.
    static int rounded(int halves, int mode) {
        const int down = halves >> 1;
        if (halves % 2 == 0 || mode == 1) return down;
        if (mode == 2) return down + 1;
        if (mode == 3) return halves < 0 ? down + 1 : down;
        return down % 2 == 0 ? down : down + 1;
    }

    static void compute(const instruction& what, thread_state& me) {
        const int value = evaluate(what.value, me.values);
        if (what.what == op::set_rounding) me.rounding = value & 3;
        if (what.what == op::get_rounding) me.set(what.target, me.rounding);
        if (what.what == op::divide) me.inexact = true;
        if (what.what == op::clear_flags) me.inexact = false;
        if (what.what == op::get_flag) me.set(what.target, me.inexact);
        if (what.what == op::number_set) me.halves = value;
        if (what.what == op::number_add) me.halves += value;
        if (what.what != op::number_get) return;
        me.inexact = me.inexact || me.halves % 2 != 0;
        me.set(what.target, rounded(me.halves, me.rounding));
    }

    static void use_page(const instruction& what, thread_state& me) {
        const auto cell = static_cast<std::size_t>(what.location);
        if (what.what == op::obtain) me.has_page = true;
        if (what.what == op::give_back) me.has_page = false;
        if (!me.has_page) me.page = {};
        if (what.what == op::page_put && me.has_page) me.page[cell] = evaluate(what.value, me.values);
        if (what.what == op::page_get) me.set(what.target, me.page[cell]);
    }

    /// Lets `t` do what nobody else can see, up to its next access.
    void settle(state& s, int t) {
        thread_state& me = s[t];
        const thread_code& code = program_[t];
        for (int steps = 0;; ++steps) {
            if (steps > 10 * max_instructions) { // a loop in which nothing is shared
                found_.cut = true;
                s.finish(t, code.reported);
                return;
            }
            if (me.at == code.size) {
                s.finish(t, code.reported);
                return;
            }
            const instruction& next = code[me.at];
            switch (next.what) {
            case op::put:
                me.own[static_cast<std::size_t>(next.location)] = evaluate(next.value, me.values);
                break;
            case op::get:
                me.set(next.target, me.own[static_cast<std::size_t>(next.location)]);
                break;
            case op::set:
                me.set(next.target, evaluate(next.value, me.values));
                break;
            case op::set_rounding:
            case op::get_rounding:
            case op::divide:
            case op::clear_flags:
            case op::get_flag:
            case op::number_set:
            case op::number_add:
            case op::number_get:
                compute(next, me);
                break;
            case op::obtain:
            case op::give_back:
            case op::page_put:
            case op::page_get:
                use_page(next, me);
                break;
            case op::yield:
            case op::sleep:
                yielded_ = true;
                break;
            case op::loop:
                break;
            case op::fail:
                failed_ = true;
                return;
            case op::break_if:
            case op::when: {
                const bool so =
                    holds(evaluate(next.left, me.values), next.how, evaluate(next.value, me.values));
                if (so == (next.what == op::break_if)) {
                    me.at = next.jump;
                    continue;
                }
                break;
            }
            case op::end:
                me.at = next.jump;
                continue;
            default:
                return;
            }
            ++me.at;
        }
    }

    /// `t` has done its access in `next`, and goes on.
    void gone(state&& next, int t, step_kind kind, alone how = alone::only_reads) {
        ++next[t].at;
        yielded_ = false;
        settle(next, t);
        go(std::move(next), t, kind, yielded_ ? alone::ends_round : how);
    }

    void step(const state& s, int t) {
        const instruction& what = pending(s, t);
        if (what.what == op::cell_load || what.what == op::cell_store) return cell(s, t, what);
        if (model_ == machine_model::rc11) return weak_step(s, t, what);
        const bool drains = (what.what == op::fence && what.order == std::memory_order_seq_cst) ||
                            (what.what == op::store && what.order == std::memory_order_seq_cst) ||
                            (accesses(what) && what.what != op::load && what.what != op::store);
        if (drains && !s[t].buffer.empty()) return;
        state next = s;
        if (what.what == op::fence) return gone(std::move(next), t, step_kind::changes_nothing);
        thread_state& me = next[t];
        int& memory = next.value_of(what.location);
        int seen = memory;
        if (what.what == op::load)
            for (const auto& [location, value] : me.buffer)
                if (location == what.location) seen = value;
        int written = seen;
        const bool writes = does(what, me, seen, written);
        if (!writes) return gone(std::move(next), t, step_kind::changes_nothing);
        const bool buffered =
            model_ == machine_model::tso && what.what == op::store && what.order != std::memory_order_seq_cst;
        if (buffered)
            me.buffer.emplace_back(what.location, written);
        else
            memory = written;
        gone(std::move(next), t,
             !buffered && written == seen ? step_kind::changes_nothing : step_kind::changes,
             what.what == op::store ? alone::ends_round : alone::writes_the_same);
    }

    /// What the thread makes of seeing `seen`. @return whether it writes `written`
    static bool does(const instruction& what, thread_state& me, int seen, int& written) {
        const int value = evaluate(what.value, me.values);
        switch (what.what) {
        case op::store:
            written = value;
            return true;
        case op::add:
            me.set(what.target, seen);
            written = seen + value;
            return true;
        case op::exchange:
            me.set(what.target, seen);
            written = value;
            return true;
        case op::compare: {
            const bool same = me.values[static_cast<std::size_t>(what.expected)] == seen;
            if (!same) me.set(what.expected, seen);
            me.set(what.target, same);
            written = value;
            return same;
        }
        default:
            me.set(what.target, seen);
            return false;
        }
    }

    void cell(const state& s, int t, const instruction& what) {
        state next = s;
        const bool store = what.what == op::cell_store;
        const int owner = store ? t : evaluate(what.value, s[t].values);
        if (owner < 0 || owner >= program_.size) throw std::logic_error("loops: there is no such cell");
        if (model_ == machine_model::rc11 && !next.may_touch(t, owner, store)) {
            found_.races = true;
            return;
        }
        int& value = next.cell(owner);
        step_kind kind = step_kind::changes_nothing;
        if (store) {
            const int written = evaluate(what.value, s[t].values);
            if (value != written) kind = step_kind::changes;
            value = written;
        } else {
            next[t].set(what.target, value);
        }
        if (model_ == machine_model::rc11) next.touch(t, owner, store);
        gone(std::move(next), t, kind);
    }

    void weak_step(const state& s, int t, const instruction& what) {
        if (what.what == op::fence) {
            state next = s;
            thread_state& me = next[t];
            if (acquires(what.order)) me.now.join(me.acquired_later);
            if (releases(what.order)) me.released = me.now;
            return gone(std::move(next), t, step_kind::changes_nothing);
        }
        const std::size_t count = s.messages_of(what.location).size();
        const std::size_t first = s[t].now[static_cast<std::size_t>(what.location)];
        if (what.what == op::store) {
            // Behind what the thread has seen; not between a read-modify-write and what it read.
            for (std::size_t place = first + 1; place <= count; ++place) {
                if (place < count && s.messages_of(what.location)[place].follows) continue;
                state next = s;
                next.insert(t, what.location, place, evaluate(what.value, s[t].values), releases(what.order),
                            nullptr);
                gone(std::move(next), t, step_kind::changes);
            }
            return;
        }
        for (std::size_t from = first; from < count; ++from) {
            state next = s;
            thread_state& me = next[t];
            const message seen = next.messages_of(what.location)[from];
            int written = 0;
            const bool writes = does(what, me, seen.value, written);
            if (writes && from + 1 < count && next.messages_of(what.location)[from + 1].follows) continue;
            const bool failed = what.what == op::compare && !writes;
            next.see(t, what.location, from, acquires(failed ? what.failure : what.order));
            const bool stale = from + 1 < count;
            if (writes) next.insert(t, what.location, from + 1, written, releases(what.order), &seen.known);
            gone(std::move(next), t,
                 stale    ? step_kind::sees_old
                 : writes ? step_kind::changes
                          : step_kind::changes_nothing);
        }
    }

    const program& program_;
    machine_model model_;
    judge_limits limits_;
    judgement found_;
    std::vector<state> states_;
    std::unordered_map<std::string, std::size_t> numbers_;
    state_graph graph_;
    std::size_t from_ = 0, met_ = 0;
    bool failed_ = false;
    bool yielded_ = false; ///< the thread that settles
};

template <class Predicate>
bool all_orders(const program& what, Predicate holds_for) {
    for (int t = 0; t < what.size; ++t)
        for (int at = 0; at < what[t].size; ++at) {
            const instruction& each = what[t][at];
            if (!accesses(each) && each.what != op::fence) continue;
            if (!holds_for(each.order)) return false;
            if (each.what == op::compare && !holds_for(each.failure)) return false;
        }
    return true;
}

} // namespace

bool all_seq_cst(const program& what) {
    return all_orders(what, [](std::memory_order o) { return o == std::memory_order_seq_cst; });
}
bool has_read_modify_writes(const program& what) {
    for (int t = 0; t < what.size; ++t)
        for (int at = 0; at < what[t].size; ++at)
            if (what[t][at].what == op::exchange || what[t][at].what == op::add) return true;
    return false;
}
bool no_seq_cst(const program& what) {
    return all_orders(what, [](std::memory_order o) { return o != std::memory_order_seq_cst; });
}

program release_acquire(program what) {
    for (thread_code& thread : what.threads)
        for (instruction& each : thread.instructions) {
            each.order = each.what == op::load    ? std::memory_order_acquire
                         : each.what == op::store ? std::memory_order_release
                         : each.what == op::fence ? std::memory_order_relaxed
                                                  : std::memory_order_acq_rel;
            each.failure = std::memory_order_acquire;
        }
    return what;
}

judgement judge(const program& what, machine_model model, const judge_limits& limits) {
    if (model == machine_model::rc11 && !no_seq_cst(what))
        throw std::invalid_argument("loops: the machine for rc11 has no seq_cst");
    return machine(what, model, limits).run();
}

} // namespace ringproof::verify::loops
