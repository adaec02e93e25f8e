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

hidden_races::noted_accesses::noted_accesses(const granule_accesses& made, std::uint64_t at) : by(made) {
    for (unsigned k = 0; k < sites.size(); ++k) sites[k] = by.bytes[k] != 0 ? at : 0;
}

void hidden_races::noted_accesses::add(const noted_accesses& more) {
    by.add(more.by);
    for (unsigned k = 0; k < sites.size(); ++k) sites[k] |= more.sites[k];
}

bool hidden_races::noted_accesses::may_race_with(const noted_accesses& others, bool same_granule) const {
    for (const access_kind mine : all_access_kinds)
        for (const access_kind theirs : all_access_kinds) {
            const auto m = static_cast<unsigned>(mine), t = static_cast<unsigned>(theirs);
            if (conflict(mine, theirs) && (sites[m] & others.sites[t]) != 0 &&
                (!same_granule || (by.bytes[m] & others.by.bytes[t]) != 0))
                return true;
        }
    return false;
}

void hidden_races::note_left_out(std::uintptr_t granule, const noted_accesses& more) {
    entry_of(left_out, granule).add(more);
}

void hidden_races::note_behind(std::uintptr_t granule, const noted_accesses& more) {
    entry_of(behind, granule).add(more);
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
        if (any_left != left_out.end() && any_left->second.may_race_with(other, false)) return true;
        if (one.first == any_granule)
            return std::any_of(left_out.begin(), left_out.end(),
                               [&](const auto& left) { return left.second.may_race_with(other, false); });
        const auto same = left_out.find(one.first);
        return same != left_out.end() && same->second.may_race_with(other, true);
    });
}

} // namespace ringproof::verify
