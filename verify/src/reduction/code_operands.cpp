// SPDX-License-Identifier: Apache-2.0
#include "code_operands.hpp"

namespace ringproof::verify {

/// What memory has at `address` that nothing can write to.
static known_numbers::number constant_at(std::uintptr_t address, std::size_t size) {
    std::uint64_t value = 0;
    if (size == 0 || size > sizeof value || !is_constant({address, address + size})) return {};
    std::memcpy(&value, reinterpret_cast<const void*>(address), size);
    return value;
}

std::optional<std::uintptr_t> code_operands::address_of(const machine& m, const operand& o) const {
    if (o.is == operand::kind::fixed) return 0;
    const std::uintptr_t base = o.base == no_register ? 0 : m.registers[static_cast<std::size_t>(o.base)];
    const std::uintptr_t index = o.index == no_register ? 0 : m.registers[static_cast<std::size_t>(o.index)];
    if (base == 0 && index == 0) return 0;
    if (o.index != no_register) return std::nullopt;
    const std::uintptr_t a = base + static_cast<std::uintptr_t>(o.offset);
    return stack_.contains(a) ? a : 0;
}

bool code_operands::reads(const machine& m, std::int8_t r, std::size_t size) {
    if (r == no_register) return false;
    const auto of = static_cast<std::size_t>(r);
    return (m.differ & (size == 1 ? machine::lowest(of) : machine::all_of(of))) != 0;
}

code_operands::seen code_operands::look(const machine& m, const operand& o, std::uintptr_t* value) const {
    *value = 0;
    if (o.is == operand::kind::general) {
        if (reads(m, o.base, o.size)) return seen::differing;
        if (o.size == word) *value = m.registers[static_cast<std::size_t>(o.base)];
        return seen::same;
    }
    if (o.is != operand::kind::memory) return seen::same;
    if (reads(m, o.base) || reads(m, o.index)) return seen::lost;
    const std::optional<std::uintptr_t> a = address_of(m, o);
    if (!a) return may_lose_addresses(m) ? seen::same : seen::lost;
    if (*a == 0) return seen::same;
    const std::size_t size = std::max<std::size_t>(o.size, 1);
    const bool differs = m.overlaps(*a, size);
    if (is_word(*a, size)) {
        if (differs) return seen::differing;
        *value = load(m, *a);
        return seen::same;
    }
    // A piece of an address, or several: they would be lost sight of.
    if (!is_end_of_word(*a, size) && holds_followed(m, *a, size)) return seen::lost;
    return differs ? seen::differing : seen::same;
}

std::uintptr_t code_operands::load(const machine& m, std::uintptr_t a) const {
    if (a >= known_end_) return 0;
    for (const auto& [at, value] : m.stored)
        if (at == a) return value;
    if (a < alive_ || !stack_.contains(a)) return 0;
    const std::uintptr_t value = word_at(a);
    return stack_.contains(value) ? value : 0;
}

bool code_operands::holds_followed(const machine& m, std::uintptr_t a, std::size_t size) const {
    for (std::uintptr_t w = a & ~(word - 1); w < a + size; w += word)
        if (const std::uintptr_t value = load(m, w); value != 0 && leads_to_what_differs(m, value))
            return true;
    return false;
}

bool code_operands::forget(machine& m, std::uintptr_t a, std::size_t size) const {
    const bool piece = size < sizeof(std::uint32_t) && holds_followed(m, a, size);
    const std::uintptr_t first = a & ~(word - 1), held = load(m, first);
    if (piece && !is_end_of_word(a, size)) return false; // else it is the same afterwards, or leads nowhere
    m.overwrite(a, a + size);
    for (std::uintptr_t w = first; w < a + size; w += word) note(m, w, piece ? held : 0);
    return true;
}

void code_operands::note(machine& m, std::uintptr_t a, std::uintptr_t value) const {
    const auto at = std::lower_bound(m.stored.begin(), m.stored.end(), a,
                                     [](const auto& s, std::uintptr_t address) { return s.first < address; });
    if (at != m.stored.end() && at->first == a) m.stored.erase(at);
    if (load(m, a) == value) return;
    m.stored.insert(std::lower_bound(m.stored.begin(), m.stored.end(), std::pair{a, value}), {a, value});
}

void code_operands::set(machine& m, const operand& o, std::uintptr_t value) const {
    const auto r = static_cast<std::size_t>(o.base);
    m.registers[r] = o.size == word ? value : 0;
    m.numbers.forget_register(r);
    m.differ &= ~(o.size >= 4 ? machine::all_of(r) : machine::lowest(r)); // 32 bits clear the upper ones
}

bool code_operands::write(machine& m, const operand& o, std::uintptr_t value) {
    if (o.is == operand::kind::general) return set(m, o, value), true;
    const bool leads = value != 0 && leads_to_what_differs(m, value);
    if (o.is == operand::kind::nothing) return !leads;
    if (reads(m, o.base) || reads(m, o.index)) return false;
    const std::optional<std::uintptr_t> a = address_of(m, o);
    if (!a) return false; // it may be anywhere there
    // It may be read through an address that is not followed.
    if (leads && (*a == 0 || *a >= followed_ || !is_word(*a, o.size))) return false;
    if (*a == 0) return true;
    if (!forget(m, *a, o.size)) return false;
    if (is_word(*a, o.size)) note(m, *a, value);
    return true;
}

bool code_operands::write_differing(machine& m, const operand& o) const {
    if (!has_numbers()) return false;
    if (o.is == operand::kind::general) {
        set(m, o, 0);
        const auto r = static_cast<std::size_t>(o.base);
        m.differ |= o.size == 1 ? machine::lowest(r) : machine::all_of(r);
        return o.base != rsp;
    }
    if (o.is != operand::kind::memory || reads(m, o.base) || reads(m, o.index)) return false;
    const std::optional<std::uintptr_t> a = address_of(m, o);
    if (!a || *a == 0 || *a + o.size > kept_ || !forget(m, *a, o.size)) return false;
    m.add_differing({*a, *a + o.size});
    return true;
}

bool code_operands::leads_to_what_differs(const machine& m, std::uintptr_t pointer) const {
    return !may_lose_addresses(m) && pointer < std::max(followed_, m.bytes.empty() ? 0 : m.bytes.back().end);
}

void code_operands::push(machine& m, std::uintptr_t value, std::uint32_t differ) const {
    m.sp() -= word;
    m.overwrite(m.sp(), m.sp() + word);
    note(m, m.sp(), value);
    if ((differ & machine::lowest(0)) != 0) m.add_differing({m.sp(), m.sp() + 1});
    if ((differ & machine::others(0)) != 0) m.add_differing({m.sp() + 1, m.sp() + word});
}

void code_operands::pop_to(machine& m, std::int8_t r) const {
    const std::uint32_t differ = (m.overlaps(m.sp(), 1) ? machine::lowest(0) : 0) |
                                 (m.overlaps(m.sp() + 1, word - 1) ? machine::others(0) : 0);
    const std::uintptr_t value = load(m, m.sp());
    const known_numbers::number number = m.numbers.at(m.sp(), word);
    m.sp() += word;
    drop_below_stack(m);
    if (r == no_register) return;
    m.registers[static_cast<std::size_t>(r)] = value;
    m.numbers.forget_register(static_cast<std::size_t>(r));
    if (number) m.numbers.set_register(static_cast<std::size_t>(r), *number, word);
    m.differ = (m.differ & ~machine::all_of(static_cast<std::size_t>(r))) | differ << r;
}

bool code_operands::take_address(machine& m, const instruction& i) {
    if (reads(m, i.from.base) || reads(m, i.from.index)) return false;
    const std::optional<std::uintptr_t> a = address_of(m, i.from);
    return a ? write(m, i.to, *a) : may_lose_addresses(m) && write(m, i.to, 0);
}

known_numbers::number code_operands::number_of(const machine& m, const operand& o) const {
    switch (o.is) {
    case operand::kind::number:
        return static_cast<std::uint64_t>(o.offset);
    case operand::kind::general:
        return m.numbers.in_register(o.base, o.size);
    case operand::kind::fixed:
        return constant_at(static_cast<std::uintptr_t>(o.offset), o.size);
    case operand::kind::memory:
        break;
    case operand::kind::nothing:
        return {};
    }
    if (const std::optional<std::uintptr_t> a = address_of(m, o); !a || *a != 0)
        return a ? m.numbers.at(*a, o.size) : known_numbers::number{};
    auto a = static_cast<std::uint64_t>(o.offset);
    for (const auto& [r, times] : {std::pair{o.base, std::uint8_t{1}}, std::pair{o.index, o.scale}}) {
        if (r == no_register) continue;
        const known_numbers::number n = m.numbers.in_register(r, word);
        if (!n) return {};
        a += *n * times;
    }
    return constant_at(a, o.size);
}

void code_operands::keep(machine& m, const operand& to, std::uint64_t value) const {
    if (to.is == operand::kind::general)
        return m.numbers.set_register(static_cast<std::size_t>(to.base), value, to.size);
    const std::optional<std::uintptr_t> a = address_of(m, to);
    if (a && *a != 0 && *a + to.size <= kept_) m.numbers.set(*a, to.size, value);
}

bool code_operands::combine(machine& m, const instruction& i, std::uintptr_t value, std::uintptr_t other) {
    if (value == 0 && other == 0) return write(m, i.to, 0);
    if (other != 0 || i.from.is != operand::kind::number) return may_lose_addresses(m) && write(m, i.to, 0);
    const auto by = static_cast<std::uintptr_t>(i.from.offset);
    switch (i.how) {
    case instruction::arithmetic::add:
        value += by;
        break;
    case instruction::arithmetic::subtract:
        value -= by;
        break;
    case instruction::arithmetic::mask:
        value &= by;
        break;
    default:
        return false;
    }
    if (!stack_.contains(value) || !write(m, i.to, value)) return false;
    if (i.to.is == operand::kind::general && i.to.base == rsp) drop_below_stack(m);
    return true;
}

} // namespace ringproof::verify
