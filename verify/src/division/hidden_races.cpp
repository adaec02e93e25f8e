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
    for (unsigned k = 0; k < std::size(bytes); ++k) bytes[k] |= more.bytes[k];
}

bool granule_accesses::conflicts_with(const granule_accesses& others) const {
    const auto of = [](const granule_accesses& a, access_kind k) {
        return a.bytes[static_cast<unsigned>(k)];
    };
    const auto meet = [&](access_kind mine, access_kind other) {
        return (of(*this, mine) & of(others, other)) != 0 || (of(others, mine) & of(*this, other)) != 0;
    };
    return meet(access_kind::plain_write, access_kind::plain_write) ||
           meet(access_kind::plain_write, access_kind::plain_read) ||
           meet(access_kind::plain_write, access_kind::atomic_read) ||
           meet(access_kind::plain_write, access_kind::atomic_write) ||
           meet(access_kind::plain_read, access_kind::atomic_write);
}

void hidden_races::note_left_out(std::uintptr_t granule, const granule_accesses& more) {
    entry_of(left_out, granule).add(more);
}

void hidden_races::note_behind(std::uintptr_t granule, const unordered_accesses& more) {
    unordered_accesses& known = entry_of(behind, granule);
    known.by.add(more.by);
    known.sites |= more.sites;
}

void hidden_races::add(const hidden_races& part) {
    for (const auto& [granule, more] : part.left_out) note_left_out(granule, more);
    for (const auto& [granule, more] : part.behind) note_behind(granule, more);
    left_at |= part.left_at;
    dropped = dropped || part.dropped;
}

bool hidden_races::possible() const {
    if (left_out.empty()) return false;
    return std::any_of(behind.begin(), behind.end(), [&](const auto& one) {
        const auto& [granule, other] = one;
        if ((other.sites & left_at) == 0) return false;
        if (granule == any_granule || left_out.count(any_granule) != 0) return true;
        const auto same = left_out.find(granule);
        return same != left_out.end() && same->second.conflicts_with(other.by);
    });
}

} // namespace ringproof::verify
