// SPDX-License-Identifier: Apache-2.0
#pragma once
// What random programs of several dialects have in common: lines of threads, and the test made of them.

#include <random>
#include <string>
#include <vector>

namespace ringproof::litmus {

struct random_thread {
    std::vector<std::string> text;
    std::vector<std::string> asked; ///< registers
};

/// @param initial of each thread
std::string test_of_threads(const std::string& dialect, const std::vector<std::string>& initial,
                            const std::vector<random_thread>& threads);

} // namespace ringproof::litmus
