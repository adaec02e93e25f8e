// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that atomic accesses of different sizes share, without an order: a 32-bit half of a 64-bit word. Its bytes are
// divided into *pieces*, the coarsest division in which every access is a row of whole pieces. Each piece is a location of
// the graph; an access becomes one event for each of its pieces, see execution/bundles.cpp.
//
// Which bytes are shared is learnt while the search runs: it then begins anew. An access that begins or ends within a piece
// divides that piece, and the search begins anew once more. Pieces are only ever divided, so there is an end.

#include <ringproof/verify/explore.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ringproof::verify {

class mixed_memory {
  public:
    struct piece {
        std::uintptr_t address = 0;
        std::uint8_t size = 0;
    };
    /// The largest atomic access, and so the most pieces that one can have.
    static constexpr std::uintptr_t granule = 16;

    /// From now on nothing more is learnt. @param why as in "atomic accesses of 8 and of 4 bytes are not supported " + why
    void forbid(const char* why) { forbidden_ = why; }
    /// Null where accesses may be mixed.
    const char* forbidden() const { return forbidden_; }
    bool any() const { return !units_.empty(); }

    /// Whether an access can be made in pieces: one of a power of two of bytes that is aligned.
    static bool can_divide(std::uintptr_t address, std::size_t size) {
        return size != 0 && size <= granule && (size & (size - 1)) == 0 && address % size == 0;
    }
    /// Notes that these bytes, which can_divide(), are shared, and that an access begins and ends with them.
    /// @return whether that is new, so that the search has to begin anew
    bool learn(std::uintptr_t address, std::size_t size);
    /// Whether some of these bytes are shared.
    bool touches(std::uintptr_t address, std::size_t size) const;
    /// The pieces of an access of shared bytes, in order. @return how many; 0 where it is not a row of whole pieces
    unsigned pieces(std::uintptr_t address, std::size_t size, piece (&to)[granule]) const;

    /// All pieces, for another search: see raced_granule.
    void append_to(std::vector<raced_granule>& all) const;
    void know(const std::vector<raced_granule>& all);

  private:
    struct unit {
        std::uint16_t shared = 0; ///< bit i: byte i is
        std::uint32_t cuts = 0;   ///< bit i: a piece begins at byte i; bit 16: the end
    };
    const char* forbidden_ = nullptr;
    std::unordered_map<std::uintptr_t, unit> units_; ///< by granule
};

} // namespace ringproof::verify
