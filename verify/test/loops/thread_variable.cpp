// SPDX-License-Identifier: Apache-2.0
#include "surroundings.hpp"

namespace ringproof::verify::loops {

const bool has_thread_variable = true;

int* thread_variable() {
    static thread_local std::array<int, private_cells> cells;
    return cells.data();
}

} // namespace ringproof::verify::loops
