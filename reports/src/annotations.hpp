// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summary.hpp"

#include <string>

namespace ringproof::report {

/// Workflow commands of GitHub Actions, a line for each finding: whoever runs the job prints them, and the finding
/// is shown at its line of the pull request. Empty when there is no finding.
std::string to_annotations(const summary& all);

} // namespace ringproof::report
