// SPDX-License-Identifier: Apache-2.0
#include "compiled.hpp"

namespace ringproof::verify::loops {

const std::array<thread_body, compiled_count>& compiled_with_o2() {
    static constexpr auto bodies = compiled_bodies<2>(std::make_index_sequence<compiled_count>());
    return bodies;
}

} // namespace ringproof::verify::loops
