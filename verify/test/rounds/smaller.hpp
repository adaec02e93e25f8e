// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program.hpp"

#include <functional>

namespace ringproof::verify::rounds {

/// Calls `f` with programs that have a little less than `all`, until it takes one. @return whether it did
bool each_smaller(const program& all, const std::function<bool(const program&)>& f);

} // namespace ringproof::verify::rounds
