// SPDX-License-Identifier: Apache-2.0
#pragma once
// The C programs of this folder, compiled in.

#include <string>
#include <string_view>
#include <vector>

namespace ringproof::opinions {

struct embedded_file {
    std::string_view name, content;
};
const std::vector<embedded_file>& embedded_files();

/// A line of programs.tsv: what says the same in C as a scenario.
struct c_program {
    std::string scenario, file;
    std::vector<std::string> flags;
    /// Whether a producer's compare-exchange that came too late makes an execution of its own. Which of those come to the same
    /// state as others, and can be left out, each checker tells in another way, by the registers that its compiler used.
    bool counts_attempts = false;
};
const std::vector<c_program>& c_programs();

} // namespace ringproof::opinions
