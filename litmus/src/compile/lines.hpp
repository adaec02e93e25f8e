// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text that a compiler writes with -S, as functions of labels and instructions.

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::litmus::compiled {

/// What a compiler has written and what cannot be read. The message has the line.
class unreadable : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A label or an instruction.
struct code_line {
    std::string label;                 ///< empty for an instruction
    std::string name;                  ///< in lower case, prefixes (lock) before it: "lock orq"
    std::vector<std::string> operands; ///< "[x1, w4, sxtw]" is one
    std::size_t line = 0;              ///< in the compiler's text, from 1
    std::string text;                  ///< as the compiler has written it, without comments

    [[noreturn]] void refuse(std::string_view why) const;
};

using code = std::vector<code_line>;

/// The functions whose names begin with `prefix`. Numeric labels (`1:`, `1b`, `1f`) get names of their own. Data inside a
/// function is kept as a line that each reader refuses.
/// @param comment what begins a comment: "//" or "#"
std::map<std::string, code> split_functions(const std::string& assembly, std::string_view comment,
                                            std::string_view prefix);

} // namespace ringproof::litmus::compiled
