// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "graph.hpp"

namespace ringproof::verify {

/// A number that differs, most likely, when any event of the execution does.
std::uint64_t digest_of(const graph& g);

} // namespace ringproof::verify
