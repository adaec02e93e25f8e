// SPDX-License-Identifier: Apache-2.0
#pragma once
// A compiled function, read.

#include "compile/machine.hpp"

#include <catch2/catch.hpp>

namespace ringproof::litmus::compiled::test {

/// The thread of a function whose body is `assembly`; the test has the locations x, y and P0_r0.
inline machine_thread read(std::string_view triple, const std::string& assembly) {
    const machine& m = *find_machine(triple);
    const auto functions = split_functions("rp0_P0:\n" + assembly, m.comment, "rp");
    const symbol_names symbols{{"rp0_x", "x"}, {"rp0_y", "y"}, {"rp0_P0_r0", "P0_r0"}};
    return m.reader(functions.at("rp0_P0"), symbols, 0)->read();
}

using rows = std::vector<std::string>;

} // namespace ringproof::litmus::compiled::test
