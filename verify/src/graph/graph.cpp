// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <algorithm>

namespace ringproof::verify {

graph::graph() : threads_(max_threads) { table_.assign(256, none); }

std::size_t graph::slot(std::uintptr_t address) const {
    std::size_t i = (address * 0x9e37'79b9'7f4a'7c15u >> 32) & (table_.size() - 1);
    while (table_[i] != none && locations_[table_[i]].address != address) i = (i + 1) & (table_.size() - 1);
    return i;
}

location_id graph::find(std::uintptr_t address) const { return table_[slot(address)]; }

void graph::insert(location_id l) {
    if (2 * open_ >= table_.size()) {
        // Inserted anew in the order of opening, so that last in, first out keeps holding.
        table_.assign(table_.size() * 2, none);
        for (location_id k = 0; k < l; ++k) table_[slot(locations_[k].address)] = k;
    }
    const std::size_t s = slot(locations_[l].address);
    locations_[l].hides = table_[s];
    table_[s] = l;
}

event_id graph::link() {
    const auto id = static_cast<event_id>(events_.size() - 1);
    event& added = events_.back();
    added.first_reader = none;
    if (added.may_hold_address()) with_addresses_.push_back(id);
    if (added.kind == event_kind::init) {
        const auto l = static_cast<location_id>(open_++);
        if (l == locations_.size()) locations_.emplace_back();
        location& opened = locations_[l];
        opened.address = added.site;
        opened.size = added.size;
        opened.in_memory = !added.lock;
        opened.init = id;
        opened.co.assign(1, id);
        opened.last_read.fill(none);
        opened.over = added.takes_over;
        over_ += opened.over;
        added.location = l;
        insert(l);
        return id;
    }
    threads_[added.thread].push_back(id);
    seq_cst_ += added.mo == order::seq_cst;
    updates_ += added.update;
    parts_ += added.is_part();
    seq_cst_fences_ += added.kind == event_kind::fence && added.mo == order::seq_cst;

    // A revisited read comes back with its old stamp, before what was kept of its successors.
    event_id older = newest_;
    event_id newer = none;
    while (older != none && events_[older].stamp > added.stamp) {
        newer = older;
        older = events_[older].older;
    }
    added.older = older;
    added.newer = newer;
    if (older != none) events_[older].newer = id;
    if (newer != none)
        events_[newer].older = id;
    else
        newest_ = id;

    if (added.is_read()) {
        event& w = events_[added.rf];
        added.next_reader = w.first_reader;
        w.first_reader = id;
        event_id& last = locations_[added.location].last_read[added.thread];
        added.earlier_read = last;
        last = id;
    } else if (added.kind == event_kind::write) {
        auto& co = locations_[added.location].co;
        co.insert(co.begin() + added.co_index, id);
    }
    return id;
}

void graph::pop() {
    const event& e = events_.back();
    const auto id = static_cast<event_id>(events_.size() - 1);
    if (!with_addresses_.empty() && with_addresses_.back() == id) with_addresses_.pop_back();
    if (e.kind == event_kind::init) {
        --open_;
        over_ -= locations_[open_].over;
        table_[slot(e.site)] = locations_[open_].hides;
        events_.pop_back();
        return;
    }
    threads_[e.thread].pop_back();
    seq_cst_ -= e.mo == order::seq_cst;
    updates_ -= e.update;
    parts_ -= e.is_part();
    seq_cst_fences_ -= e.kind == event_kind::fence && e.mo == order::seq_cst;
    if (e.newer != none) events_[e.newer].older = e.older;
    if (e.older != none) events_[e.older].newer = e.newer;
    if (newest_ == id) newest_ = e.older;
    if (e.is_read()) {
        events_[e.rf].first_reader = e.next_reader; // the last one linked is the first to go
        locations_[e.location].last_read[e.thread] = e.earlier_read;
    } else if (e.kind == event_kind::write) {
        auto& co = locations_[e.location].co;
        co.erase(co.begin() + e.co_index);
    }
    events_.pop_back();
}

location_id graph::open(std::uintptr_t address, std::uint8_t size, bool in_memory, value_t value, bool over) {
    event init;
    init.porf().clear();
    init.hb().clear();
    init.release().clear();
    init.takes_over = over;
    init.site = address;
    init.size = size;
    init.lock = !in_memory;
    init.value = value;
    return at(push(init)).location;
}

std::uint32_t graph::co_place(event_id w) const {
    const auto& co = locations_[events_[w].location].co;
    // From the end: most questions are about recent writes.
    for (std::size_t i = co.size(); i-- > 0;)
        if (co[i] == w) return static_cast<std::uint32_t>(i);
    return none;
}

event_id graph::co_next(event_id w) const {
    const auto& co = locations_[events_[w].location].co;
    const std::uint32_t place = co_place(w) + 1;
    return place < co.size() ? co[place] : none;
}

} // namespace ringproof::verify
