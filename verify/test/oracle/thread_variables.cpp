// SPDX-License-Identifier: Apache-2.0
#include "engine_memory.hpp"

namespace ringproof::verify::oracle {

shared_memory* thread_variable_shared() {
    static thread_local shared_memory memory;
    return &memory;
}
int* thread_variable_own() {
    static thread_local int word;
    return &word;
}

} // namespace ringproof::verify::oracle
