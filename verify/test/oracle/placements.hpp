// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a handler means, written down: the programs without one that a program with one stands for, its handler
// put between the operations of its thread in every way, the way of never included.

#include "program.hpp"

#include <vector>

namespace ringproof::verify::oracle {

struct placement {
    program what; ///< has no handler
    bool race =
        false; ///< the handler and what it interrupts access one datum, nothing keeps the two in order
    bool again = false; ///< the executions of another placement: they differ where no conflicting access is
};

/// @throws std::invalid_argument when the interrupted thread or the handler has a skip_if
std::vector<placement> placements(const program& what);

} // namespace ringproof::verify::oracle
