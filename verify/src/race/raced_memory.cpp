// SPDX-License-Identifier: Apache-2.0
#include "raced_memory.hpp"

#include <algorithm>

namespace ringproof::verify {
namespace {

/// The largest unit in which the bytes from `begin` to `end` of a granule can be accessed.
unsigned unit_of(std::uintptr_t begin, std::uintptr_t end) {
    unsigned unit = 8;
    while (begin % unit != 0 || end % unit != 0) unit /= 2;
    return unit;
}

/// Calls f(begin, end) for the part of each granule.
template <class Function>
void each_part(std::uintptr_t address, std::size_t size, std::uintptr_t granule, Function f) {
    for (std::uintptr_t at = address, end = address + size; at < end;) {
        const std::uintptr_t next = std::min(end, (at / granule + 1) * granule);
        f(at, next);
        at = next;
    }
}

} // namespace

bool raced_memory::learn(std::uintptr_t address, std::size_t size) {
    if (!enabled_) return false;
    bool fresh = false;
    each_part(address, size, granule, [&](std::uintptr_t begin, std::uintptr_t end) {
        const auto unit = static_cast<std::uint8_t>(unit_of(begin, end));
        const auto [at, added] = units_.try_emplace(begin / granule, unit);
        fresh = fresh || added || unit < at->second;
        at->second = std::min(at->second, unit);
    });
    return fresh;
}

void raced_memory::refine(std::uintptr_t address, std::size_t size) {
    each_part(address, size, granule, [&](std::uintptr_t begin, std::uintptr_t end) {
        const auto at = units_.find(begin / granule);
        if (at != units_.end())
            at->second = std::min(at->second, static_cast<std::uint8_t>(unit_of(begin, end)));
    });
}

void raced_memory::know(const std::vector<raced_granule>& all) {
    for (const raced_granule& g : all)
        if ((g.unit & (mixed_piece | mortal_processes)) == 0) units_[g.address / granule] = g.unit;
}

bool raced_memory::touches(std::uintptr_t address, std::size_t size) const {
    bool any = false;
    each_part(address, size, granule,
              [&](std::uintptr_t begin, std::uintptr_t) { any = any || unit_at(begin) != 0; });
    return any;
}

bool raced_memory::fits(std::uintptr_t address, std::size_t size) const {
    bool all = true;
    each_part(address, size, granule, [&](std::uintptr_t begin, std::uintptr_t end) {
        const unsigned unit = unit_at(begin);
        all = all && (unit == 0 || unit <= unit_of(begin, end));
    });
    return all;
}

unsigned raced_memory::pieces(std::uintptr_t address, std::size_t size, piece* to) const {
    unsigned count = 0;
    bool room = true;
    const auto add = [&](piece p) {
        const bool goes_on = count > 0 && !p.raced && !to[count - 1].raced; // plain parts in one
        if (goes_on)
            to[count - 1].size += p.size;
        else if (count < most_pieces)
            to[count++] = p;
        else
            room = false;
    };
    each_part(address, size, granule, [&](std::uintptr_t begin, std::uintptr_t end) {
        const unsigned unit = unit_at(begin);
        if (unit == 0) return add({begin, static_cast<std::uint32_t>(end - begin), false});
        for (; begin < end; begin += unit) add({begin, unit, true});
    });
    return room ? count : 0;
}

std::vector<raced_granule> raced_memory::all() const {
    std::vector<raced_granule> found;
    for (const auto& [at, unit] : units_) found.push_back({at * granule, unit});
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
    return found;
}

} // namespace ringproof::verify
