// SPDX-License-Identifier: Apache-2.0
// Going one way through the tree of decisions instead of all: for samples of it, and back to where an
// earlier search was stopped. And how much of the tree a search has behind it.

#include "../division/pieces.hpp"
#include "../parallel/worker_pool.hpp"
#include "explorer.hpp"

#include <limits>

namespace ringproof::verify {

crossing explorer::crossing_of(std::uint32_t n) const {
    const search_node& at = nodes_[n];
    crossing c;
    c.kind = static_cast<unsigned>(at.kind);
    c.thread = at.thread;
    c.index = program_.thread(at.thread).next_index;
    c.options = at.all_options();
    c.revisits = at.ways() - c.options;
    return c;
}

/// Takes one way on from the topmost node. `first_alive`: what came of the first, which is taken when a
/// node is met (but where a write can only revisit).
bool explorer::take(std::uint32_t n, std::uint32_t way, bool first_alive) {
    search_node& top = nodes_[n];
    const std::uint32_t options = top.all_options();
    if (way < options) {
        if (way == 0) return first_alive;
        top.option = top.options_begin + way;
    } else {
        top.option = top.options_end;
        top.revisit = top.revisits_begin + (way - options);
    }
    return next_option(n) == outcome::alive;
}

/// Counts a step; a walk alone may be too long.
bool explorer::walk_is_over() {
    if ((++facts_.result.events & 0x3f) != 0) return facts_.result.stopped;
    if (search_facts::interrupted.load(std::memory_order_relaxed)) return stop_now("an interrupt");
    return facts_.limits.seconds > 0 && facts_.elapsed() > facts_.limits.seconds && stop_now("--time");
}

/// Goes on, by `pick`'s choice at each node met, until there are `until` nodes.
/// @return false where the way ends before
bool explorer::walk_on(const way_picker& pick, std::size_t until) {
    while (nodes_.size() < until) {
        const thread_id t = next_thread();
        if (t == no_thread) {
            finish_execution();
            return false;
        }
        if (walk_is_over()) return false;
        if (!execution_.close(program_.thread(t))) continue;
        if (!program_.thread(t).pending) {
            run_on(t);
            continue;
        }
        auto met = static_cast<std::uint32_t>(nodes_.size());
        bool alive = perform(t);
        while (nodes_.size() > met && met < until) { // a revisit may have to be placed, which is a node too
            const std::uint32_t way = pick(crossing_of(met));
            alive = take(met++, way, alive);
        }
        if (!alive) return false;
    }
    return true;
}

/// Drops all nodes but the first `keep`.
void explorer::unwind(std::size_t keep) {
    while (nodes_.size() > keep) pop_node();
}

exploration_result explorer::walk(const std::function<void()>& body, const way_picker& pick,
                                  const walk_end& ended) {
    execution_.alike().use();
    learns_ = true;
    return walk_through(
        body, [&] { walk_on(pick, std::numeric_limits<std::size_t>::max()); }, ended);
}

exploration_result explorer::walk_through(const std::function<void()>& body,
                                          const std::function<void()>& once, const walk_end& ended) {
    start(body);
    saved_state initial = program_.save();
    push_node(node_kind::place, 0); // the root, to come back to; it has no ways of its own
    try {
        for (bool more = true; more;) {
            std::uint64_t before = facts_.result.executions;
            try {
                once();
            } catch (const anew&) { // earlier walks passed places by, later ones will not
                const exploration_result so_far = facts_.result;
                begin_anew(initial);
                facts_.result = so_far;
                push_node(node_kind::place, 0);
                ended(walk_given_up, facts_.result);
                continue;
            }
            ++facts_.result.walks;
            facts_.result.seconds = facts_.elapsed();
            more = ended(facts_.result.executions - before,
                         facts_.result); // which may look at where the threads are
            unwind(1);
            restore(0);
            if (more && search_facts::interrupted.load(std::memory_order_relaxed)) stop_now("an interrupt");
            more = more && !facts_.result.stopped;
            if (callbacks_.progress && more) callbacks_.progress(facts_.result);
        }
    } catch (const refuted& by) {
        ends_search(by);
    }
    program_.restore(initial);
    facts_.result.seconds = facts_.elapsed();
    return facts_.result;
}

/// As if all ways on from a node were of one size.
double explorer::fraction() const { return 1 - left(); }

/// What this process has still to do, as a part of the whole search.
double explorer::left() const {
    double open = 0, size = 1;
    for (const search_node& n : nodes_) {
        const double mine = n.ways();
        const double taken = n.taken();
        if (mine + n.given == 0) continue;
        size /= mine + n.given;
        open += (mine - taken) * size;
    }
    return open + size; // and the way it is on
}

search_position explorer::position() const {
    search_position p;
    for (std::size_t i = 1; i < nodes_.size(); ++i) { // after the root
        const search_node& n = nodes_[i];
        p.ways.push_back(n.taken() - 1);
        p.ends.push_back(n.ways());
        p.all.push_back(n.ways() + n.given);
    }
    p.threads = runtime_.names().all();
    return p;
}

/// Where the search of `part` is. What is thought of its size goes down with the share that is left.
search_position explorer::rest_of(const search_position& part) const {
    search_position rest = position();
    if (part.weight > 0) rest.weight = part.weight * share_of(rest) / share_of(part);
    return rest;
}

void explorer::resume_from(const exploration_result& earlier) {
    if (earlier.positions.empty() && earlier.lessons.empty()) return; // from the beginning
    earlier_ = earlier;
    facts_.result = earlier;
    facts_.result.stopped = false;
    facts_.result.stopped_by.clear();
    facts_.result.busiest_rounds = 0;
    facts_.result.busiest = 0;
    facts_.result.positions.clear();
    facts_.result.lessons.clear();
}

/// The last way may be one that was not taken yet: of a search that was divided.
explorer::arrival explorer::go_to(const search_position& p) {
    if (p.threads.size() > runtime_.names().all().size()) {
        runtime_.names().set(p.threads);
        if (pool_) pool_->name_threads(p.threads);
    }
    const auto refuse = [this] {
        facts_.result.misfit = true;
        refute({.kind = failure_kind::nondeterminism,
                .message = "the search that is to be resumed does not fit this program"});
    };
    std::size_t at = 0;
    const auto recorded = [&](const crossing& c) {
        const bool fits =
            at < p.all.size() && p.ways[at] < p.ends[at] && p.ends[at] <= p.all[at] && p.all[at] == c.ways();
        if (!fits) refuse();
        return p.ways[at++];
    };
    const std::uint64_t events = facts_.result.events, executions = facts_.result.executions;
    const bool alive = walk_on(recorded, p.ways.size() + 1);
    if (facts_.result.stopped) return arrival::stopped;
    if (at != p.ways.size() || facts_.result.executions != executions) refuse();
    for (std::size_t i = 0; i < p.ends.size(); ++i) keep_ways(nodes_[i + 1], p.ends[i]);
    facts_.result.events = events;
    return alive ? arrival::alive : arrival::dead;
}

} // namespace ringproof::verify
