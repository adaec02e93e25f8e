// SPDX-License-Identifier: Apache-2.0
#include "known_values.hpp"

#include <algorithm>

namespace ringproof::verify {

namespace {
constexpr std::size_t most_locations = 32;
constexpr std::size_t most_values = 12; // of a location
} // namespace

std::vector<event_id>::const_iterator known_values::first_for_all(const location& at, event_id threads_from) {
    auto first = at.co.begin();
    while (first + 1 != at.co.end() && first[1] < threads_from) ++first;
    return first;
}

const known_values::values* known_values::find(std::uintptr_t address) const {
    const auto at = std::find_if(locations_.begin(), locations_.end(),
                                 [&](const values& v) { return v.address == address; });
    return at == locations_.end() ? nullptr : &*at;
}

bool known_values::note_from_now_on(std::uintptr_t address) {
    if (find(address)) return true;
    if (locations_.size() == most_locations) return false;
    locations_.push_back({.address = address, .all = {}});
    return true;
}

known_values::values* known_values::of(const location& at) {
    return at.in_memory ? const_cast<values*>(find(at.address)) : nullptr;
}

bool known_values::note(values& known, value_t value) {
    if (known.too_many || std::find(known.all.begin(), known.all.end(), value) != known.all.end())
        return false;
    if (known.all.size() == most_values)
        known.too_many = true;
    else
        known.all.push_back(value);
    ++changes_;
    return true;
}

bool known_values::note_first(const location& at, value_t first) {
    values* const known = of(at);
    return known && note(*known, first);
}

bool known_values::note_write(const graph& g, const location& at, const event& write, event_id threads_from) {
    values* const known = of(at);
    if (!known) return false;
    // A plain write's value is known later, and who arrives at a counter may come in any order.
    const bool arrives = write.rmw && g.at(g.in_thread(write.thread, write.index - 1)).arrival;
    if ((write.mo == order::plain || write.update || write.is_part() || arrives) && !known->too_many)
        return ++changes_, known->too_many = true;
    bool news = note(*known, write.value);
    const auto same = std::count_if(first_for_all(at, threads_from), at.co.end(),
                                    [&](event_id w) { return g.at(w).value == write.value; });
    if (same > 1 && !known->repeat) ++changes_, news = known->repeat = true;
    return news;
}

} // namespace ringproof::verify
