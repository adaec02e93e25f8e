// SPDX-License-Identifier: Apache-2.0
#include "known_values.hpp"

#include <algorithm>

namespace ringproof::verify {

namespace {
/// A plain write's value is known later, and who arrives at a counter may come in any order.
bool may_be_noted(const graph& g, const event& write) {
    if (write.thread == init_thread) return true;
    const bool arrives = write.rmw && g.at(g.in_thread(write.thread, write.index - 1)).arrival;
    return write.mo != order::plain && !write.update && !write.is_part() && !arrives;
}
} // namespace

std::vector<event_id>::const_iterator known_values::first_for_all(const location& at, event_id threads_from) {
    auto first = at.co.begin();
    while (first + 1 != at.co.end() && first[1] < threads_from) ++first;
    return first;
}

unsigned known_values::known_to(const graph& g, const location& at, const event& e) {
    return static_cast<unsigned>(std::count_if(at.co.begin(), at.co.end(), [&](event_id w) {
        const event& write = g.at(w);
        return write.thread != init_thread && e.porf().includes(write.thread, write.index);
    }));
}

known_values::value known_values::value_of(const graph& g, const location& at, const event& write) {
    return {write.value, write.thread == init_thread ? 0 : known_to(g, at, write)};
}

unsigned known_values::values::number_of(const value& one) const {
    const auto found = std::find(all.begin(), all.end(), one);
    return found == all.end() ? unknown : static_cast<unsigned>(found - all.begin());
}

const known_values::values* known_values::find(std::uintptr_t address) const {
    const auto at = std::find_if(locations_.begin(), locations_.end(),
                                 [&](const values& v) { return v.address == address; });
    return at == locations_.end() ? nullptr : &*at;
}

bool known_values::note_from_now_on(std::uintptr_t address) {
    if (find(address)) return true;
    if (locations_.size() == most_locations) return false;
    locations_.emplace_back().address = address;
    return true;
}

known_values::values* known_values::of(const location& at) {
    return at.in_memory ? const_cast<values*>(find(at.address)) : nullptr;
}

bool known_values::note(values& known, const value& one) {
    if (known.too_many || known.number_of(one) != unknown) return false;
    if (known.all.size() == most_values)
        known.too_many = true;
    else
        known.all.push_back(one);
    ++changes_;
    return true;
}

bool known_values::note_bits(std::uint32_t& all, std::uint32_t more) {
    if ((all & more) == more) return false;
    all |= more;
    ++changes_;
    return true;
}

/// Which values `write` lies behind in coherence order, and which behind it.
bool known_values::note_place(const graph& g, const location& at, const event& write, values& known,
                              unsigned number) {
    bool news = false, behind = false;
    for (const event_id w : at.co) {
        const event& other = g.at(w);
        if (&other == &write) {
            behind = true;
            continue;
        }
        const unsigned its = known.number_of(value_of(g, at, other));
        if (its == unknown) continue; // of main alone
        news = note_bits(known.behind[behind ? number : its], 1u << (behind ? its : number)) || news;
    }
    return news;
}

/// What a thread knows of the other locations that acquires `write`.
bool known_values::note_released(const graph& g, const event& write, values& known, unsigned number) {
    bool news = false;
    for (const values& other : locations_) {
        if (&other == &known) continue;
        unsigned last = unknown;
        if (const location_id l = g.find(other.address); l != none) {
            const auto& co = g.loc(l).co;
            const event& w = g.at(*std::find_if(co.rbegin(), co.rend(), [&](event_id id) {
                const event& e = g.at(id);
                return e.thread == init_thread || write.release().includes(e.thread, e.index);
            }));
            if (w.thread != init_thread) last = other.number_of(value_of(g, g.loc(l), w));
        }
        news = note_bits(known.released[number][number_of(other)], 1u << last) || news;
    }
    return news;
}

bool known_values::are_coherent(value_number seen, value_number next) const {
    return seen.location != next.location || seen.value == next.value || seen.value == unknown ||
           (at(seen.location).behind[seen.value] & 1u << next.value) != 0;
}

bool known_values::may_be_read(value_number next, value_number acquired) const {
    if (next.location == acquired.location || acquired.value == unknown) return true;
    const values& there = at(next.location);
    std::uint32_t last = at(acquired.location).released[acquired.value][next.location];
    if (last == 0 || (last & 1u << unknown) != 0 || (last & 1u << next.value) != 0) return true;
    for (unsigned k = 0; last != 0; ++k, last >>= 1)
        if ((last & 1) != 0 && (there.behind[k] & 1u << next.value) != 0) return true;
    return false;
}

bool known_values::note_access(const graph& g, const location& at, const event* write,
                               event_id threads_from) {
    values* const known = of(at);
    if (!known || known->too_many || threads_from == none) return false;
    const event& first = g.at(*first_for_all(at, threads_from));
    if (!may_be_noted(g, first) || (write && !may_be_noted(g, *write)))
        return ++changes_, known->too_many = true;
    const bool news = note(*known, value_of(g, at, first));
    return (write && note_write(g, at, *write, *known, threads_from)) || news;
}

/// `write`, which is in the graph since just now.
bool known_values::note_write(const graph& g, const location& at, const event& write, values& known,
                              event_id threads_from) {
    const value one = value_of(g, at, write);
    bool news = note(known, one);
    const unsigned number = known.number_of(one);
    if (number == unknown) return news;
    const auto is_twin = [&](event_id w) { return value_of(g, at, g.at(w)) == one; };
    if (!known.twins && std::count_if(first_for_all(at, threads_from), at.co.end(), is_twin) > 1)
        ++changes_, news = known.twins = true;
    news = note_place(g, at, write, known, number) || news;
    return note_released(g, write, known, number) || news;
}

} // namespace ringproof::verify
