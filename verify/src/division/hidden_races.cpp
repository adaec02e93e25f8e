// SPDX-License-Identifier: Apache-2.0
#include <ringproof/verify/hidden_races.hpp>

#include <algorithm>

namespace ringproof::verify {
namespace {

/// The entry of a granule, as long as there is room for it.
template <class Entry>
Entry& entry_of(std::map<std::uintptr_t, Entry>& all, std::uintptr_t granule) {
    const auto known = all.find(granule);
    if (known != all.end()) return known->second;
    return all[all.size() < hidden_races::most_granules ? granule : hidden_races::any_granule];
}

void add_to(hidden_races::noted_accesses& known, const hidden_races::noted_accesses& more) {
    known.by.add(more.by);
    known.sites |= more.sites;
}

} // namespace

void granule_accesses::add(const granule_accesses& more) {
    for (unsigned k = 0; k < bytes.size(); ++k) bytes[k] |= more.bytes[k];
}

bool granule_accesses::conflicts_with(const granule_accesses& others) const {
    for (const access_kind mine : all_access_kinds)
        for (const access_kind theirs : all_access_kinds)
            if (conflict(mine, theirs) && (of(mine) & others.of(theirs)) != 0) return true;
    return false;
}

void accessing_threads::add(const accessing_threads& more) {
    for (unsigned k = 0; k < by.size(); ++k) by[k] = joined(by[k], more.by[k]);
}

void hidden_races::note_left_out(std::uintptr_t granule, const noted_accesses& more) {
    add_to(entry_of(left_out, granule), more);
}

void hidden_races::note_behind(std::uintptr_t granule, const noted_accesses& more) {
    add_to(entry_of(behind, granule), more);
}

void hidden_races::note_in_dropped(std::uintptr_t granule, const accessing_threads& more) {
    const bool is_room = in_dropped.size() < most_granules || in_dropped.count(granule) != 0;
    if (granule == any_granule || !is_room)
        dropped = true;
    else
        in_dropped[granule].add(more);
}

void hidden_races::add(const hidden_races& part) {
    for (const auto& [granule, more] : part.left_out) note_left_out(granule, more);
    for (const auto& [granule, more] : part.behind) note_behind(granule, more);
    for (const auto& [granule, more] : part.in_dropped) note_in_dropped(granule, more);
    dropped = dropped || part.dropped;
}

bool hidden_races::possible() const {
    const auto any_left = left_out.find(any_granule);
    return std::any_of(behind.begin(), behind.end(), [&](const auto& one) {
        const noted_accesses& other = one.second;
        const auto at_one_place = [&](const noted_accesses& left) { return (left.sites & other.sites) != 0; };
        if (any_left != left_out.end() && at_one_place(any_left->second)) return true;
        if (one.first == any_granule)
            return std::any_of(left_out.begin(), left_out.end(),
                               [&](const auto& left) { return at_one_place(left.second); });
        const auto same = left_out.find(one.first);
        return same != left_out.end() && at_one_place(same->second) &&
               same->second.by.conflicts_with(other.by);
    });
}

} // namespace ringproof::verify
