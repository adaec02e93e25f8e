// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the tests of the x86 parsers share.

#include "parse/x86.hpp"

#include <string>

namespace ringproof::litmus::x86 {

/// The program whose only thread is `code`, rows separated by ';'.
inline program of(const std::string& code, const std::string& init = "x=0; y=0;",
                  const std::string& dialect = "X86") {
    return parse_program(
        parse_test({"t", dialect + " T\n{ " + init + " }\nP0 ;\n" + code + " ;\nexists (true)\n"}));
}

inline std::string refusal(const std::string& code, const std::string& init = "x=0; y=0;") {
    try {
        of(code, init);
    } catch (const syntax_error& error) {
        return error.message();
    }
    return "";
}

} // namespace ringproof::litmus::x86
