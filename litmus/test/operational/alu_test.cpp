// SPDX-License-Identifier: Apache-2.0
#include "operational/alu.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace ringproof::litmus::x86;

#if defined(__x86_64__)
namespace {

struct observed {
    std::uint32_t result;
    std::uint64_t rflags;
};

// The processor is the reference: the same instruction, its result and its flags.
template <opcode What>
observed on_processor(std::uint32_t a, std::uint32_t b) {
    std::uint64_t f = 0;
    const auto done = [&] { return observed{a, f}; };
#define RINGPROOF_TWO(op)                                                                                    \
    asm volatile("clc\n" op " %2, %0\npushfq\npopq %1" : "+&r"(a), "=&r"(f) : "r"(b) : "cc", "memory")
#define RINGPROOF_ONE(op)                                                                                    \
    asm volatile("clc\n" op " %0\npushfq\npopq %1" : "+&r"(a), "=&r"(f) : : "cc", "memory")
    if constexpr (What == opcode::add) RINGPROOF_TWO("addl");
    if constexpr (What == opcode::sub) RINGPROOF_TWO("subl");
    if constexpr (What == opcode::and_) RINGPROOF_TWO("andl");
    if constexpr (What == opcode::or_) RINGPROOF_TWO("orl");
    if constexpr (What == opcode::xor_) RINGPROOF_TWO("xorl");
    if constexpr (What == opcode::cmp) RINGPROOF_TWO("cmpl");
    if constexpr (What == opcode::test_) RINGPROOF_TWO("testl");
    if constexpr (What == opcode::inc) RINGPROOF_ONE("incl");
    if constexpr (What == opcode::dec) RINGPROOF_ONE("decl");
    if constexpr (What == opcode::neg) RINGPROOF_ONE("negl");
    if constexpr (What == opcode::not_) RINGPROOF_ONE("notl");
#undef RINGPROOF_TWO
#undef RINGPROOF_ONE
    return done();
}

const std::vector<std::uint32_t> corners{0,    1,          2,          3,          0x7f,       0x80,
                                         0xff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};

template <opcode What>
void agrees() {
    for (const std::uint32_t a : corners)
        for (const std::uint32_t b : corners) {
            const observed real = on_processor<What>(a, b);
            flags f;
            const std::uint64_t r = compute(What, a, b, 32, f);
            INFO("opcode " << static_cast<int>(What) << " a " << a << " b " << b);
            if (What != opcode::cmp && What != opcode::test_) CHECK(r == real.result);
            if (What == opcode::not_) continue; // leaves the flags as they were, also here
            CHECK(f.carry == ((real.rflags & 1) != 0));
            CHECK(f.parity == ((real.rflags >> 2 & 1) != 0));
            CHECK(f.zero == ((real.rflags >> 6 & 1) != 0));
            CHECK(f.sign == ((real.rflags >> 7 & 1) != 0));
            CHECK(f.overflow == ((real.rflags >> 11 & 1) != 0));
        }
}

} // namespace

TEST_CASE("results and flags are those of the processor, at every corner value") {
    agrees<opcode::add>();
    agrees<opcode::sub>();
    agrees<opcode::and_>();
    agrees<opcode::or_>();
    agrees<opcode::xor_>();
    agrees<opcode::cmp>();
    agrees<opcode::test_>();
    agrees<opcode::inc>();
    agrees<opcode::dec>();
    agrees<opcode::neg>();
    agrees<opcode::not_>();
}
#endif

TEST_CASE("INC and DEC leave the carry") {
    for (const opcode what : {opcode::inc, opcode::dec}) {
        flags f;
        f.carry = true;
        compute(what, 5, 0, 64, f);
        CHECK(f.carry);
    }
}

TEST_CASE("jumps compare signed with g and l, unsigned with a and b") {
    flags f;
    compute(opcode::cmp, 0xffffffff, 1, 32, f); // -1 or the largest
    CHECK(taken(flag_test::l, f));
    CHECK(taken(flag_test::le, f));
    CHECK(taken(flag_test::ne, f));
    CHECK(taken(flag_test::a, f));
    CHECK(taken(flag_test::ae, f));
    CHECK_FALSE(taken(flag_test::g, f));
    CHECK_FALSE(taken(flag_test::b, f));
    CHECK_FALSE(taken(flag_test::e, f));
}
