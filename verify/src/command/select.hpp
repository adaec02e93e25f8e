// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

/// Whether `name` is chosen: by any filter that chooses (or there is none), and by no ~FILTER that leaves
/// out. A filter is part of the name, a pattern with * and ?, or =NAME. Letters' case does not matter,
/// except for =NAME.
bool selected(std::string_view name, const std::vector<std::string>& filters);

} // namespace ringproof::verify
