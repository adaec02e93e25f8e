// SPDX-License-Identifier: Apache-2.0
// Parts of a search that go on by themselves, in other processes or on other machines. A part is a set of positions of the
// stopped search. It learns again what the whole had learnt before it was divided (lessons.cpp), and walks to its
// positions from there: the executions below them are those that the whole search would have found there.
//
// What a part learns of the program then, the others do not know. As with processes that search together the tree is
// another one from there on, so the part ends, and says so: the search is to be divided anew.
//
// Two things are learnt from a search as a whole. Whether looks at polled locations have to be judged is decided by
// what different parts may see: a search that is to be divided judges them from its beginning. And the first
// complete execution shows which updates commute: only the search that meets it learns from it.

#include "../division/pieces.hpp"
#include "explorer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ringproof::verify {

/// Ends a part that has learnt something.
void explorer::leave_to_the_whole() {
    const exploration_result found = std::move(facts_.result);
    facts_.result = {};
    facts_.result.discarded = found.discarded + found.executions + found.blocked;
    facts_.result.has_learnt = true;
    stop_now("what this part has learnt of the program");
    facts_.result.lessons = lessons_;
}

/// What handlers touch is learnt in steps that do not all begin the search anew: then there is only the whole.
bool explorer::may_divide() const {
    return facts_.limits.divide > facts_.result.positions.size() && facts_.result.stopped &&
           !facts_.interrupts && facts_.result.error.kind == failure_kind::nothing &&
           !search_facts::interrupted.load(std::memory_order_relaxed);
}

/// Divides the positions at which the search was stopped. @return false when something was learnt on the way that makes
/// the search begin anew
bool explorer::divide_rest() {
    std::vector<search_position> left;
    left.swap(facts_.result.positions);
    const std::string stopped_by = facts_.result.stopped_by;
    const double seconds = std::exchange(facts_.limits.seconds, 0);
    bool learnt = false;
    facts_.result.stopped = false;
    // Not much longer than the search itself took.
    random_left_ = std::max<std::uint64_t>(64, 16 * (facts_.result.executions + facts_.result.blocked));
    try {
        const runner by{[this](const search_position& p) { return search_until_open(p); },
                        [this](const search_position& p) { return executions_from(p); }};
        facts_.result.positions = divide(std::move(left), facts_.limits.divide, by);
    } catch (const refuted& by) {
        ends_search(by);
    } catch (const anew&) {
        learnt = true;
    }
    facts_.limits.seconds = seconds;
    if (learnt) {
        note_lesson();
        return false;
    }
    facts_.result.stopped = !facts_.result.positions.empty();
    facts_.result.stopped_by = facts_.result.stopped ? stopped_by : "";
    return true;
}

/// How many executions are left at `p`, as a few random ones tell. They count for nothing else; an error that one meets
/// ends the search. When as many were made as a division may take, what was thought of `p` before stays.
double explorer::executions_from(const search_position& p) {
    constexpr std::uint64_t most = 16;
    const std::uint64_t tries = std::clamp(random_left_, std::uint64_t{p.weight == 0}, most);
    if (tries == 0) return p.weight;
    random_left_ -= std::min(tries, random_left_);
    const exploration_result found = facts_.result;
    const struct silence { // whatever ends an execution
        callbacks& ours;
        callbacks told = std::exchange(ours, {});
        ~silence() { ours = std::move(told); }
    } for_now{callbacks_};
    double sum = 0;
    for (std::uint64_t i = 0; i < tries && !facts_.result.stopped; ++i) {
        std::size_t at = 0;
        double open = 1;
        walk_on(
            [&](const crossing& c) {
                if (at >= p.ways.size()) return sampler_.pick(c);
                const std::uint32_t first = p.ways[at], ways = p.ends[at] - first;
                const std::uint32_t taken = sampler_.below(ways);
                open *= ways;
                at = taken == 0 ? at + 1 : p.ways.size();
                return first + taken;
            },
            std::numeric_limits<std::size_t>::max());
        sum += open * sampler_.end(1);
        if (facts_.knows_more) note_lesson();
        unwind(1);
        restore(0);
    }
    const bool stopped = facts_.result.stopped;
    facts_.result = found;
    facts_.result.stopped = stopped;
    return sum / static_cast<double>(tries);
}

/// Searches from `p`, in which no way is open, until one is. Few executions have an end before.
/// @return nothing when all of it is searched; `p` after an interrupt
std::optional<search_position> explorer::search_until_open(const search_position& p) {
    if (facts_.result.stopped) return p;
    const auto is_open = [this] {
        return std::any_of(nodes_.begin() + 1, nodes_.end(),
                           [](const search_node& n) { return n.taken() < n.ways(); });
    };
    const arrival there = p.ways.empty() ? arrival::alive : go_to(p);
    std::optional<search_position> further;
    if (there == arrival::stopped) further = p;
    for (bool alive = there == arrival::alive; !further && (alive || backtrack());) {
        if (is_open()) {
            further = position();
            further->weight = p.weight;
        } else {
            alive = go_on();
            if (facts_.restart) throw anew{};
            if (facts_.knows_more) note_lesson();
        }
    }
    unwind(1);
    restore(0);
    return further;
}

} // namespace ringproof::verify
