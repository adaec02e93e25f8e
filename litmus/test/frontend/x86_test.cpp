// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using list = std::vector<std::string>;

namespace {

std::string x86(const std::string& code) {
    return "X86_64 T\n{ x=6; 0:EBX=3; }\n P0 ;\n " + code + "\nlocations [0:EAX; x;]\nexists (true)";
}

} // namespace

TEST_CASE("instructions of x86 on memory leave what the processor leaves") {
    CHECK(leaves(x86("ADD [x],EBX ;")) == "0:EAX=0; [x]=9;");
    CHECK(leaves(x86("SUB [x],EBX ;")) == "0:EAX=0; [x]=3;");
    CHECK(leaves(x86("AND [x],EBX ;")) == "0:EAX=0; [x]=2;");
    CHECK(leaves(x86("OR [x],EBX ;")) == "0:EAX=0; [x]=7;");
    CHECK(leaves(x86("XOR [x],EBX ;")) == "0:EAX=0; [x]=5;");
    CHECK(leaves(x86("INC [x] ;")) == "0:EAX=0; [x]=7;");
    CHECK(leaves(x86("DEC [x] ;")) == "0:EAX=0; [x]=5;");
    CHECK(leaves(x86("NEG [x] ;")) == "0:EAX=0; [x]=-6;");
    CHECK(leaves(x86("NOT [x] ;")) == "0:EAX=0; [x]=-7;");
    CHECK(leaves(x86("MOV EAX,$2 ;\n XCHG [x],EAX ;")) == "0:EAX=6; [x]=2;");
    CHECK(leaves(x86("MOV EAX,$2 ;\n LOCK XADD [x],EAX ;")) == "0:EAX=6; [x]=8;");
    CHECK(leaves(x86("MOV EAX,$6 ;\n LOCK CMPXCHG [x],EBX ;")) == "0:EAX=6; [x]=3;");
    CHECK(leaves(x86("MOV EAX,$5 ;\n LOCK CMPXCHG [x],EBX ;")) == "0:EAX=6; [x]=6;");
}

TEST_CASE("a jump of x86 goes where the flags send it") {
    const auto taken = [](const std::string& jump, int a, int b) {
        return leaves(x86("MOV ECX,$" + std::to_string(a) + " ;\n CMP ECX,$" + std::to_string(b) + " ;\n " +
                          jump + " L ;\n MOV EAX,$1 ;\n L: ;")) == "0:EAX=0; [x]=6;";
    };
    CHECK(taken("JE", 2, 2));
    CHECK_FALSE(taken("JNE", 2, 2));
    CHECK(taken("JL", -1, 2));
    CHECK_FALSE(taken("JB", -1, 2)); // unsigned, it is the largest there is
    CHECK(taken("JA", -1, 2));
    CHECK(taken("JLE", 2, 2));
    CHECK_FALSE(taken("JG", 2, 2));
    CHECK(taken("JGE", 3, 2));
    CHECK(taken("JS", 1, 2));
    CHECK(taken("JMP", 1, 2));
}

TEST_CASE("a locked instruction of x86 is labelled on both halves, fences by their names") {
    CHECK(events_of(x86("MOV EAX,[x] ;\n MOV [x],EAX ;")) == list{"R", "W"});
    CHECK(events_of(x86("MFENCE ;\n LFENCE ;\n SFENCE ;")) == list{"F MFENCE", "F LFENCE", "F SFENCE"});
    const list locked = events_of(x86("LOCK INC [x] ;")), plain = events_of(x86("INC [x] ;"));
    REQUIRE(locked.size() == 2);
    REQUIRE(plain.size() == 2);
    CHECK(locked != plain);
    CHECK(events_of(x86("XCHG [x],EAX ;")) == locked); // locked whether or not it is written
}

TEST_CASE("bytes and half words of x86 keep the rest of a register, and have their own sign") {
    const auto left = [](const std::string& code, const std::string& shown = "0:EAX; x;") {
        return leaves("X86_64 T\n{ int x=0x01ff8002; 0:RSI=x; 0:RAX=0x11223344; }\n P0 ;\n " + code +
                      "\nlocations [" + shown + "]\nexists (true)");
    };
    CHECK(left("movb (%rsi),%al ;") == "0:EAX=287453954; [x]=33521666;");  // 0x11223302
    CHECK(left("movw 2(%rsi),%ax ;") == "0:EAX=287441407; [x]=33521666;"); // 0x112201ff
    CHECK(left("movb $7,3(%rsi) ;") == "0:EAX=287454020; [x]=134184962;"); // 0x07ff8002
    CHECK(left("MOV AX,[x+2] ;") == "0:EAX=287441407; [x]=33521666;");
    CHECK(left("movb 2(%rsi),%al ;", "0:AL; 0:AX;") == "0:AL=255; 0:AX=13311;");
    CHECK(left("cmpb $0,2(%rsi) ;\n js L ;\n movl $1,%eax ;\n L: ;") == "0:EAX=287454020; [x]=33521666;");
    CHECK(left("cmpb $0,2(%rsi) ;\n jl L ;\n movl $1,%eax ;\n L: ;") == "0:EAX=287454020; [x]=33521666;");
    CHECK(left("addb $1,2(%rsi) ;") == "0:EAX=287454020; [x]=16809986;"); // 0x01008002
    CHECK(left("lock incw (%rsi) ;") == "0:EAX=287454020; [x]=33521667;");
    CHECK(left("movb $127,%al ;\n cmpb $-1,%al ;\n js L ;\n movl $1,%eax ;\n L: ;", "0:AL;") == "0:AL=127;");
    CHECK(leaves("X86_64 T\n{ int t[2]={1,2}; 0:RSI=t; }\n P0 ;\n movl 4(%rsi),%eax ;\n movl %eax,(%rsi) ;\n"
                 "locations [t;]\nexists (true)") == "t[0]=2; t[1]=2;");
    CHECK(leaves("X86_64 T\n{ uint64_t x=0x100000002; }\n P0 ;\n MOV EAX,[x+4] ;\nlocations [0:EAX;]\nexists "
                 "(true)") == "0:EAX=1;");
    CHECK_THAT(load_error("X86_64 T\n{ }\n P0 ;\n movb $256,(x) ;\nexists (true)"),
               Catch::Contains("does not fit"));
}
