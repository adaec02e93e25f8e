// SPDX-License-Identifier: Apache-2.0
#include "waiting.hpp"

#include <algorithm>
#include <set>

namespace ringproof::silicon {
namespace {

using reads = std::set<event_id>;

/// The open reads that a value depends on, through registers and through writes that were read.
void collect_open(const part_of_execution& part, std::size_t thread, const index_set& from, reads& seen,
                  reads& open) {
    from.each([&](std::size_t i) {
        const event_id id{static_cast<std::int32_t>(thread), static_cast<std::int32_t>(i)};
        if (!part.at(id).is_read || !seen.insert(id).second) return;
        const auto& state = part.read_at(thread, i);
        if (part.threads[thread].past.loaded[i]) return; // known, whatever it came from
        if (!state.from) {
            open.insert(id);
            return;
        }
        if (state.from->is_initial()) return;
        const event& write = part.at(*state.from);
        index_set values = write.data_from | write.picked_data;
        if (write.is_read) values.insert(static_cast<std::size_t>(state.from->index));
        collect_open(part, static_cast<std::size_t>(state.from->thread), values, seen, open);
    });
}

reads waited_for(const part_of_execution& part, std::size_t thread) {
    const run& ran = *part.threads[thread].part->ran;
    reads seen, open;
    if (ran.how == run::end::waits) collect_open(part, thread, ran.waits_for, seen, open);
    return open;
}

bool waits(const part_of_execution& part, std::size_t thread) {
    return part.threads[thread].part->ran->how == run::end::waits;
}

/// A read that is not put off, or that has been given a new choice.
bool can_be_given(const part_of_execution& part, event_id read) {
    return !part.read_at(static_cast<std::size_t>(read.thread), static_cast<std::size_t>(read.index)).off ||
           !candidates(part, read).empty();
}

template <class Tell>
void each_open_read(const part_of_execution& part, const Tell& tell) {
    for (std::size_t t = 0; t < part.threads.size(); ++t)
        for (std::size_t i = 0; i < part.events(t).size(); ++i)
            if (part.events(t)[i].is_read && !part.read_at(t, i).from)
                tell(event_id{static_cast<std::int32_t>(t), static_cast<std::int32_t>(i)});
}

} // namespace

std::vector<event_id> candidates(const part_of_execution& part, event_id read) {
    const event& e = part.at(read);
    const auto& state =
        part.read_at(static_cast<std::size_t>(read.thread), static_cast<std::size_t>(read.index));
    std::vector<event_id> found;
    if (!state.off) found.emplace_back();
    const auto writes = part.order.find(e.address);
    if (writes == part.order.end()) return found;
    for (const auto& w : writes->second) {
        const bool own_later = w.id.thread == read.thread && w.id.index >= read.index;
        if (!own_later && (!state.off || w.time >= *state.off)) found.push_back(w.id);
    }
    return found;
}

std::optional<event_id> next_read(const part_of_execution& part) {
    bool any_waits = false;
    for (std::size_t t = 0; t < part.threads.size(); ++t) {
        if (!waits(part, t)) continue;
        any_waits = true;
        for (const event_id r : waited_for(part, t))
            if (can_be_given(part, r)) return r;
    }
    std::optional<event_id> next;
    if (!any_waits)
        each_open_read(part, [&](event_id r) {
            if (!next) next = r;
        });
    return next;
}

bool may_put_off(const part_of_execution& part, event_id read) {
    for (std::size_t t = 0; t < part.threads.size(); ++t)
        if (static_cast<std::int32_t>(t) != read.thread && waits(part, t) &&
            waited_for(part, t).count(read) == 0)
            return true;
    return false;
}

namespace {

/// A write that puts back what was there ends no wait, as long as its own thread is stuck. Of a thread that waits it is
/// not known yet whether it will be.
bool ends_no_wait(const part_of_execution& part, event_id write) {
    const auto& thread = part.threads[static_cast<std::size_t>(write.thread)];
    const run& ran = *thread.part->ran;
    const auto index = static_cast<std::size_t>(write.index);
    if (ran.how == run::end::stuck) return ran.idle.contains(index);
    const int read = ran.events[index].rmw_read;
    if (ran.how == run::end::finished || read < 0) return false;
    const auto& loaded = thread.past.loaded[static_cast<std::size_t>(read)];
    return !loaded || !ran.stored[index] || *loaded == *ran.stored[index];
}

/// Do later writes end the wait of a thread that has read from this one?
bool is_superseded(const part_of_execution& part, std::uint64_t address, event_id from) {
    const auto writes = part.order.find(address);
    if (writes == part.order.end()) return false;
    for (auto w = writes->second.rbegin(); w != writes->second.rend() && w->id != from; ++w)
        if (!ends_no_wait(part, w->id)) return true;
    return false;
}

} // namespace

bool may_stay_stuck(const part_of_execution& part) {
    bool may = true;
    for (std::size_t t = 0; t < part.threads.size(); ++t) {
        const run& ran = *part.threads[t].part->ran;
        if (ran.how != run::end::stuck) continue;
        ran.waits_for.each([&](std::size_t read) {
            const auto& from = part.read_at(t, read).from;
            may = may && !(from && is_superseded(part, part.events(t)[read].address, *from));
        });
    }
    return may;
}

bool can_end(const part_of_execution& part) {
    std::vector<reads> roots;
    for (std::size_t t = 0; t < part.threads.size(); ++t) roots.push_back(waited_for(part, t));
    reads hopeful, off;
    each_open_read(part, [&](event_id r) { (can_be_given(part, r) ? hopeful : off).insert(r); });
    // A thread goes on when all reads that it waits for have values; a read that is put off needs a thread that does.
    const auto goes_on = [&](std::size_t t) {
        return waits(part, t) && std::all_of(roots[t].begin(), roots[t].end(),
                                             [&](event_id r) { return hopeful.count(r) != 0; });
    };
    for (bool more = true; more && !off.empty();) {
        more = false;
        for (auto r = off.begin(); r != off.end();) {
            bool gets_one = false;
            for (std::size_t t = 0; t < part.threads.size(); ++t)
                gets_one = gets_one || (static_cast<std::int32_t>(t) != r->thread &&
                                        roots[t].count(*r) == 0 && goes_on(t));
            if (gets_one) hopeful.insert(*r);
            more = more || gets_one;
            r = gets_one ? off.erase(r) : std::next(r);
        }
    }
    return off.empty();
}

} // namespace ringproof::silicon
