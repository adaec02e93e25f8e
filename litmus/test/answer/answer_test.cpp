// SPDX-License-Identifier: Apache-2.0
#include "../../src/answer/answer.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace ringproof::litmus;
using json = nlohmann::ordered_json;

namespace {
const std::string store_buffering =
    "X86 SB\n{ }\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n"
    " MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)";
} // namespace

TEST_CASE("an answer has what the command's document has, and the executions of every state") {
    answerer one;
    const json a = one.answer({store_buffering, "", 2});
    CHECK(a["name"] == "SB");
    CHECK(a["model"] == "x86-tso");
    CHECK(a["models"] == json({"x86-tso", "sc"}));
    CHECK(a["observation"] == "Sometimes");
    REQUIRE(a["states"].size() == 4);
    REQUIRE(a["executions"].size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(a["executions"][i]["state"] == a["states"][i]["state"]); // in the order of the states
        CHECK(a["executions"][i]["witness"] == a["states"][i]["witness"]);
        CHECK(a["executions"][i]["events"].size() == 6);
    }
    CHECK(one.answer({store_buffering, "sc", 2})["states"].size() == 3);
}

TEST_CASE("a model that is not for this kind of test gives way to the default") {
    answerer one;
    CHECK(one.answer({store_buffering, "riscv", 2})["model"] == "x86-tso");
    CHECK(one.answer({store_buffering, "no/such/file.cat", 2})["model"] == "x86-tso");
}

TEST_CASE("executions are bounded for each state, and in all") {
    const std::string writes =
        "X86 W\n{ }\n P0 | P1 | P2 ;\n MOV [x],$1 | MOV [x],$1 | MOV [x],$2 ;\nexists (x=1)";
    answerer one;
    request r{writes, "", 2};
    CHECK(one.answer(r)["states"][0]["count"] == 4);
    CHECK(one.answer(r)["executions"].size() == 6);
    r.executions_of_state = 3;
    const json a = one.answer(r);
    CHECK(a["executions"].size() == 5); // of x=1 three of four, of x=2 both
    CHECK(a["states"][0]["count"] == 4);
    r.executions = 2;
    CHECK(one.answer(r)["executions"].size() == 2);
}

TEST_CASE("what is wrong with a text is told with its line and column") {
    answerer one;
    const json a = one.answer({"X86 T\n{ }\n P0 ;\n MOVE [x],$1 ;\nexists (x=1)", "", 2});
    CHECK(a["verdict"] == "error");
    CHECK(a["line"] == 4);
    CHECK(a["column"] == 2);
    CHECK(a["message"].get<std::string>().find("move") != std::string::npos);
    for (const char* text : {"", "C", "{", "Ruby T\n{}\n P0;\n x;\nexists (true)"})
        CHECK(one.answer({text, "", 2})["verdict"] == "error");
}

TEST_CASE("each event knows its line, a fence too") {
    answerer one;
    const json a = one.answer({"C L\n{ }\nP0(int *x, int *y) {\n  WRITE_ONCE(*x, 1);\n  smp_wmb();\n"
                               "  WRITE_ONCE(*y, 1);\n}\nexists (x=1)",
                               "", 2});
    REQUIRE(a["executions"].size() == 1);
    std::vector<int> lines;
    for (const json& e : a["executions"][0]["events"])
        if (e.contains("line")) lines.push_back(e["line"]);
    CHECK(lines == std::vector<int>{4, 5, 6});
}

TEST_CASE("a test that runs out of time is answered, too") {
    answerer one;
    request r{store_buffering, "", 2};
    r.seconds = 1e-9;
    const json a = one.answer(r);
    CHECK(a["verdict"] == "inconclusive");
    CHECK(a["observation"].is_null());
}
