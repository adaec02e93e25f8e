// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory whose plain accesses race, when the search is to go on behind a race: they are relaxed atomic accesses from the
// beginning of the search on. Each 8-byte granule has a unit, the size of these accesses: whatever accesses it is made in
// pieces of that size. A piece that does not fit makes the unit smaller, and the search begins anew.
//
// Which granules there are is learnt one race after the other. What is learnt stays, so there is an end: a granule
// comes in once, and its unit gets smaller three times at most.

#include <ringproof/verify/explore.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ringproof::verify {

class raced_memory {
  public:
    /// A part of an access: within a granule, of its unit where that is raced.
    struct piece {
        std::uintptr_t address = 0;
        std::uint32_t size = 0;
        bool raced = false;
    };
    /// An access that has more is refused.
    static constexpr unsigned most_pieces = 32;

    void enable() { enabled_ = true; }
    bool enabled() const { return enabled_; }
    bool any() const { return !units_.empty(); }

    /// Notes that an access of these bytes races. @return whether that is new, so that the search has to begin anew
    bool learn(std::uintptr_t address, std::size_t size);
    /// Makes units smaller where these bytes do not fit them.
    void refine(std::uintptr_t address, std::size_t size);
    /// As learn() for what another search, or the maker of a token, has learnt.
    void know(const std::vector<raced_granule>& all);

    /// Whether a part of these bytes is raced.
    bool touches(std::uintptr_t address, std::size_t size) const;
    /// Whether all of their raced parts can be made in pieces of their units.
    bool fits(std::uintptr_t address, std::size_t size) const;
    /// The pieces of an access that fits, in order; no more than `most_pieces`. @return how many there are; 0: too many
    unsigned pieces(std::uintptr_t address, std::size_t size, piece* to) const;

    /// In the order of addresses.
    std::vector<raced_granule> all() const;

  private:
    static constexpr std::uintptr_t granule = 8;
    unsigned unit_at(std::uintptr_t address) const {
        const auto at = units_.find(address / granule);
        return at == units_.end() ? 0 : at->second;
    }

    bool enabled_ = false;
    std::unordered_map<std::uintptr_t, std::uint8_t> units_; ///< by granule
};

} // namespace ringproof::verify
