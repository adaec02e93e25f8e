// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

namespace ringproof::record_command {

/// "0-3,7", sorted and each once. @throws std::invalid_argument
[[nodiscard]] std::vector<int> parse_cpu_list(std::string_view text);

/// The CPUs that are switched on, by their numbers.
[[nodiscard]] std::vector<int> online_cpus();

} // namespace ringproof::record_command
