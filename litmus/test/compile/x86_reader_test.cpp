// SPDX-License-Identifier: Apache-2.0
#include "readers.hpp"

using namespace ringproof::litmus::compiled::test;

namespace {

auto x86(const std::string& assembly) { return read("x86_64-linux-gnu", assembly); }

} // namespace

TEST_CASE("x86: operands are turned round and locations named") {
    const auto t = x86("movl $1, %eax\nxchgl rp0_x(%rip), %eax\nmovl %eax, rp0_y(%rip)\ncmpl $2, rp0_y\n"
                       "lock cmpxchgl %edx, rp0_x(%rip)\nlock xaddl %eax, (%rdi)\nmfence\nret\n");
    CHECK(t.rows == rows{"movl eax,$1", "xchgl eax,[x]", "movl [y],eax", "cmpl [y],$2",
                         "lock cmpxchgl [x],edx", "lock xaddl [rdi],eax", "mfence"});
    CHECK_THROWS_WITH(x86("movl 4(%rax), %eax\n"),
                      Catch::Contains("an offset or an index are not supported"));
    CHECK_THROWS_WITH(x86("movl other(%rip), %eax\n"), Catch::Contains("'other' is no location of the test"));
    CHECK_THROWS_WITH(x86("call f\n"), Catch::Contains("calls are not supported"));
    CHECK_THROWS_WITH(x86("jmp f\n"), Catch::Contains("jumps to other functions"));
}

TEST_CASE("x86: the address of a location comes from a register that the function does not use") {
    for (const char* form :
         {"leaq rp0_x(%rip), %rax\n", "movl $rp0_x, %eax\n", "movq rp0_x@GOTPCREL(%rip), %rax\n"}) {
        const auto t = x86(std::string(form) + "movl (%rax), %ecx\nret\n");
        CHECK(t.rows == rows{"movq rax,r15", "movl ecx,[rax]"});
        CHECK(t.addresses == std::map<std::string, std::string>{{"r15", "x"}});
    }
    CHECK(x86("movq $rp0_x, -8(%rsp)\nret\n").rows == rows{"movq r15,r14"});
}

TEST_CASE("x86: stack slots are registers, and a full fence is of a location of the thread's own") {
    const auto t = x86("lock orq $0, (%rsp)\npushq %rbx\nmovl %eax, -4(%rsp)\npopq %rbx\nsubq $8, %rsp\n"
                       "movl -4(%rsp), %eax\nret\n");
    CHECK(t.rows ==
          rows{"lock orq [P0_stackq],$0", "movq r15,rbx", "movl r14d,eax", "movq rbx,r15", "movl eax,r14d"});
    CHECK(x86("lock orl $0, -64(%rsp)\nret\n").rows == rows{"lock orl [P0_stackl],$0"});
    CHECK_THROWS_WITH(x86("leaq 4(%rsp), %rdi\n"), Catch::Contains("the address of a stack slot"));
    CHECK_THROWS_WITH(x86("movq %rsp, %rbp\nmovq %rbp, %rsp\n"), Catch::Contains("use of the stack"));
    for (const char* one : {"lock addl $1, -4(%rsp)\n", "lock orl $1, -4(%rsp)\n", "xchgl %eax, -4(%rsp)\n",
                            "movb $1, -4(%rsp)\n", "movslq -4(%rsp), %rax\n"})
        CHECK_THROWS_WITH(x86(one), Catch::Contains("this use of the stack is not supported"));
    CHECK_THROWS_WITH(x86("movl %eax, -8(%rsp)\nmovq -8(%rsp), %rax\n"), Catch::Contains("in two sizes"));
}

TEST_CASE("x86: what a condition sets or moves is a jump") {
    const auto t = x86("cmpl $1, %eax\nsete %dl\nmovzbl %dl, %eax\ntestb %dl, %dl\ncmovel %ecx, %esi\nret\n");
    CHECK(t.rows == rows{"cmpl eax,$1", "je M0", "movl edx,$0", "jmp M1", "M0:", "movl edx,$1", "M1:",
                         "movl eax,edx", "testl edx,edx", "je M3", "jmp M2", "M3:", "mov esi,ecx", "M2:"});
    CHECK_THROWS_WITH(x86("movzbl %dl, %eax\n"), Catch::Contains("one byte"));
    CHECK_THROWS_WITH(x86("sete %dl\nmovl $300, %edx\nmovzbl %dl, %eax\n"), Catch::Contains("one byte"));
    CHECK(x86("sete %cl\nmovb %cl, %dl\nmovl %edx, rp0_x(%rip)\nret\n").rows.at(6) == "movl edx,ecx");
    // CMOVcc loads in any case.
    CHECK(x86("testl %ecx, %ecx\ncmove rp0_x(%rip), %eax\nret\n").rows ==
          rows{"testl ecx,ecx", "mov r15d,[x]", "je M1", "jmp M0", "M1:", "mov eax,r15d", "M0:"});
    // 0 or 1 on one way to a label, another number on the other.
    CHECK_THROWS_WITH(x86("movl $300, %edx\nje .L1\nsete %dl\n.L1:\nmovzbl %dl, %eax\nret\n"),
                      Catch::Contains("one byte"));
}
