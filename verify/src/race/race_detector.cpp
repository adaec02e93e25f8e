// SPDX-License-Identifier: Apache-2.0
#include "race_detector.hpp"

#include "../program/interruptible.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

failure race_detector::race_failure(const thread_state& t, std::uintptr_t address, std::size_t size,
                                    bool write, bool atomic, std::uintptr_t site,
                                    const plain_access& other) const {
    failure f;
    f.kind = other.freed ? failure_kind::use_after_free : failure_kind::data_race;
    const std::string mine = std::string(atomic ? "atomic " : "") + (write ? "write" : "read");
    f.message = other.freed
                    ? "use after free: " + mine + " of " + std::to_string(size) + " bytes of freed memory"
                    : "data race: " + mine + " of " + std::to_string(size) + " bytes, not ordered with a " +
                          (other.write ? "write" : "read") + " by thread " + std::to_string(other.thread);
    f.thread = t.id;
    f.site = site;
    f.address = address;
    if (other.thread == t.id && !other.freed)
        f.message = "data race: " + mine + " of " + std::to_string(size) + " bytes, and a " +
                    (other.write ? "write" : "read") +
                    " by the same thread, one of the two in an interrupt's handler, with no fence in between";
    f.races = true;
    f.other_thread = other.thread;
    f.other_index = other.index;
    f.other_site = other.site;
    return f;
}

plain_access race_detector::access_by(const thread_state& t, bool write, std::uintptr_t site) {
    plain_access by;
    by.thread = static_cast<std::uint8_t>(t.id);
    by.index = t.next_index - 1;
    by.write = write;
    by.depth = static_cast<std::uint8_t>(t.contexts.depth) & 0x7f;
    by.interruptible = t.handlers && coming(t, 1);
    by.run = t.contexts.now().run;
    by.released = t.contexts.now().released;
    by.site = site;
    return by;
}

/// The pending atomic access of `t` against the plain accesses of its bytes.
void race_detector::check_races(thread_id t, bool write) {
    const thread_state& th = program_.thread(t);
    const plain_access* other = shadow_.atomic(th.what.address, th.what.size, write, t, th.clocks.hb());
    note_access(th, th.what.address, th.what.size,
                write ? access_kind::atomic_write : access_kind::atomic_read);
    if (other && learns(th, *other, th.what.address, th.what.size)) throw anew{};
    if (other)
        throw refuted{race_failure(th, th.what.address, th.what.size, write, true, th.what.site, *other)};
}

/// An access of `l` that is not ordered before what `t` is about to do, or null. @param write whether that
/// conflicts with reads too
const event* race_detector::unordered_access(const thread_state& t, location_id l, bool write) const {
    const auto ordered = [&](const event& e) {
        // Plain accesses are told apart by bytes, in shadow memory.
        return e.kind == event_kind::init || e.mo == order::plain ||
               t.clocks.hb().includes(e.thread, e.index);
    };
    for (const event_id w : graph_.loc(l).co) {
        if (!ordered(graph_.at(w))) return &graph_.at(w);
        for (event_id r = graph_.at(w).first_reader; write && r != none; r = graph_.at(r).next_reader)
            if (!ordered(graph_.at(r))) return &graph_.at(r);
    }
    return nullptr;
}

bool race_detector::learns_of_atomic(const thread_state& t, std::uintptr_t address, std::size_t size,
                                     bool write) {
    bool races = false;
    if (raced_.enabled())
        graph_.each_at(address, size, [&](location_id l) { races = races || unordered_access(t, l, write); });
    return races && raced_.learn(address, size);
}

/// Whether all that other threads ever did is ordered before what `t` does next, and none of them is left to do
/// more: then `t` races with nobody until it creates a thread, before which all of this is ordered as well.
bool race_detector::is_alone(const thread_state& t) const {
    for (thread_id u = program_.thread_count(); u-- > 0;)
        if (u != t.id && program_.thread(u).status != thread_status::unborn &&
            (program_.thread(u).status != thread_status::finished ||
             t.clocks.hb()[u] < static_cast<lane>(graph_.thread_size(u))))
            return false;
    return true;
}

/// The location that `t` asks for. Bytes may be accessed atomically in other sizes, or at other places, than
/// before when all that was done to them before is ordered before: memory then has their one value, with which
/// a new location begins. Whoever comes to that has to be ordered behind what was before as well.
location_id race_detector::location_of(const thread_state& t, const request& what) {
    const location_id l = graph_.find(what.address);
    if (what.object) {
        if (l == none) return graph_.open(what.address, what.size, false, 0);
        if (!graph_.loc(l).in_memory) return l;
        refuse_size(t, what);
    }
    if (l != none && !graph_.loc(l).in_memory) refuse_size(t, what);
    const bool fits = l != none && graph_.loc(l).size == what.size && graph_.current(l);
    if (fits && !graph_.loc(l).over) return l;
    bool over = false;
    if (fits || shadow_.is_atomic(what.address, what.size))
        graph_.each_at(what.address, what.size, [&](location_id other) {
            if (fits && other == l) return;
            over = true;
            if (const event* e = unordered_access(t, other, true)) mix_sizes(t, what, other, *e);
        });
    if (fits) return l;
    shadow_.mark_atomic(what.address, what.size);
    return graph_.open(what.address, what.size, true, program_.read(what.address, what.size), over);
}

/// `what` overlaps `access`, of the `other` location, which is not ordered before it: from the beginning of the search on,
/// both are made in pieces.
void race_detector::mix_sizes(const thread_state& t, const request& what, location_id other,
                              const event& access) {
    // Two accesses of one size are in each other's way because of one of another size between them: that is the one to name.
    const location* odd = &graph_.loc(other);
    const event* by = &access;
    graph_.each_at(what.address, what.size, [&](location_id l) {
        const location& at = graph_.loc(l);
        if (odd->address != what.address || odd->size != what.size) return;
        if (at.address == what.address && at.size == what.size) return;
        odd = &at;
        by = &graph_.at(at.co.back());
        for (const event_id r : at.last_read)
            if (r != none) by = &graph_.at(r);
    });
    const bool can = mixed_memory::can_divide(what.address, what.size) &&
                     mixed_memory::can_divide(odd->address, odd->size);
    if (!mixed_.forbidden() && can) {
        const bool fresh = mixed_.learn(odd->address, odd->size);
        if (mixed_.learn(what.address, what.size) || fresh) throw anew{};
    }
    failure f;
    f.kind = failure_kind::mixed_size;
    f.message = "mixed sizes: an atomic access of " + std::to_string(what.size) + " bytes overlaps one of " +
                std::to_string(odd->size) + " bytes" +
                (by->thread == init_thread ? "" : " by thread " + std::to_string(by->thread)) +
                ", and not all accesses of these bytes are ordered before it, which is not supported " +
                (!can                 ? "where one is not aligned to its size"
                 : mixed_.forbidden() ? mixed_.forbidden()
                                      : "here");
    f.thread = t.id;
    f.site = what.site;
    f.address = what.address;
    if (by->thread != init_thread) {
        f.races = true;
        f.other_thread = by->thread;
        f.other_index = by->index;
        f.other_site = by->site;
    }
    throw refuted{std::move(f)};
}

/// Memory is used both as what `what` asks for and as a mutex or the like.
void race_detector::refuse_size(const thread_state& t, const request& what) {
    failure f;
    f.kind = failure_kind::mixed_size;
    f.message = "memory that is used both as an atomic and as a mutex is not supported";
    f.thread = t.id;
    f.site = what.site;
    f.address = what.address;
    throw refuted{std::move(f)};
}

} // namespace ringproof::verify
