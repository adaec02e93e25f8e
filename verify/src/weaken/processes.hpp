// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many pieces of work that know nothing of each other, in several processes.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace ringproof::verify {

struct process_options {
    unsigned jobs = 1;
    /// Called now and then, with how many are done.
    std::function<void(std::size_t)> on_progress = {};
    /// Whether a result makes the rest unnecessary: what has not begun then, does not.
    std::function<bool(const std::string&)> enough = {};
};

/// What `work` returns for each number below `count`, by that number; empty where it was not done, or its process
/// was lost. With one job, all of it is done in this process.
/// @throws std::runtime_error when the system refuses memory or processes
std::vector<std::string> in_processes(std::size_t count, const std::function<std::string(std::size_t)>& work,
                                      const process_options& options);

} // namespace ringproof::verify
