// SPDX-License-Identifier: Apache-2.0
#pragma once
// The C of litmus tests: one function per thread, with declarations, assignments, if, while and
// calls of the atomics of C11 or of the Linux kernel.

#include "../parse/test.hpp"

#include <memory>

namespace ringproof::litmus::c {

struct expression;
using expression_ptr = std::unique_ptr<expression>;

struct expression {
    enum class kind { number, name, dereference, address, unary, binary, conditional, call };
    kind what = kind::number;
    int depth = 1; ///< of the tree below
    std::size_t offset = 0;
    std::int64_t number = 0;
    std::string text; ///< name, operator, or function called
    std::string tag;  ///< of `__load{tag}(…)`
    std::vector<expression_ptr> parts;
};

struct statement {
    enum class kind { declare, assign, evaluate, branch, loop, block, nothing };
    kind what = kind::nothing;
    std::size_t offset = 0;
    std::string name;     ///< declare
    expression_ptr left;  ///< assign
    expression_ptr right; ///< assign, declare (may be null), evaluate, condition of branch and loop
    std::vector<statement> body, otherwise;
};

struct function {
    std::vector<std::string> parameters;
    std::vector<statement> body;
};

class macros;

/// @throws syntax_error
function parse_function(const test& t, cell where, const macros* defined = nullptr);

} // namespace ringproof::litmus::c
