// SPDX-License-Identifier: Apache-2.0
#include "mixed_memory.hpp"

#include <algorithm>

namespace ringproof::verify {
namespace {

std::uint16_t bits(std::uintptr_t address, std::size_t size) {
    return static_cast<std::uint16_t>(((1u << size) - 1u) << address % mixed_memory::granule);
}

} // namespace

bool mixed_memory::learn(std::uintptr_t address, std::size_t size) {
    unit& u = units_[address / granule];
    const unit before = u;
    const auto first = static_cast<unsigned>(address % granule);
    u.shared = static_cast<std::uint16_t>(u.shared | bits(address, size));
    u.cuts |= 1u << first | 1u << (first + size);
    return u.shared != before.shared || u.cuts != before.cuts;
}

bool mixed_memory::touches(std::uintptr_t address, std::size_t size) const {
    for (std::uintptr_t at = address / granule; at <= (address + size - 1) / granule; ++at) {
        const auto found = units_.find(at);
        if (found == units_.end()) continue;
        for (std::uintptr_t i = 0; i < granule; ++i) {
            const std::uintptr_t byte = at * granule + i;
            if (byte >= address && byte < address + size && (found->second.shared >> i & 1) != 0) return true;
        }
    }
    return false;
}

unsigned mixed_memory::pieces(std::uintptr_t address, std::size_t size, piece (&to)[granule]) const {
    const auto found = units_.find(address / granule);
    if (!can_divide(address, size) || found == units_.end()) return 0;
    const auto first = static_cast<unsigned>(address % granule), end = first + static_cast<unsigned>(size);
    const unit& u = found->second;
    if ((u.shared & bits(address, size)) != bits(address, size) || (u.cuts >> first & 1) == 0 ||
        (u.cuts >> end & 1) == 0)
        return 0;
    unsigned count = 0;
    for (unsigned i = first; i < end; ++i) {
        if ((u.cuts >> i & 1) != 0) to[count++] = {address + (i - first), 0};
        ++to[count - 1].size;
    }
    return count;
}

void mixed_memory::append_to(std::vector<raced_granule>& all) const {
    const std::size_t before = all.size();
    for (const auto& [at, u] : units_)
        for (unsigned i = 0; i < granule; ++i) {
            if ((u.shared >> i & 1) == 0 || (u.cuts >> i & 1) == 0) continue;
            unsigned end = i + 1;
            while ((u.cuts >> end & 1) == 0) ++end;
            all.push_back({at * granule + i, static_cast<std::uint8_t>(mixed_piece | (end - i))});
        }
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
              [](const auto& a, const auto& b) { return a.address < b.address; });
}

void mixed_memory::know(const std::vector<raced_granule>& all) {
    for (const raced_granule& g : all)
        if ((g.unit & mixed_piece) != 0) learn(g.address, g.unit & ~unsigned{mixed_piece});
}

} // namespace ringproof::verify
