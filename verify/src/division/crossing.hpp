// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::verify {

/// A decision on a walk from the root of a search, where one of its ways is to be taken.
struct crossing {
    unsigned kind = 0;
    std::uint16_t thread = 0;
    std::uint32_t index = 0; ///< of the thread's next event
    std::uint32_t options = 0, revisits = 0;
    std::uint32_t ways() const { return options + revisits; }
};

} // namespace ringproof::verify
