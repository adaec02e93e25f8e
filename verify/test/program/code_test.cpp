// SPDX-License-Identifier: Apache-2.0
// Instructions of x86-64, as they were assembled, and what is known of them.
#include "../../src/program/code.hpp"

#include <catch2/catch.hpp>
#include <initializer_list>
#include <vector>

using namespace ringproof::verify;
using kind = instruction::kind;

namespace {

struct decoded {
    std::vector<std::uint8_t> bytes;
    machine_code code;
    std::uintptr_t pc() const { return reinterpret_cast<std::uintptr_t>(bytes.data()); }
    const instruction& at() { return code.at(pc(), pc() + bytes.size()); }
    explicit decoded(std::initializer_list<std::uint8_t> list) : bytes(list) { bytes.resize(32, 0xcc); }
};

} // namespace

TEST_CASE("mov rbx, rax copies a register") {
    decoded i{0x48, 0x89, 0xc3};
    CHECK(i.at().is == kind::move);
    CHECK((i.at().to.is == operand::kind::general && i.at().to.base == rbx && i.at().to.size == 8));
    CHECK((i.at().from.is == operand::kind::general && i.at().from.base == rax));
    CHECK(i.at().next == i.pc() + 3);
}
TEST_CASE("mov dword [rsp+0xc], 0 writes four bytes of the stack") {
    decoded i{0xc7, 0x44, 0x24, 0x0c, 0, 0, 0, 0};
    CHECK(i.at().is == kind::move);
    CHECK((i.at().to.is == operand::kind::memory && i.at().to.base == rsp && i.at().to.offset == 0xc));
    CHECK(i.at().to.size == 4);
    CHECK(i.at().to.index == no_register);
    CHECK((i.at().from.is == operand::kind::number && i.at().from.offset == 0));
}
TEST_CASE("mov al, [rbx+rcx*4] has an index, and writes a part of a register") {
    decoded i{0x8a, 0x04, 0x8b};
    CHECK((i.at().from.base == rbx && i.at().from.index == rcx));
    CHECK((i.at().to.base == rax && i.at().to.size == 1));
}
TEST_CASE("mov rax, [rip+0x10] reads a fixed address") {
    decoded i{0x48, 0x8b, 0x05, 0x10, 0, 0, 0};
    CHECK(i.at().from.is == operand::kind::fixed);
    CHECK(static_cast<std::uintptr_t>(i.at().from.offset) == i.pc() + 7 + 0x10);
}
TEST_CASE("xor ebx, ebx reads nothing, xor ebx, ecx reads both, and xor bl, bl clears a part") {
    CHECK(decoded{0x31, 0xdb}.at().is == kind::clear);
    CHECK(decoded{0x31, 0xcb}.at().is == kind::combine);
    CHECK(decoded{0x30, 0xdb}.at().to.size == 1);
}
TEST_CASE("lea, add, push, pop, leave and ret are what they are") {
    CHECK(decoded{0x48, 0x8d, 0x74, 0x24, 0x0c}.at().is == kind::address);
    decoded add{0x48, 0x83, 0xc4, 0x18};
    CHECK((add.at().is == kind::combine && add.at().how == instruction::arithmetic::add));
    CHECK((add.at().to.base == rsp && add.at().from.offset == 0x18));
    CHECK((decoded{0x41, 0x54}.at().is == kind::push));
    CHECK((decoded{0x41, 0x54}.at().from.base == r12));
    CHECK((decoded{0x5b}.at().is == kind::pop && decoded{0x5b}.at().to.base == rbx));
    CHECK(decoded{0xc9}.at().is == kind::leave);
    CHECK(decoded{0xc3}.at().is == kind::leaves);
}
TEST_CASE("jumps and calls say where to, or from what") {
    decoded loop{0x75, 0xfe};
    CHECK((loop.at().is == kind::branch && loop.at().target == loop.pc()));
    decoded call{0xe8, 0, 0, 0, 0};
    CHECK((call.at().is == kind::call && call.at().target == call.pc() + 5));
    decoded table{0xff, 0xe0}; // jmp rax
    CHECK((table.at().is == kind::jump && table.at().target == 0));
    CHECK(table.at().from.base == rax);
    decoded linked{0xff, 0x25, 0x10, 0, 0, 0}; // jmp [rip+0x10]
    CHECK(linked.at().from.is == operand::kind::fixed);
}
TEST_CASE("what belongs to a thread is on no stack") {
    decoded i{0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0}; // mov rax, fs:0x28
    CHECK((i.at().is == kind::move && i.at().from.is == operand::kind::nothing));
}
TEST_CASE("marks of where jumps may end, and moves of vectors with a prefix, are known") {
    CHECK(decoded{0xf3, 0x0f, 0x1e, 0xfa}.at().is == kind::nothing);
    decoded i{0xf3, 0x0f, 0x7f, 0x04, 0x24}; // movdqu [rsp], xmm0
    CHECK((i.at().is == kind::move && i.at().to.base == rsp && i.at().to.size == 16));
    decoded pause{0xf3, 0x90};
    CHECK(pause.at().is == kind::nothing);
}
TEST_CASE("an instruction that the code ends within is not known, and neither is a bit anywhere in memory") {
    decoded i{0x48, 0x8b, 0x05, 0x10, 0, 0, 0};
    CHECK(i.code.at(i.pc(), i.pc() + 3).is == kind::unknown);
    CHECK(decoded{0x48, 0x0f, 0xa3, 0x04, 0x24}.at().is == kind::unknown); // bt [rsp], rax
    CHECK(decoded{0x48, 0x0f, 0xa3, 0xc3}.at().is == kind::compare);       // bt rbx, rax
}
TEST_CASE("imul is told apart by its operands") {
    CHECK(decoded{0x48, 0xf7, 0xeb}.at().is == kind::widen);         // imul rbx
    CHECK(decoded{0x48, 0x0f, 0xaf, 0xc3}.at().is == kind::combine); // imul rax, rbx
    CHECK(decoded{0x48, 0x6b, 0xc3, 0x03}.at().is == kind::move);    // imul rax, rbx, 3
}
TEST_CASE("repeated, locked and unusual instructions are not known, and neither is what is none") {
    CHECK(decoded{0xf3, 0x48, 0xab}.at().is == kind::unknown);             // rep stosq
    CHECK(decoded{0xf0, 0x48, 0x0f, 0xb1, 0x0b}.at().is == kind::unknown); // lock cmpxchg
    CHECK(decoded{0x0f, 0xa2}.at().is == kind::unknown);                   // cpuid
    CHECK(decoded{0x48, 0x87, 0xc3}.at().is == kind::unknown);             // xchg
    CHECK(decoded{0x06}.at().is == kind::unknown);
}
