// SPDX-License-Identifier: Apache-2.0
#include "alu.hpp"

#include <bit>

namespace ringproof::litmus::x86 {
namespace {

std::uint64_t mask_of(int bits) { return bits == 64 ? ~std::uint64_t{0} : 0xffff'ffffu; }

} // namespace

std::uint64_t compute(opcode what, std::uint64_t a, std::uint64_t b, int bits, flags& f) {
    const std::uint64_t mask = mask_of(bits);
    const auto negative = [&](std::uint64_t v) { return ((v >> (bits - 1)) & 1) != 0; };
    if (what == opcode::inc || what == opcode::dec) b = 1;
    if (what == opcode::neg) b = a, a = 0;
    a &= mask;
    b &= mask;
    std::uint64_t r = 0;
    switch (what) {
    case opcode::mov:
        return b;
    case opcode::not_:
        return ~a & mask; // leaves the flags
    case opcode::add:
    case opcode::xadd:
    case opcode::inc:
        r = (a + b) & mask;
        if (what != opcode::inc) f.carry = r < a; // INC and DEC leave the carry
        f.overflow = negative(a) == negative(b) && negative(r) != negative(a);
        break;
    case opcode::sub:
    case opcode::cmp:
    case opcode::cmpxchg: // compares like CMP
    case opcode::neg:
    case opcode::dec:
        r = (a - b) & mask;
        if (what != opcode::dec) f.carry = a < b;
        f.overflow = negative(a) != negative(b) && negative(r) != negative(a);
        break;
    case opcode::and_:
    case opcode::test_:
        r = a & b;
        break;
    case opcode::or_:
        r = a | b;
        break;
    case opcode::xor_:
        r = a ^ b;
        break;
    default:
        return a;
    }
    if (what == opcode::and_ || what == opcode::test_ || what == opcode::or_ || what == opcode::xor_)
        f.carry = f.overflow = false;
    f.zero = r == 0;
    f.sign = negative(r);
    f.parity = std::popcount(r & 0xffu) % 2 == 0;
    return r;
}

bool taken(flag_test when, const flags& f) {
    const auto index = static_cast<unsigned>(when);
    bool yes = false;
    switch (static_cast<flag_test>(index & ~1u)) { // the odd one of a pair negates the even one
    case flag_test::o:
        yes = f.overflow;
        break;
    case flag_test::b:
        yes = f.carry;
        break;
    case flag_test::e:
        yes = f.zero;
        break;
    case flag_test::be:
        yes = f.carry || f.zero;
        break;
    case flag_test::s:
        yes = f.sign;
        break;
    case flag_test::p:
        yes = f.parity;
        break;
    case flag_test::l:
        yes = f.sign != f.overflow;
        break;
    case flag_test::le:
        yes = f.zero || f.sign != f.overflow;
        break;
    default:
        break;
    }
    return (index & 1u) != 0 ? !yes : yes;
}

} // namespace ringproof::litmus::x86
