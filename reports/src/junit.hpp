// SPDX-License-Identifier: Apache-2.0
#pragma once
// JUnit XML, as CI systems read it. An inconclusive result is an error there: it must not pass for green.

#include "summary.hpp"

#include <string>

namespace ringproof::report {

std::string to_junit(const summary& all);

} // namespace ringproof::report
