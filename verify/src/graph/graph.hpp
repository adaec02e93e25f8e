// SPDX-License-Identifier: Apache-2.0
#pragma once
// An execution graph that grows and shrinks at its end only. Exploration is depth-first, so every
// change is undone in reverse order; a part that was taken off can be put back as it was.

#include "events.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace ringproof::verify {

struct location {
    std::uintptr_t address = 0;
    std::uint8_t size = 0;
    bool in_memory = true; ///< false: a mutex, whose value lives only in the graph
    event_id init = none;
    bool over = false;        ///< opened over others: its bytes were part of other locations before
    location_id hides = none; ///< the location of another size that was at this address before
    std::vector<event_id> co; ///< coherence order, the initial write first
    std::array<event_id, max_threads> last_read; ///< of each thread, or none
};

class graph {
  public:
    graph();

    std::size_t size() const { return events_.size(); }
    const event& at(event_id e) const { return events_[e]; }
    event& at(event_id e) { return events_[e]; }

    /// Appends `e` (a write at `co_index` of its location's co, an init as a new location), links it
    /// in the order of stamps, and returns its id.
    event_id push(const event& e) {
        events_.push_back(e);
        return link();
    }

    /// The same in two steps, for an event that is made in place: a new last event, which is not part of the
    /// graph yet, and its linking once it is complete.
    event& make() { return events_.emplace_back(); }
    event_id link();

    /// Appends copies of the events from `first` on to others.
    void copy_from(std::size_t first, events& to) const { to.append(events_, first); }
    /// Takes the last event off.
    void pop();
    void pop_to(std::size_t size) {
        while (events_.size() > size) pop();
    }

    /// Opens a location at `address`; its initial write gets `value`.
    /// @param over whether it takes bytes over from other locations
    location_id open(std::uintptr_t address, std::uint8_t size, bool in_memory, value_t value,
                     bool over = false);
    const location& loc(location_id l) const { return locations_[l]; }
    std::size_t locations() const { return open_; }
    /// The location at `address`, the last one opened there, or none.
    location_id find(std::uintptr_t address) const;
    /// Whether any location was opened over others.
    bool overlaps() const { return over_ != 0; }
    /// Calls f(location) for each location in memory that has some of these bytes.
    template <class Function>
    void each_at(std::uintptr_t address, std::size_t size, Function f) const {
        // From 15 bytes before: the widest location that can reach the first byte.
        for (std::uintptr_t a = address - (address < 15 ? address : 15); a < address + size; ++a)
            for (location_id l = find(a); l != none; l = locations_[l].hides)
                if (locations_[l].in_memory && a + locations_[l].size > address) f(l);
    }
    /// Whether `l` has not lost any of its bytes to a location that was opened later.
    bool current(location_id l) const {
        bool newest = true;
        if (over_ != 0)
            each_at(locations_[l].address, locations_[l].size,
                    [&](location_id o) { newest = newest && o <= l; });
        return newest;
    }

    /// The `index`-th event of thread `t`, from 1.
    event_id in_thread(thread_id t, unsigned index) const { return threads_[t][index - 1]; }
    std::size_t thread_size(thread_id t) const { return threads_[t].size(); }

    /// Place of write `w` in its location's co.
    std::uint32_t co_place(event_id w) const;
    event_id co_next(event_id w) const;
    bool co_last(event_id w) const { return locations_[events_[w].location].co.back() == w; }

    event_id newest() const { return newest_; }

    /// Calls f(write) for each write that the value of the read `e` comes from: where that is an update, for those before
    /// it as well, up to the last write that is none.
    template <class Function>
    void each_read(const event& e, Function f) const {
        f(e.rf);
        if (!events_[e.rf].update) return;
        const auto& co = locations_[e.location].co;
        for (std::uint32_t i = co_place(e.rf); events_[co[i]].update && i-- > 0;) f(co[i]);
    }

    // Accesses in pieces.
    /// The last piece of the access that `id` is of, or none while that is not there yet.
    event_id last_part(event_id id) const {
        const event& e = events_[id];
        if (e.more == 0) return id;
        const std::size_t last = std::size_t{e.index} + e.more;
        return last <= threads_[e.thread].size() ? threads_[e.thread][last - 1] : none;
    }
    /// Whether it is of several pieces that are one access.
    bool is_whole(event_id id) const {
        if (!events_[id].is_part()) return false;
        const event_id last = last_part(id);
        return last != none && !events_[last].open;
    }
    /// Calls f(piece) for all pieces of what `id` is of; only for `id` where they are not one access.
    template <class Function>
    void each_part(event_id id, Function f) const {
        if (!is_whole(id)) return f(id);
        each_piece(id, f);
    }
    /// The same whether they are one access or not: as many as are there.
    template <class Function>
    void each_piece(event_id id, Function f) const {
        const event& e = events_[id];
        if (!e.is_part()) return f(id);
        const std::vector<event_id>& own = threads_[e.thread];
        for (std::size_t i = std::size_t{e.index} - e.part;
             i <= std::size_t{e.index} + e.more && i <= own.size(); ++i)
            f(own[i - 1]);
    }
    /// The piece of the same access that is of location `l`, or none.
    event_id part_at(event_id id, location_id l) const {
        event_id found = none;
        each_piece(id, [&](event_id p) { found = events_[p].location == l ? p : found; });
        return found;
    }
    /// Of the write part of a read-modify-write: what it read.
    event_id read_of(const event& write) const {
        return in_thread(write.thread, write.index - write.part - write.more - 1u);
    }
    /// Whether the read `r` is of a read-modify-write that has written there, or is about to.
    bool is_exclusive(event_id r) const {
        const event& e = events_[r];
        if (e.rmw || !e.locked || !e.is_part()) return e.rmw;
        const std::size_t write = std::size_t{e.index} + e.part + e.more + 1;
        if (write > threads_[e.thread].size()) return false;
        const event& w = events_[threads_[e.thread][write - 1]];
        return w.kind == event_kind::write && w.rmw && w.is_part() && w.part == e.part;
    }
    /// Whether the read-modify-write that `read` is a piece of cannot write: another one has read the same write, or a write
    /// in pieces would be behind it in one piece and before it in another. @param counts which events of others count
    template <class Counts>
    bool has_rival(event_id read, Counts counts) const {
        bool rival = false;
        each_piece(read, [&](event_id self) {
            const event& e = events_[self];
            for (event_id r = events_[e.rf].first_reader; r != none; r = events_[r].next_reader)
                rival =
                    rival || (r != self && is_exclusive(r) &&
                              events_[r].index < threads_[events_[r].thread].size() && counts(events_[r]));
            const std::vector<event_id>& co = locations_[e.location].co;
            for (std::size_t i = co_place(e.rf) + std::size_t{1}; i < co.size(); ++i)
                each_piece(read, [&](event_id other) {
                    const event_id w = other == self ? none : part_at(co[i], events_[other].location);
                    rival = rival ||
                            (w != none && co_place(w) <= co_place(events_[other].rf) && counts(events_[w]));
                });
        });
        return rival;
    }
    bool has_rival(event_id read) const {
        return has_rival(read, [](const event&) { return true; });
    }
    /// How many events are pieces.
    std::size_t parts() const { return parts_; }

    /// See events.
    void fit_clocks() { events_.fit(); }

    /// The accesses of memory whose value is wide enough for an address, or may become so: a plain write gets its
    /// value late.
    const std::vector<event_id>& with_addresses() const { return with_addresses_; }

    /// How many events are seq_cst.
    std::size_t seq_cst() const { return seq_cst_; }
    /// How many fences are.
    std::size_t seq_cst_fences() const { return seq_cst_fences_; }
    /// How many events are updates.
    std::size_t updates() const { return updates_; }

    static bool happens_before(const event& a, const event& b) {
        return a.thread == init_thread || (b.thread != init_thread && b.hb().includes(a.thread, a.index));
    }

  private:
    std::size_t slot(std::uintptr_t address) const;
    void insert(location_id l);

    events events_;
    std::vector<location> locations_; ///< those beyond open_ are kept for their buffers
    std::size_t open_ = 0, over_ = 0;
    std::vector<location_id> table_; ///< hash table over addresses, linear probing; last in, first out
    std::vector<std::vector<event_id>> threads_;
    event_id newest_ = none;
    std::vector<event_id> with_addresses_;
    std::size_t seq_cst_ = 0, seq_cst_fences_ = 0, updates_ = 0, parts_ = 0;
};

} // namespace ringproof::verify
