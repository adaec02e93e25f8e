// SPDX-License-Identifier: Apache-2.0
#include "parse/x86_thread.hpp"
#include "x86_program.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::x86;

TEST_CASE("loads, stores and moves are read with the destination first") {
    const program p = of("MOV [x],$1 ; MOV EAX,[y] ; mov ebx,eax ; MOV RCX,$-1");
    const auto& code = p.threads[0].code;
    REQUIRE(code.size() == 4);
    CHECK(code[0].operands[0].symbol == "x");
    CHECK(code[0].operands[1].number == 1);
    CHECK(code[1].operands[0].name == reg::ax);
    CHECK(code[1].operands[1].symbol == "y");
    CHECK(code[2].operands[0].name == reg::bx);
    CHECK(code[3].bits == 64);
    CHECK(p.threads[0].bits[static_cast<std::size_t>(reg::cx)] == 64);
}

TEST_CASE("AT&T order is recognised by its registers and parentheses") {
    const program p =
        of("movl $1,(x) ; movl (y),%eax ; cmpl $0,%eax ; movq (%rsi),%rbx", "0:rsi=z; uint64_t z;", "X86_64");
    const auto& code = p.threads[0].code;
    CHECK(code[0].operands[0].symbol == "x");
    CHECK(code[1].operands[0].name == reg::ax);
    CHECK(code[1].operands[1].symbol == "y");
    CHECK(code[2].operands[0].is_register());
    CHECK(code[3].bits == 64);
    CHECK(p.threads[0].addresses[static_cast<std::size_t>(reg::si)] == "z");
}

TEST_CASE("XCHG with memory locks without the prefix, and other instructions only with it") {
    const auto code = of("XCHG [x],EAX ; XCHG EAX,EBX ; LOCK ADD [x],$1 ; ADD [x],$1 ; lock cmpxchg [x],ebx")
                          .threads[0]
                          .code;
    CHECK(code[0].lock);
    CHECK_FALSE(code[1].lock);
    CHECK(code[2].lock);
    CHECK_FALSE(code[3].lock);
    CHECK(code[4].lock);
}

TEST_CASE("jumps find their labels, forwards, backwards and past the end") {
    const auto code = of("L0: MOV EAX,[x] ; CMP EAX,$0 ; JE L0 ; JNE L1 ; JMP L0 ; L1:").threads[0].code;
    REQUIRE(code.size() == 5);
    CHECK(code[2].target == 0);
    CHECK(code[2].when == flag_test::e);
    CHECK(code[3].target == 5);
    CHECK(code[4].what == opcode::jmp);
}

TEST_CASE("RET ends a thread") {
    const test t = parse_test({"t", "X86_64 T\n{ }\n P0 ;\n endbr64 ;\n ret ;\n NOP ;\nexists (true)"});
    const program p = parse_program(t);
    CHECK(p.threads[0].code[1].what == opcode::jmp);
    CHECK(p.threads[0].code[1].target == 3);
}

TEST_CASE("what is not supported is named") {
    CHECK(refusal("MOVNTI [x],EAX") == "instruction 'movnti' is not supported");
    CHECK(refusal("JCXZ L") == "instruction 'jcxz' is not supported");
    CHECK(refusal("MOV EAX,[RSI,4]") == "addresses with an index are not supported");
    CHECK(refusal("MOV EAX,[x+4]").find("only the simulator has them") != std::string::npos);
    CHECK(refusal("MOV RAX,[x]", "int x;").find("mixed sizes") != std::string::npos);
    CHECK(refusal("MOV AL,[x]").find("only the simulator has them") != std::string::npos);
    CHECK(refusal("MOV AH,[x]") == "expected a register, [location] or $number, found 'AH'");
    CHECK(refusal("NOP", "uint8_t x;").find("'uint8_t' is not supported") != std::string::npos);
    CHECK(refusal("NOP", "x=y;") == "a location that holds an address is not supported");
}

TEST_CASE("what no assembler would take is refused") {
    CHECK(refusal("MOV $1,EAX") != "");
    CHECK(refusal("MOV [x],[y]") == "only one operand can be in memory");
    CHECK(refusal("MOV EAX,RBX") == "the operands of this instruction differ in width");
    CHECK(refusal("LOCK MOV [x],EAX") == "LOCK needs an instruction that reads and writes memory");
    CHECK(refusal("LOCK ADD EAX,$1") == "LOCK needs an instruction that reads and writes memory");
    CHECK(refusal("LOCK MFENCE") == "'mfence' cannot be locked");
    CHECK(refusal("XADD [x],$1") == "'xadd' needs a register as its source");
    CHECK(refusal("MOV [x],$4294967296") == "this number does not fit in the instruction");
    CHECK(refusal("JE NOWHERE") == "there is no label 'NOWHERE' in this thread");
    CHECK(refusal("L: NOP ; L: NOP") == "label 'L' is defined twice");
    CHECK(refusal("MOV EAX") == "expected ',' and the second operand, found the end");
    CHECK(refusal("MOV EAX,[EBX]") == "an address is held by a 64-bit register");
    CHECK(refusal("NOP NOP") == "expected '|' or ';', found 'NOP'");
}

TEST_CASE("a suffix says how wide an instruction is, and only one that has operands takes it") {
    const auto bits = [](const std::string& code) {
        const test t = parse_test({"t", "X86 T\n{ }\nP0 ;\n" + code + " ;\nexists (true)\n"});
        return parse_thread(t, t.threads.at(0)).code.at(0).bits;
    };
    CHECK(bits("movl [x],$1") == 32);
    CHECK(bits("movq [x],$1") == 64);
    CHECK(bits("mov [x],$1") == 0); // as wide as x turns out to be
    CHECK(refusal("mfencel") == "instruction 'mfencel' is not supported");
    CHECK(refusal("movl EAX,RBX").find("differ in width") != std::string::npos);
}

TEST_CASE("a number has to fit into the instruction") {
    CHECK(refusal("movl [x],$4294967295").empty());
    CHECK(refusal("movl [x],$4294967296") == "this number does not fit in the instruction");
    CHECK(refusal("mov RAX,$4294967296").empty()); // movabs
    CHECK(refusal("add RAX,$4294967296") == "this number does not fit in the instruction");
    CHECK(refusal("add RAX,$2147483648") == "this number does not fit in the instruction");
    CHECK(refusal("add RAX,$2147483647").empty());
}
