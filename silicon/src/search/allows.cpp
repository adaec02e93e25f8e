// SPDX-License-Identifier: Apache-2.0
#include <ringproof/silicon/execution.hpp>

#include <algorithm>

namespace ringproof::silicon {

bool allows(const model& m, const part_of_execution& part) {
    consistency c(m);
    for (std::size_t t = 0; t < part.threads.size(); ++t)
        for (std::size_t i = 0; i < part.events(t).size(); ++i)
            if (!c.allows(part, {static_cast<std::int32_t>(t), static_cast<std::int32_t>(i)})) return false;
    return true;
}

bool consistency::allows(const part_of_execution& part, event_id changed) {
    part_ = &part;
    number_events();
    for (std::size_t t = 0; t < part.threads.size(); ++t) find_sources(t);
    return coherent(changed) && atomic(changed) && !on_cycle(changed);
}

/// Writes get their places; all else is unknown yet.
void consistency::number_events() {
    first_.assign(1, 0);
    for (const auto& t : part_->threads) first_.push_back(first_.back() + t.part->ran->events.size());
    nodes_.assign(first_.back(), {});
    for (const auto& [location, writes] : part_->order)
        for (std::size_t k = 0; k < writes.size(); ++k) {
            node& n = nodes_[number(writes[k].id)];
            n.write_place = static_cast<int>(k) + 1;
            if (k + 1 < writes.size()) n.next_write = static_cast<int>(number(writes[k + 1].id));
        }
}

/// What the reads of a thread read, of the writes that have places.
void consistency::find_sources(std::size_t thread) {
    const thread_events& events = part_->events(thread);
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto& from = part_->read_at(thread, i).from;
        if (!events[i].is_read || !from) continue;
        node& n = nodes_[first_[thread] + i];
        if (from->is_initial()) {
            n.read_place = 0;
            const auto writes = part_->order.find(events[i].address);
            if (writes != part_->order.end() && !writes->second.empty())
                n.overwritten_by = static_cast<int>(number(writes->second.front().id));
            continue;
        }
        node& w = nodes_[number(*from)];
        n.read_place = w.write_place;
        n.overwritten_by = w.write_place < 0 ? -1 : w.next_write;
        n.next_reader = w.first_reader;
        w.first_reader = static_cast<int>(first_[thread] + i);
    }
}

/// Program order of one location agrees with coherence order: `a` comes before `b` in the thread.
bool consistency::agree(const node& a, const node& b) {
    const auto known = [](int x, int y) { return x >= 0 && y >= 0; };
    if (known(a.write_place, b.write_place) && a.write_place >= b.write_place) return false;
    if (known(a.write_place, b.read_place) && b.read_place < a.write_place) return false;
    if (known(a.read_place, b.write_place) && a.read_place >= b.write_place) return false;
    return !(known(a.read_place, b.read_place) && a.read_place > b.read_place);
}

bool consistency::coherent(event_id changed) const {
    const auto t = static_cast<std::size_t>(changed.thread), i = static_cast<std::size_t>(changed.index);
    const thread_events& events = part_->events(t);
    const node& self = nodes_[first_[t] + i];
    // One event that reads and writes reads the write just before it.
    if (self.read_place >= 0 && self.write_place >= 0 && self.read_place + 1 != self.write_place)
        return false;
    for (std::size_t k = 0; k < events.size(); ++k) {
        if (k == i || !same_location(events, i, k)) continue;
        const std::size_t a = std::min(i, k), b = std::max(i, k);
        if (in_program_order(events, a, b) && !agree(nodes_[first_[t] + a], nodes_[first_[t] + b]))
            return false;
    }
    return true;
}

/// No write of another thread stands between the halves of a read-modify-write of the location that has changed.
bool consistency::atomic(event_id changed) const {
    const std::uint64_t location = part_->at(changed).address;
    for (std::size_t t = 0; t < part_->threads.size(); ++t) {
        const thread_events& events = part_->events(t);
        for (std::size_t w = 0; w < events.size(); ++w) {
            if (!events[w].is_write || events[w].address != location) continue;
            const int place = nodes_[first_[t] + w].write_place;
            if (events[w]
                    .is_read) { // another that reads and writes: nothing comes between its read and itself
                const int read = nodes_[first_[t] + w].read_place;
                if (read >= 0 && place >= 0 && read + 1 != place) return false;
            }
            if (events[w].rmw_read >= 0 && interrupted(t, static_cast<std::size_t>(events[w].rmw_read), w))
                return false;
        }
    }
    return true;
}

bool consistency::interrupted(std::size_t thread, std::size_t read, std::size_t write) const {
    if (!same_location(part_->events(thread), read, write)) return false;
    const int from = nodes_[first_[thread] + read].read_place,
              to = nodes_[first_[thread] + write].write_place;
    if (from < 0 || to < 0) return false;
    const auto& writes = part_->order.at(part_->events(thread)[write].address);
    bool own = false, other = false;
    for (int place = from + 1; place < to; ++place) {
        const std::int32_t writer = writes[static_cast<std::size_t>(place) - 1].id.thread;
        (writer == static_cast<std::int32_t>(thread) ? own : other) = true;
    }
    return other && !(own && model_.own_write_ends_exclusive());
}

template <class Tell>
void consistency::each_piece(std::size_t thread, std::size_t index, const Tell& tell) const {
    const thread_events& events = part_->events(thread);
    std::size_t first = index, end = index + 1;
    while (first > 0 && same_access(events, first - 1, index)) --first;
    while (end < events.size() && same_access(events, end, index)) ++end;
    for (std::size_t k = first; k < end; ++k) tell(k);
}

/// Does the order that the change adds lead round a cycle? What is observed by a piece of an access is observed before
/// the whole access: such a cycle may go through any piece of the access that has changed.
bool consistency::on_cycle(event_id changed) {
    find_order_by_reads();
    bool found = false;
    each_piece(static_cast<std::size_t>(changed.thread), static_cast<std::size_t>(changed.index),
               [&](std::size_t k) {
                   found = found || leads_back({changed.thread, static_cast<std::int32_t>(k)});
               });
    return found;
}

/// Do the order within threads, reading from other threads, coherence and from-reads lead back to the event? Of the
/// last two the next write is enough: the others follow along coherence, and within a thread they are in its order.
bool consistency::leads_back(event_id from) {
    seen_.assign(nodes_.size(), false);
    stack_.assign(1, from);
    const std::size_t target = number(from);
    bool found = false;
    const auto reach = [&](std::size_t to, std::int32_t thread) {
        found = found || to == target;
        if (seen_[to]) return;
        seen_[to] = true;
        stack_.push_back({thread, static_cast<std::int32_t>(to - first_[static_cast<std::size_t>(thread)])});
    };
    const auto reach_other = [&](int to, std::int32_t from_thread) {
        if (to < 0) return;
        const std::int32_t other = thread_of(static_cast<std::size_t>(to));
        if (other == from_thread) return;
        const auto thread = static_cast<std::size_t>(other);
        each_piece(thread, static_cast<std::size_t>(to) - first_[thread],
                   [&](std::size_t k) { reach(first_[thread] + k, other); });
    };
    while (!stack_.empty() && !found) {
        const event_id e = stack_.back();
        stack_.pop_back();
        const auto t = static_cast<std::size_t>(e.thread);
        part_->threads[t].part->order.each_after(static_cast<std::size_t>(e.index),
                                                 [&](std::size_t k) { reach(first_[t] + k, e.thread); });
        const std::size_t self = number(e);
        for (const auto& [a, b] : by_reads_)
            if (a == self) reach(b, e.thread);
        reach_other(nodes_[self].next_write, e.thread);
        reach_other(nodes_[self].overwritten_by, e.thread);
        for (int r = nodes_[self].first_reader; r >= 0; r = nodes_[static_cast<std::size_t>(r)].next_reader)
            reach_other(r, e.thread);
    }
    return found;
}

std::int32_t consistency::thread_of(std::size_t event) const {
    return static_cast<std::int32_t>(std::upper_bound(first_.begin(), first_.end(), event) - first_.begin()) -
           1;
}

void consistency::find_order_by_reads() {
    by_reads_.clear();
    if (!model_.orders_by_reads()) return;
    std::vector<std::optional<event_id>> from;
    for (std::size_t t = 0; t < part_->threads.size(); ++t) {
        from.clear();
        for (const auto& r : part_->threads[t].reads) from.push_back(r.from);
        for (const auto& [a, b] : model_.order_by_reads(part_->events(t), static_cast<std::int32_t>(t), from))
            by_reads_.emplace_back(first_[t] + a, first_[t] + b);
    }
}

} // namespace ringproof::silicon
