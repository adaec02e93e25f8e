// SPDX-License-Identifier: Apache-2.0
#pragma once
// --weaken: which of the instructions that order are needed?
#include <ringproof/command/document.hpp>
#include <ringproof/silicon/a64/program.hpp>

#include <cstdio>

namespace ringproof::silicon::a64 {

struct weaken_order {
    std::string name;
    bool hangs_fail = true;
    double seconds = 0; ///< of each search; 0: thirty times what the program as it is takes, at least 10
    bool quiet = false;
    std::FILE* out = stdout;
    unsigned jobs = 1; ///< processes of each search
};

/// Explores the program as it is, and then with each instruction that orders in each of its weaker forms. Copies that the
/// compiler made of one place are weakened together.
/// @param results gets one for each weaker form that was tried
/// @return the exit code: 0 all are needed, 1 one is not or the program fails, 4 one is open
int weaken(program& p, const weaken_order& order, command::json& results);

} // namespace ringproof::silicon::a64
