// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which plain memory handlers touch, and which the code they interrupt. Where a handler comes in between two
// plain accesses of its thread makes no difference unless it conflicts with one of them, so only those are
// places to come in. What handlers touch is learnt as the search goes on; when it turns out that a place was
// passed over, the search begins anew.

#include "../program/contexts.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ringproof::verify {

class footprints {
  public:
    /// A plain access within `c`. @return whether a handler that may come in there conflicts with it
    bool conflicts(std::uintptr_t address, std::size_t size, bool write, const context& c);

    /// A plain access by the handler `c`. @return whether it conflicts with an access that was passed over
    bool touches(std::uintptr_t address, std::size_t size, bool write, const context& c);

  private:
    // Who interrupts a run has begun after it, and has a level that it is open to. The last ones count as one.
    static constexpr unsigned runs = 4, levels = 3;
    struct granule {
        std::uint8_t read[runs][levels] = {}, written[runs][levels] = {}; ///< masks of bytes
    };
    std::unordered_map<std::uintptr_t, granule> by_handlers_, passed_;
};

} // namespace ringproof::verify
