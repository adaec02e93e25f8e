// SPDX-License-Identifier: Apache-2.0
#include "surroundings.hpp"

namespace ringproof::verify::loops {

const bool has_thread_variable = false;

int* thread_variable() {
    std::fputs("this executable has no thread_local variable for its programs\n", stderr);
    std::abort();
}

} // namespace ringproof::verify::loops
