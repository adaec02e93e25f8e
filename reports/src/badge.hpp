// SPDX-License-Identifier: Apache-2.0
#pragma once
// A badge: one line of SVG that says what the results say.

#include "summary.hpp"

#include <string>

namespace ringproof::report {

std::string to_badge(const summary& all);

} // namespace ringproof::report
