// SPDX-License-Identifier: Apache-2.0
#include "footprints.hpp"

#include "../program/floating_point.hpp"
#include "../race/shadow.hpp"

#include <algorithm>

namespace ringproof::verify {
namespace {

/// Calls f(granule, mask of its bytes) for each granule of a range.
template <class Function>
void in_each_granule(std::uintptr_t address, std::size_t size, Function f) {
    each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
        f(granule, mask);
        return false;
    });
}

} // namespace

bool footprints::conflicts(std::uintptr_t address, std::size_t size, bool write, const context& c) {
    const floating_point::kept of_program; // tables that grow compute
    const unsigned first_run = std::min<unsigned>(c.run + 1u, runs) - 1;
    const unsigned lowest = std::min<unsigned>(c.open_to, levels) - 1;
    bool found = false;
    in_each_granule(address, size, [&](std::uintptr_t g, std::uint8_t mask) {
        const auto other = by_handlers_.find(g);
        if (other == by_handlers_.end()) return;
        const granule& theirs = other->second;
        for (unsigned r = first_run; r < runs; ++r)
            for (unsigned l = lowest; l < levels; ++l)
                found = found || ((theirs.written[r][l] | (write ? theirs.read[r][l] : 0)) & mask) != 0;
    });
    if (found) return true;
    in_each_granule(address, size, [&](std::uintptr_t g, std::uint8_t mask) {
        granule& own = passed_[g];
        (write ? own.written : own.read)[first_run][lowest] |= mask;
    });
    return false;
}

bool footprints::touches(std::uintptr_t address, std::size_t size, bool write, const context& c) {
    const floating_point::kept of_program; // tables that grow compute
    const unsigned run = std::min<unsigned>(c.run, runs) - 1;
    const unsigned level = std::min<unsigned>(c.level, levels) - 1;
    bool found = false;
    in_each_granule(address, size, [&](std::uintptr_t g, std::uint8_t mask) {
        granule& own = by_handlers_[g];
        std::uint8_t& known = (write ? own.written : own.read)[run][level];
        if ((known & mask) == mask) return;
        known |= mask;
        const auto other = passed_.find(g);
        if (other == passed_.end()) return;
        const granule& theirs = other->second;
        for (unsigned r = 0; r <= run; ++r)
            for (unsigned l = 0; l <= level; ++l)
                found = found || ((theirs.written[r][l] | (write ? theirs.read[r][l] : 0)) & mask) != 0;
    });
    return found;
}

} // namespace ringproof::verify
