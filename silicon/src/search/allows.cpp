// SPDX-License-Identifier: Apache-2.0
#include <ringproof/silicon/execution.hpp>

#include <algorithm>

namespace ringproof::silicon {

std::size_t part_of_execution::place_of(std::uint64_t location, event_id write) const {
    if (write.is_initial()) return 0;
    const auto& writes = order.at(location);
    const auto at =
        std::find_if(writes.begin(), writes.end(), [&](const placed_write& w) { return w.id == write; });
    return static_cast<std::size_t>(at - writes.begin()) + 1;
}

namespace {

class check {
  public:
    check(const model& m, const part_of_execution& part) : model_(m), part_(part) {}

    bool allowed() { return coherent() && atomic() && acyclic(); }

  private:
    using index = std::size_t;

    /// Of an event of a location: the place of the write, or of the write that is read, in coherence order.
    struct view {
        bool known = false;
        index place = 0;
    };
    view read_view(index thread, index i) const {
        const event& e = part_.events(thread)[i];
        const auto& r = part_.read_at(thread, i);
        if (!e.is_read || !r.from || !part_.is_placed(*r.from)) return {};
        return {true, part_.place_of(e.address, *r.from)};
    }
    view write_view(index thread, index i) const {
        const event& e = part_.events(thread)[i];
        if (!e.is_write || i >= part_.threads[thread].placed) return {};
        return {true,
                part_.place_of(e.address, {static_cast<std::int32_t>(thread), static_cast<std::int32_t>(i)})};
    }

    /// Program order of one location agrees with coherence order: `a` comes before `b` in the thread.
    bool agree(index thread, index a, index b) const {
        const view ra = read_view(thread, a), rb = read_view(thread, b);
        const view wa = write_view(thread, a), wb = write_view(thread, b);
        if (wa.known && wb.known && wa.place >= wb.place) return false;
        if (wa.known && rb.known && rb.place < wa.place) return false;
        if (ra.known && wb.known && ra.place >= wb.place) return false;
        return !(ra.known && rb.known && ra.place > rb.place);
    }
    /// One event that reads and writes reads the write just before it.
    bool reads_just_before(index thread, index i) const {
        const view r = read_view(thread, i), w = write_view(thread, i);
        return !r.known || !w.known || r.place + 1 == w.place;
    }
    bool coherent() const {
        for (index t = 0; t < part_.threads.size(); ++t) {
            const thread_events& events = part_.events(t);
            for (index b = 0; b < events.size(); ++b) {
                if (!events[b].is_read && !events[b].is_write) continue;
                if (!reads_just_before(t, b)) return false;
                for (index a = 0; a < b; ++a)
                    if (same_location(events, a, b) && in_program_order(events, a, b) && !agree(t, a, b))
                        return false;
            }
        }
        return true;
    }

    /// No write of another thread stands between the halves of a read-modify-write.
    bool atomic() const {
        for (index t = 0; t < part_.threads.size(); ++t) {
            const thread_events& events = part_.events(t);
            for (index w = 0; w < events.size(); ++w)
                if (events[w].rmw_read >= 0 && interrupted(t, static_cast<index>(events[w].rmw_read), w))
                    return false;
        }
        return true;
    }
    bool interrupted(index thread, index read, index write) const {
        const thread_events& events = part_.events(thread);
        if (!same_location(events, read, write)) return false;
        const view from = read_view(thread, read), to = write_view(thread, write);
        if (!from.known || !to.known) return false;
        const auto& writes = part_.order.at(events[write].address);
        bool own = false, other = false;
        for (index place = from.place + 1; place < to.place; ++place)
            (writes[place - 1].id.thread == static_cast<std::int32_t>(thread) ? own : other) = true;
        return other && !(own && model_.own_write_ends_exclusive());
    }

    /// The order within threads, reading from other threads, coherence and from-reads have no cycle. Of the last two
    /// the next write is enough: the others follow along coherence, and within a thread they are in its order.
    bool acyclic() {
        first_.assign(part_.threads.size() + 1, 0);
        for (index t = 0; t < part_.threads.size(); ++t) first_[t + 1] = first_[t] + part_.events(t).size();
        between_.assign(first_.back(), {});
        for (index t = 0; t < part_.threads.size(); ++t)
            for (index i = 0; i < part_.events(t).size(); ++i) add_edges(t, i);
        for (index t = 0; t < part_.threads.size(); ++t) add_order_by_reads(t);
        color_.assign(first_.back(), color::white);
        for (index t = 0; t < part_.threads.size(); ++t)
            for (index i = 0; i < part_.events(t).size(); ++i)
                if (color_[first_[t] + i] == color::white && on_cycle(t, i)) return false;
        return true;
    }
    void add_order_by_reads(index thread) {
        const auto id = static_cast<std::int32_t>(thread);
        std::vector<std::optional<event_id>> from;
        for (const auto& r : part_.threads[thread].reads) from.push_back(r.from);
        for (const auto& [a, b] : model_.order_by_reads(part_.events(thread), id, from))
            between_[first_[thread] + a].push_back({id, static_cast<std::int32_t>(b)});
    }
    index number(event_id e) const {
        return first_[static_cast<index>(e.thread)] + static_cast<index>(e.index);
    }
    void add_edge_to_place(index from, index thread, std::uint64_t location, index place) {
        const auto writes = part_.order.find(location);
        if (writes == part_.order.end() || place > writes->second.size()) return;
        const event_id to = writes->second[place - 1].id;
        if (to.thread != static_cast<std::int32_t>(thread)) between_[from].push_back(to);
    }
    void add_edges(index thread, index i) {
        const event& e = part_.events(thread)[i];
        const index self = first_[thread] + i;
        if (const view w = write_view(thread, i); w.known)
            add_edge_to_place(self, thread, e.address, w.place + 1);
        if (!e.is_read) return;
        const auto& from = part_.read_at(thread, i).from;
        if (from && from->thread >= 0 && from->thread != static_cast<std::int32_t>(thread))
            between_[number(*from)].push_back(
                {static_cast<std::int32_t>(thread), static_cast<std::int32_t>(i)});
        if (const view r = read_view(thread, i); r.known)
            add_edge_to_place(self, thread, e.address, r.place + 1);
    }
    /// Depth first. As deep as there are events: machines bound what a thread does.
    bool on_cycle(index thread, index i) {
        const index self = first_[thread] + i;
        color_[self] = color::grey;
        bool found = false;
        const auto visit = [&](index t, index k) {
            const color c = color_[first_[t] + k];
            found = found || c == color::grey || (c == color::white && on_cycle(t, k));
        };
        part_.threads[thread].part->order.each_after(i, [&](index k) { visit(thread, k); });
        for (const event_id e : between_[self])
            visit(static_cast<index>(e.thread), static_cast<index>(e.index));
        color_[self] = color::black;
        return found;
    }

    enum class color : std::uint8_t { white, grey, black };
    const model& model_;
    const part_of_execution& part_;
    std::vector<index> first_; ///< of each thread's events, when all are counted through
    std::vector<std::vector<event_id>> between_;
    std::vector<color> color_;
};

} // namespace

bool allows(const model& m, const part_of_execution& part) { return check(m, part).allowed(); }

} // namespace ringproof::silicon
