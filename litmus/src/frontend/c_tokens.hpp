// SPDX-License-Identifier: Apache-2.0
#pragma once
// The words and signs of C, as litmus tests and macro files use them.

#include "../parse/test.hpp"

namespace ringproof::litmus::c {

struct token {
    std::string text; ///< empty at the end
    std::size_t offset = 0;
    bool is_word = false, is_number = false;
};

/// Ends with an empty token. Comments are left out.
std::vector<token> tokens_of(const source& from, cell where);

} // namespace ringproof::litmus::c
