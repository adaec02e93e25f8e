// SPDX-License-Identifier: Apache-2.0
#include "../../src/frontend/c_syntax.hpp"
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

c::function parsed(const std::string& body) {
    const test t = parse_test({"t.litmus", "C T\n{ }\nP0(int *x, int *y) {\n" + body + "\n}\nexists (true)"});
    return c::parse_function(t, t.threads.at(0).at(0));
}

std::string left_by(const std::string& code) {
    return leaves("C T\n{ }\nP0(int *x) {\n" + code + "\n}\nlocations [0:r;]\nexists (true)");
}

} // namespace

TEST_CASE("a function has its parameters and its statements, in their order") {
    const c::function f =
        parsed("int r = *x;\n if (r) *y = 1; else { *y = 2; r = 3; }\n while (r) r = r - 1;");
    CHECK(f.parameters == std::vector<std::string>{"x", "y"});
    REQUIRE(f.body.size() == 3);
    using kind = c::statement::kind;
    CHECK(f.body[0].what == kind::block); // as many declarations as there are names
    REQUIRE(f.body[0].body.size() == 1);
    CHECK(f.body[0].body[0].what == kind::declare);
    CHECK(f.body[0].body[0].name == "r");
    CHECK(f.body[1].what == kind::branch);
    CHECK(f.body[1].body.size() == 1);
    REQUIRE(f.body[1].otherwise.size() == 2);
    CHECK(f.body[1].otherwise[0].what == kind::assign);
    CHECK(f.body[2].what == kind::loop);
}

TEST_CASE("operators of C bind as in C") {
    CHECK(left_by("int r = 1 + 2 * 3;") == "0:r=7;");
    CHECK(left_by("int r = (1 + 2) * 3;") == "0:r=9;");
    CHECK(left_by("int r = 7 - 2 - 1;") == "0:r=4;");
    CHECK(left_by("int r = 6 & 3 == 3;") == "0:r=0;"); // == binds more than &
    CHECK(left_by("int r = 1 | 6 ^ 2;") == "0:r=5;");
    CHECK(left_by("int r = 0 || 1 && 0;") == "0:r=0;");
    CHECK(left_by("int r = !0 + 1;") == "0:r=2;");
    CHECK(left_by("int r = 1 < 2 ? 5 : 6;") == "0:r=5;");
    CHECK(left_by("int r = -3 + 1;") == "0:r=-2;");
}

TEST_CASE("what is missing in the C of a thread is an error where it is missing") {
    const auto error = [](const std::string& body) {
        return load_error("C T\n{ }\nP0(int *x) {\n" + body + "\n}\nexists (true)");
    };
    CHECK(error("int r = ;").find("t.litmus:4:9: ") == 0);
    CHECK(error("int r = 1").find("t.litmus:5:1: ") == 0);
    CHECK(error("if (1 *x = 1;").find("t.litmus:4:") == 0);
    CHECK(error("*x = 1;").empty());
}
