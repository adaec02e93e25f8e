// SPDX-License-Identifier: Apache-2.0
// Numbers that are the same whatever a thread began with, and what becomes of them.
#include "../../src/reduction/known_numbers.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;
using arithmetic = instruction::arithmetic;
using condition = instruction::condition;

namespace {

operand general(std::int8_t r, std::uint8_t size) {
    operand made;
    made.is = operand::kind::general;
    made.base = r;
    made.size = size;
    return made;
}

instruction with(instruction::kind is, arithmetic how, std::uint8_t size) {
    instruction made;
    made.is = is;
    made.how = how;
    made.to = made.from = general(rax, size);
    return made;
}

std::optional<bool> after(instruction::kind is, arithmetic how, std::uint64_t to, std::uint64_t from,
                          condition asked, std::uint8_t size = 4) {
    known_numbers numbers;
    numbers.note_flags(with(is, how, size), to, from);
    return numbers.holds(asked);
}

} // namespace

TEST_CASE("a part of a register is known as far as it was written") {
    known_numbers numbers;
    CHECK_FALSE(numbers.in_register(rax, 1));
    numbers.set_register(rax, 0x1ff, 1);
    CHECK(numbers.in_register(rax, 1) == 0xffu);
    CHECK_FALSE(numbers.in_register(rax, 4));
    numbers.set_register(rax, 0x1'2345'6789, 4); // clears the upper half
    CHECK(numbers.in_register(rax, 8) == 0x2345'6789u);
    numbers.forget_register(rax);
    CHECK_FALSE(numbers.in_register(rax, 1));
}

TEST_CASE("a number on the stack is known until a byte of it is written") {
    known_numbers numbers;
    numbers.set(0x1000, 8, 0x1122'3344'5566'7788);
    CHECK(numbers.at(0x1000, 4) == 0x5566'7788u);
    CHECK_FALSE(numbers.at(0x1004, 4));
    const std::uint64_t before = numbers.hash();
    numbers.forget(0x0ff8, 0x1000);
    numbers.forget(0x1008, 0x1010);
    CHECK(numbers.hash() == before);
    numbers.forget(0x1007, 0x1008);
    CHECK_FALSE(numbers.at(0x1000, 8));
    CHECK(numbers.hash() != before);
}

TEST_CASE("a branch is decided by what was subtracted or tested, as unsigned numbers") {
    const auto compared = instruction::kind::compare, combined = instruction::kind::combine;
    CHECK(after(compared, arithmetic::subtract, 0xffff'ffff, 4, condition::above) == true);
    CHECK(after(compared, arithmetic::subtract, 4, 4, condition::above) == false);
    CHECK(after(compared, arithmetic::subtract, 4, 4, condition::above_equal) == true);
    CHECK(after(combined, arithmetic::subtract, 1, 2, condition::below) == true);
    CHECK(after(combined, arithmetic::subtract, 0x1'0000'0001, 1, condition::below_equal) == true);
    CHECK(after(combined, arithmetic::subtract, 0x1'0000'0001, 1, condition::equal, 8) == false);
    CHECK(after(compared, arithmetic::mask, 6, 1, condition::equal) == true);
    CHECK(after(compared, arithmetic::mask, 6, 2, condition::unequal) == true);
    CHECK_FALSE(
        after(compared, arithmetic::subtract, 4, 4, condition::other)); // of signed numbers, or of parity
    CHECK_FALSE(after(combined, arithmetic::mask, 6, 2, condition::equal));
    CHECK_FALSE(after(combined, arithmetic::add, 6, 2, condition::equal));
}

TEST_CASE("arithmetic that is not understood leaves no flags") {
    known_numbers numbers;
    numbers.note_flags(with(instruction::kind::compare, arithmetic::subtract, 4), 1, 1);
    REQUIRE(numbers.holds(condition::equal) == true);
    numbers.note_flags(with(instruction::kind::move, arithmetic::copy, 4), 1, 1);
    CHECK(numbers.holds(condition::equal) == true);
    numbers.note_flags(with(instruction::kind::combine, arithmetic::other, 4), 1, 1);
    CHECK_FALSE(numbers.holds(condition::equal));
}

TEST_CASE("moves and arithmetic make numbers of numbers") {
    instruction widened = with(instruction::kind::move, arithmetic::copy_signed, 8);
    widened.from = general(rcx, 4);
    CHECK(known_numbers::made_by(widened, {}, 0xffff'fffe) == ~std::uint64_t{1});
    CHECK(known_numbers::made_by(widened, {}, 5) == 5u);
    CHECK_FALSE(known_numbers::made_by(widened, 5, {}));
    const auto combined = [](arithmetic how) {
        return known_numbers::made_by(with(instruction::kind::combine, how, 8), 12, 10);
    };
    CHECK(combined(arithmetic::add) == 22u);
    CHECK(combined(arithmetic::subtract) == 2u);
    CHECK(combined(arithmetic::mask) == 8u);
    CHECK(combined(arithmetic::unite) == 14u);
    CHECK_FALSE(combined(arithmetic::other));
    CHECK(known_numbers::made_by(with(instruction::kind::clear, arithmetic::other, 4), {}, {}) == 0u);
    CHECK_FALSE(
        known_numbers::made_by(with(instruction::kind::move, arithmetic::other, 8), 1, 1)); // of flags
}
