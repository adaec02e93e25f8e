// SPDX-License-Identifier: Apache-2.0
#include "compile/unit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::compiled;

namespace {

unit unit_of(const std::string& text, std::size_t number = 0) {
    return make_unit(parse_test({"t.litmus", text}), number);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a thread is a function, locations and shown registers are variables outside of it") {
    const unit u =
        unit_of("C T\n{ x=1; }\nP0(atomic_int* x, uint64_t* y) {\n"
                "  int r0 = atomic_load_explicit(x, memory_order_acquire);\n"
                "  if (r0 == 1) { uint64_t r1 = *y; } else r2 = 3;\n}\nP1(atomic_int* x) { *x = 2; }\n"
                "exists (0:r0=1 /\\ 0:r1=0 /\\ 0:r2=0 /\\ x=2)",
                7);
    CHECK(u.threads == 2);
    CHECK_FALSE(u.loops);
    CHECK(has(u.text, "extern atomic_int rp7_x;\nextern uint64_t rp7_y;\n"));
    CHECK(has(u.text, "void rp7_P0(void) {\n    atomic_int* x = (atomic_int*)&rp7_x;"));
    CHECK(has(
        u.text,
        "    int r0 = 0;\n    uint64_t r1 = 0;\n    int r2 = 0;\n")); // at the top, also r2, which has no declaration
    CHECK(has(u.text, "{ r1 = *y; } else r2 = 3;"));
    CHECK(has(u.text, "    rp7_P0_r0 = r0;\n    rp7_P0_r1 = (long)r1;\n    rp7_P0_r2 = r2;\n"));
    REQUIRE(u.variables.size() == 5);
    const auto variable = [&](const std::string& name) {
        return *std::find_if(u.variables.begin(), u.variables.end(),
                             [&](const auto& v) { return v.name == name; });
    };
    CHECK(variable("x").type == "int");
    CHECK(variable("x").shown);
    CHECK(variable("y").type == "int64_t");
    CHECK_FALSE(variable("y").shown);
    CHECK(variable("P0_r1").type == "int64_t");
    CHECK(variable("P0_r1").from.thread == 0);
}

TEST_CASE("several variables of one declaration keep their values and types") {
    const unit u = unit_of("C T\n{ }\nP0(int* x) { int a = 1, *b = x, c; c = a; while (c == 0) c = *x; }\n"
                           "exists (0:a=1 /\\ 0:b=x /\\ 0:c=1)");
    CHECK(u.loops);
    CHECK(has(u.text, "    int a = 0;\n    int* b = 0;\n    int c = 0;\n"));
    CHECK(has(u.text, "a = 1, b = x, c; c = a;"));
    CHECK(has(u.text, "rp0_P0_b = (long)b;"));
}

TEST_CASE("what has no text for a compiler is refused with a sentence") {
    CHECK_THROWS_WITH(unit_of("C T\n{ 0:r0=1; }\nP0(int* x) { r0 = *x; }\nexists (0:r0=1)"),
                      "a register has an initial value: a compiler knows no such thing");
    CHECK_THROWS_WITH(unit_of("C T\n{ }\nP0(int* x) { *x = 1; }\n"),
                      Catch::Contains("final states show nothing"));
    CHECK_THROWS_WITH(unit_of("C T\n{ }\nP0(int* x) { *x = 1; }\nexists (0:r5=1)"),
                      "thread 0 gives 'r5' no value");
    CHECK_THROWS_WITH(
        unit_of("C T\n{ }\nP0(int* x) { int r0 = 1; }\nP1(int* P0_r0) { *P0_r0 = 1; }\nexists (0:r0=1)"),
        "a location is called 'P0_r0': rename it");
    CHECK_THROWS_WITH(unit_of("C T\n{ }\nP0(int x) { int r0 = 1; }\nexists (0:r0=1)"),
                      "the parameter 'int x' is no pointer to a location");
    CHECK_THROWS_AS(unit_of("C T\n{ int x[2]={1,2}; }\nP0(int* x) { int r0 = 1; }\nexists (0:r0=1)"),
                    syntax_error);
}

TEST_CASE("the words of C11 and of the kernel are not mixed") {
    CHECK(has(words(false), "#define atomic_load_explicit(p, o) __atomic_load_n(p, o)"));
    CHECK_FALSE(has(words(false), "smp_mb"));
    CHECK(has(words(true), "smp_store_release"));
}
