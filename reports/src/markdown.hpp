// SPDX-License-Identifier: Apache-2.0
#pragma once
// A summary for a pull request comment.

#include "summary.hpp"

#include <string>

namespace ringproof::report {

std::string to_markdown(const summary& all, const std::vector<document>& documents);

} // namespace ringproof::report
