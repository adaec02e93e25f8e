// SPDX-License-Identifier: Apache-2.0
#pragma once
// A generated program as a user writes it: C11, POSIX threads, and a main that returns something else than 0 when a
// register has a value in the end.

#include "../oracle/program.hpp"

#include <string>

namespace ringproof::verify::oracle {

struct condition {
    int thread = 0, which = 0, value = 0;
    int code = 1; ///< what main returns where it holds

    bool holds_in(const outcome& o) const {
        return o.registers[static_cast<std::size_t>(thread)][static_cast<std::size_t>(which)] == value;
    }
};

/// @throws std::invalid_argument for operations that have no place in it
std::string to_c(const program& what, const condition& fails);

} // namespace ringproof::verify::oracle
