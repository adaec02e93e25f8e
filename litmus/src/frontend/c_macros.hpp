// SPDX-License-Identifier: Apache-2.0
#pragma once
// herd7's macro files (`.def`): the functions of a C test as what they do to memory.
//
//     READ_ONCE(X) __load{once}(X)          an expression, to the end of its line
//     smp_mb() { __fence{mb}; }             a statement
//
// A macro is expanded as C does it: by words, arguments in parentheses, never inside itself.

#include "c_tokens.hpp"

#include <map>

namespace ringproof::litmus::c {

class macros {
  public:
    /// Adds what a file defines; a later definition of a name replaces an earlier one. @throws syntax_error
    void add(const source& file);
    bool empty() const { return defined_.empty(); }

    /// The words of a function with every macro replaced. What a macro becomes has the place of its
    /// use, where errors are then told. @throws syntax_error
    std::vector<token> expanded(const source& test, std::vector<token> words) const;

  private:
    struct macro {
        std::vector<std::string> parameters;
        std::vector<token> body;
        bool is_statement = false;
    };
    friend class expansion;
    std::map<std::string, macro> defined_;
};

} // namespace ringproof::litmus::c
