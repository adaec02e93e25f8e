// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace ringproof::record_command {

/// What perf needs to read tracepoints: the page headers and the formats of these ("sched:sched_switch"), as
/// trace.dat(5) describes it, version 0.6. @return nothing when tracefs may not be read
[[nodiscard]] std::vector<std::byte> tracing_data(const std::vector<std::string>& tracepoints);

} // namespace ringproof::record_command
