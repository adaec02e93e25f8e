// SPDX-License-Identifier: Apache-2.0
#include "branch_states.hpp"

namespace ringproof::verify {

std::uint32_t branch_states::save(std::uint32_t stamp) {
    saved_point p;
    p.graph_size = static_cast<std::uint32_t>(graph_.size());
    p.stamp = stamp;
    p.log = shadow_.log_size();
    p.pool = shadow_.pool_size();
    p.state = program_.save();
    points_.push_back(p);
    return static_cast<std::uint32_t>(points_.size() - 1);
}

void branch_states::drop_last() {
    program_.images().drop(points_.back().state);
    points_.pop_back();
}

void branch_states::restore(std::uint32_t n, bool graph_is_there) {
    const saved_point& p = points_[n];
    if (!graph_is_there) {
        graph_.pop_to(p.graph_size);
        shadow_.undo(p.log);
    }
    shadow_.shrink_pool(p.pool);
    program_.restore(p.state);
}

std::uint32_t branch_states::set_aside(std::uint32_t base) {
    const saved_point& p = points_[base];
    taken_off f;
    f.base = p.graph_size;
    f.base_log = p.log;
    f.states = kept_.size();
    f.events = set_aside_.size();
    f.changes = changes_aside_.size();
    set_aside_.append(&graph_.at(f.base), graph_.size() - f.base);
    graph_.pop_to(f.base);
    shadow_.undo(f.base_log, &changes_aside_);
    frames_.push_back(f);
    program_.restore(p.state);
    return static_cast<std::uint32_t>(frames_.size() - 1);
}

void branch_states::put_back() {
    const taken_off f = frames_.back();
    frames_.pop_back();
    if (kept_.size() > f.states) program_.images().drop(kept_[f.states].state);
    kept_.resize(f.states);
    graph_.pop_to(f.base);
    shadow_.undo(f.base_log);
    for (std::size_t i = f.events; i < set_aside_.size(); ++i) graph_.push(set_aside_[i]);
    set_aside_.shrink(f.events);
    shadow_.redo(changes_aside_, f.changes);
}

std::uint32_t branch_states::keep() {
    kept_.push_back({program_.save(), shadow_.log_size()});
    return static_cast<std::uint32_t>(kept_.size() - 1) | kept_bit;
}

kept_state branch_states::before(const event& e) const {
    if ((e.node & kept_bit) != 0) return kept_[e.node & ~kept_bit];
    return {points_[e.node].state, points_[e.node].log};
}

void branch_states::forget() {
    graph_.pop_to(0);
    shadow_.undo(0);
    shadow_.shrink_pool(0);
    points_.clear();
    kept_.clear();
    frames_.clear();
    set_aside_.shrink(0);
    changes_aside_.clear();
}

} // namespace ringproof::verify
