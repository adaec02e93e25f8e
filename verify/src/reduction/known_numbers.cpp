// SPDX-License-Identifier: Apache-2.0
#include "known_numbers.hpp"

namespace ringproof::verify {
namespace {

known_numbers::number moved(const instruction& i, std::uint64_t value) {
    if (i.how == instruction::arithmetic::copy) return value;
    if (i.how != instruction::arithmetic::copy_signed || i.from.size == 0) return {};
    const std::uint64_t sign = std::uint64_t{1} << (8 * i.from.size - 1);
    return (known_numbers::cut(value, i.from.size) ^ sign) - sign;
}

known_numbers::number combined(instruction::arithmetic how, std::uint64_t of, std::uint64_t by) {
    switch (how) {
    case instruction::arithmetic::add:
        return of + by;
    case instruction::arithmetic::subtract:
        return of - by;
    case instruction::arithmetic::mask:
        return of & by;
    case instruction::arithmetic::unite:
        return of | by;
    default:
        return {};
    }
}

} // namespace

known_numbers::number known_numbers::made_by(const instruction& i, number to, number from) {
    if (i.to.is == operand::kind::nothing) return {};
    switch (i.is) {
    case instruction::kind::clear:
        return 0;
    case instruction::kind::address:
        if (i.from.is != operand::kind::fixed) return {};
        return static_cast<std::uint64_t>(i.from.offset);
    case instruction::kind::move:
        return from ? moved(i, *from) : number{};
    case instruction::kind::combine:
        return to && from ? combined(i.how, *to, *from) : number{};
    default:
        return {};
    }
}

void known_numbers::note_flags(const instruction& i, number to, number from) {
    const bool sets = i.is == instruction::kind::combine || i.is == instruction::kind::compare;
    if (!sets && i.is != instruction::kind::clear && i.is != instruction::kind::widen) return;
    flags_ = false;
    if (!sets || !to || !from) return;
    const bool tests = i.is == instruction::kind::compare && i.how == instruction::arithmetic::mask;
    if (!tests && i.how != instruction::arithmetic::subtract) return;
    flags_ = true;
    left_ = cut(tests ? *to & *from : *to, i.to.size);
    right_ = tests ? 0 : cut(*from, i.to.size);
}

std::optional<bool> known_numbers::holds(instruction::condition c) const {
    if (!flags_) return {};
    switch (c) {
    case instruction::condition::above:
        return left_ > right_;
    case instruction::condition::above_equal:
        return left_ >= right_;
    case instruction::condition::below:
        return left_ < right_;
    case instruction::condition::below_equal:
        return left_ <= right_;
    case instruction::condition::equal:
        return left_ == right_;
    case instruction::condition::unequal:
        return left_ != right_;
    case instruction::condition::other:
        break;
    }
    return {};
}

} // namespace ringproof::verify
