// SPDX-License-Identifier: Apache-2.0
#include "compiled.hpp"

namespace ringproof::verify::loops {

const std::array<thread_body, compiled_count>& compiled_as_usual() {
    static constexpr auto bodies = compiled_bodies<1>(std::make_index_sequence<compiled_count>());
    return bodies;
}

} // namespace ringproof::verify::loops
