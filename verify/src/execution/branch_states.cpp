// SPDX-License-Identifier: Apache-2.0
#include "branch_states.hpp"

namespace ringproof::verify {

std::uint32_t branch_states::set_aside(std::uint32_t base) {
    const saved_point& p = points_[base];
    taken_off f;
    f.base = p.graph_size;
    f.base_log = p.log;
    f.states = kept_.size();
    f.events = set_aside_.size();
    f.changes = changes_aside_.size();
    graph_.copy_from(f.base, set_aside_);
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

void branch_states::drop_kept() {
    if (!kept_.empty()) program_.images().drop(kept_.front().state);
    kept_.clear();
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
