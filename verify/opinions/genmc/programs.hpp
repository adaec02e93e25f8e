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
};
const std::vector<c_program>& c_programs();

} // namespace ringproof::opinions
