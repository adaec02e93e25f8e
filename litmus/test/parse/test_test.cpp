// SPDX-License-Identifier: Apache-2.0
#include "parse/test.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

constexpr const char* whole = R"(X86 SB+extra (* a comment *)
"doc = text"
Cycle=Fre PodWR
Orig=Fre
{ uint64_t y; int x=1; 0:RAX=0x2;
  1:RSI=x }
 P0 (* first *) | P1          ;
 MOV [x],$1     | MOV [y],$1  ; (* ; | *)
 MOV EAX,[y]    |             ;
locations [x; 0:EBX;]
filter (1:EAX=0)
exists
(0:EAX=0 /\ 1:EAX=0)
)";

std::size_t error_line(const std::string& text) {
    try {
        parse_test({"t", text});
    } catch (const syntax_error& error) {
        INFO(error.what());
        CHECK(error.column() > 0);
        return error.line();
    }
    return 0;
}

} // namespace

TEST_CASE("every part of a test file is read") {
    const test t = parse_test({"dir/whole.litmus", whole});
    CHECK(t.dialect == "X86");
    CHECK(t.name == "SB+extra");
    CHECK(t.doc == "doc = text");
    REQUIRE(t.meta.size() == 2);
    CHECK(t.meta[0] == std::pair<std::string, std::string>("Cycle", "Fre PodWR"));
    REQUIRE(t.init.size() == 4);
    CHECK(t.init[0].type == "uint64_t");
    CHECK(t.init[0].where.name == "y");
    CHECK(t.init[1].number == 1);
    CHECK(t.init[2].where.thread == 0);
    CHECK(t.init[2].number == 2);
    CHECK(t.init[3].symbol == "x");
    REQUIRE(t.threads.size() == 2);
    CHECK(t.threads[0].size() == 2);
    CHECK(t.threads[1].size() == 1);
    CHECK(t.filter);
    CHECK(to_string(t.final) == "exists (0:EAX=0 /\\ 1:EAX=0)");
}

TEST_CASE("a state shows registers by thread and name, then memory by name, each once") {
    const test t = parse_test({"t", whole});
    std::string shown;
    for (const location& l : shown_locations(t)) shown += l.printed() + " ";
    CHECK(shown == "0:EAX 0:EBX 1:EAX [x] ");
}

TEST_CASE("what is missing or too much is an error on its line") {
    CHECK(error_line("") == 1);
    CHECK(error_line("X86\n{ }\n") == 1);
    CHECK(error_line("X86 T\nnonsense;\n{ }\n") == 2);
    CHECK(parse_test({"t", "X86 T\nany words\n{ }\n P0 ;\n NOP ;\nexists (x=1)\n"}).doc == "any words");
    CHECK(error_line("X86 T\n\"open\n{ }\n P0;\nexists (x=1)") == 2);
    CHECK(error_line("X86 T\n{ x=0\n P0 ;\nexists (x=1)\n") == 3);
    CHECK(error_line("X86 T\n{ x }\n P0 ;\nexists (x=1)\n") == 2);
    CHECK(error_line("X86 T\n{ }\n P1 ;\nexists (x=1)\n") == 3);
    CHECK(error_line("X86 T\n{ }\n P0 ;\n NOP | NOP ;\nexists (x=1)\n") == 4);
    CHECK(error_line("X86 T\n{ }\n P0 | P1 ;\n NOP ;\nexists (x=1)\n") == 4);
    CHECK(error_line("X86 T\n{ }\n P0 ;\n NOP\nexists (x=1)\n") == 4);
    CHECK(error_line("X86 T\n{ }\n P0 ;\n NOP ;\n") == 5);
    CHECK(error_line("X86 T\n{ }\n P0 ;\n NOP ;\nexists (3:EAX=1)\n") == 5);
    CHECK(error_line("X86 T\n{ }\n P0 ;\n NOP ;\nexists (x=1) more\n") == 5);
    CHECK(error_line("X86 T\n{ a[3] }\n P0 ;\n NOP ;\nexists (x=1)\n") == 2);
}

TEST_CASE("a test that only shows locations has a condition that always holds") {
    const test t =
        parse_test({"t.litmus", "AArch64 T\n{ 0:X1=x; }\n P0 ;\n STR WZR,[X1] ;\nlocations [x;]\n"});
    CHECK(t.final.how == condition::quantifier::forall);
    CHECK(to_string(t.final) == "forall (true)");
}

TEST_CASE("a register may stand in the initial state without a value, a location may not without a type") {
    const auto parsed = [](const std::string& init) {
        return parse_test({"t.litmus", "AArch64 T\n{ " + init + " }\n P0 ;\n NOP ;\nexists (0:X2=0)"});
    };
    CHECK(parsed("0:X2;").init.at(0).number == 0);
    CHECK_THROWS(parsed("x;"));
}

TEST_CASE("the older word 'final' asks whether an outcome exists, and what tools expected is passed over") {
    const std::string begin = "X86 T (a title)\n{ }\n P0 ;\n NOP ;\n";
    const test t = parse_test(
        {"t",
         begin + "final (x=1);\nwith\ntso: ~exists;\nsc: forall;\ndefault: exists;\n\n<<\nshow 3\n>>\n"});
    CHECK(to_string(t.final) == "exists ([x]=1)");
    CHECK(to_string(parse_test({"t", begin + "~exists x=1 with sc: not exists;"}).final) ==
          "~exists ([x]=1)");
    for (const char* wrong : {"final (x=1) with", "final (x=1) with tso;", "final (x=1) with tso: never;",
                              "final (x=1) with tso: exists", "final (x=1) tso: exists;"})
        CHECK(error_line(begin + wrong) == 5);
}
