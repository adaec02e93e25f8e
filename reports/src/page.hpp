// SPDX-License-Identifier: Apache-2.0
#pragma once
// The page: the built template with the documents inside, one file that asks for nothing else.

#include "summary.hpp"

#include <string>

namespace ringproof::report {

/// `sources` as source_lines() makes them.
std::string to_page(const summary& all, const std::vector<document>& documents,
                    const json& sources = json::object());

} // namespace ringproof::report
