// SPDX-License-Identifier: Apache-2.0
#pragma once
// All that a branch of the search changes, and how it is undone: the graph, shadow memory, and the program's threads
// and memory. A new piece of state has its place here, or is forgotten when the search goes another way.

#include "../graph/graph.hpp"
#include "../graph/growing.hpp"
#include "../program/program.hpp"
#include "../race/shadow.hpp"

#include <vector>

namespace ringproof::verify {

/// Everything as it was at a node of the search.
struct saved_point {
    std::uint32_t graph_size = 0, stamp = 0;
    std::size_t log = 0, pool = 0; ///< of shadow memory
    saved_state state;
};
/// The program's state before an event that a revisit has kept, which has no node.
struct kept_state {
    saved_state state;
    std::size_t log = 0;
};
/// Of an event's node: it is a kept_state.
inline constexpr std::uint32_t kept_bit = 0x8000'0000;

class branch_states {
  public:
    branch_states(program& p, graph& g, shadow_memory& s) : program_(p), graph_(g), shadow_(s) {}

    /// @return the number of the new point, one more than that of the last
    std::uint32_t save(std::uint32_t stamp);
    const saved_point& at(std::uint32_t n) const { return points_[n]; }
    void drop_last();
    /// Goes back to point `n`. @param graph_is_there its graph has been put back already, see put_back()
    void restore(std::uint32_t n, bool graph_is_there);

    /// Takes what was added since point `base` off, and goes back to that point: put_back() adds it again.
    /// @return the number of such takings before
    std::uint32_t set_aside(std::uint32_t base);
    void put_back();
    /// The size of the graph that the last set_aside() left.
    std::uint32_t base_of_revisit() const { return frames_.back().base; }

    /// Where a revisit replays what it keeps: the state as it is. @return what an event's node is to be
    std::uint32_t keep();
    /// Drops all that were kept, where no revisit has set anything aside.
    void drop_kept();
    /// The state before `e`, an event with a node.
    kept_state before(const event& e) const;
    void forget();
    /// Makes room for the clocks of the threads that there are.
    void fit_clocks() {
        graph_.fit_clocks();
        set_aside_.fit();
    }

  private:
    /// What a revisit took off the graph.
    struct taken_off {
        std::uint32_t base = 0; ///< size of the graph that stayed
        std::size_t states = 0; ///< kept_ before it
        std::size_t events = 0, changes = 0, base_log = 0;
    };

    program& program_;
    graph& graph_;
    shadow_memory& shadow_;
    std::vector<saved_point> points_;
    std::vector<kept_state> kept_;
    std::vector<taken_off> frames_;
    events set_aside_;
    std::vector<shadow_memory::change> changes_aside_;
};

inline std::uint32_t branch_states::save(std::uint32_t stamp) {
    saved_point p;
    p.graph_size = static_cast<std::uint32_t>(graph_.size());
    p.stamp = stamp;
    p.log = shadow_.log_size();
    p.pool = shadow_.pool_size();
    p.state = program_.save();
    points_.push_back(p);
    return static_cast<std::uint32_t>(points_.size() - 1);
}

inline void branch_states::drop_last() {
    program_.images().drop(points_.back().state);
    points_.pop_back();
}

inline void branch_states::restore(std::uint32_t n, bool graph_is_there) {
    const saved_point& p = points_[n];
    if (!graph_is_there) {
        graph_.pop_to(p.graph_size);
        shadow_.undo(p.log);
    }
    shadow_.shrink_pool(p.pool);
    program_.restore(p.state);
}

inline kept_state branch_states::before(const event& e) const {
    if ((e.node & kept_bit) != 0) return kept_[e.node & ~kept_bit];
    return {points_[e.node].state, points_[e.node].log};
}

} // namespace ringproof::verify
