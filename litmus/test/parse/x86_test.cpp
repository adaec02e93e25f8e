// SPDX-License-Identifier: Apache-2.0
#include "x86_program.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::x86;

TEST_CASE("a variable is as wide as it is declared, else as it is accessed, else 32 bits") {
    CHECK(of("MOV [x],$1", "uint64_t x;").variables[0].bits == 64);
    CHECK(of("MOV [x],$1", "uint64_t x;").threads[0].code[0].bits == 64);
    CHECK(of("MOV [x],RAX", "x=0;").variables[0].bits == 64);
    CHECK(of("MOV [x],$1 ; MOV RAX,[x]", "x=0;").threads[0].code[0].bits == 64);
    CHECK(of("MOV [x],$1", "int x=5;").variables[0].bits == 32);
    CHECK(of("MOV [x],$1", "int x=5;").variables[0].initial == 5);
}

TEST_CASE("a condition may only ask for what the test has") {
    const auto parse = [](const std::string& condition) {
        return parse_program(parse_test({"t", "X86 T\n{ x=0; }\nP0 ;\nMOV [x],$1 ;\n" + condition}));
    };
    CHECK_NOTHROW(parse("exists (x=1 /\\ 0:EAX=0)"));
    CHECK_THROWS_AS(parse("exists (nosuch=1)"), syntax_error);
    CHECK_THROWS_AS(parse("exists (0:X0=1)"), syntax_error);
    CHECK_THROWS_AS(parse("exists (0:RAX=x)"), syntax_error);
}
