// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summary.hpp"

#include <string>

namespace ringproof::report {

/// The report from which GitLab shows findings at their lines of a merge request: those in files of the repository.
std::string to_code_quality(const summary& all);

} // namespace ringproof::report
