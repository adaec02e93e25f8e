// SPDX-License-Identifier: Apache-2.0
// Loads and stores of X86 as relaxed atomics, which is what they are to the checker's tso.
#include "../parse/x86.hpp"
#include "translate.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::witness {
namespace {

using namespace x86;
using kind = step::kind;

} // namespace

code translate_x86(const test& t, std::size_t thread, const litmus::program& p,
                   std::vector<std::string>& locals, std::array<std::int64_t, most_registers>& registers) {
    const x86::program whole = x86::parse_program(t);
    const x86::thread& from = whole.threads[thread];
    for (std::size_t r = 0; r < reg_count; ++r) {
        if (!from.addresses[r].empty()) throw untranslatable("a register holds an address");
        locals.emplace_back(register_name(static_cast<reg>(r), 32));
        registers[r] = from.registers[r];
    }
    const auto scratch = static_cast<std::uint8_t>(reg_count);
    code made;
    const auto add = [&](kind what) -> step& {
        made.emplace_back().what = what;
        return made.back();
    };
    const auto location = [&](const operand& o) {
        const auto at = std::find(p.locations.begin(), p.locations.end(), o.symbol);
        if (at == p.locations.end()) throw untranslatable("an address in a register");
        return static_cast<std::uint8_t>(at - p.locations.begin());
    };
    const auto value = [&](const operand& o) {
        if (o.is_register()) return static_cast<std::uint8_t>(o.name);
        step& s = add(kind::number);
        s.target = scratch;
        s.number = o.number;
        return scratch;
    };
    for (const x86::instruction& i : from.code) {
        const auto& [to, source] = i.operands;
        if (i.bits != 32) throw untranslatable("an operand that is not 32 bits wide");
        switch (i.what) {
        case opcode::nop:
        case opcode::pause:
        case opcode::lfence:
        case opcode::sfence:
            break;
        case opcode::mfence:
            add(kind::fence).order = __ATOMIC_SEQ_CST;
            break;
        case opcode::mov: {
            if (to.is_memory()) {
                const std::uint8_t a = value(source);
                step& s = add(kind::store);
                s.location = location(to);
                s.a = a;
            } else if (source.is_memory()) {
                step& s = add(kind::load);
                s.target = static_cast<std::uint8_t>(to.name);
                s.location = location(source);
            } else {
                const std::uint8_t a = value(source);
                step& s = add(kind::copy);
                s.target = static_cast<std::uint8_t>(to.name);
                s.a = a;
            }
            break;
        }
        case opcode::xchg: {
            const operand &memory = to.is_memory() ? to : source, &other = to.is_memory() ? source : to;
            if (!memory.is_memory()) throw untranslatable("an XCHG of registers");
            step& s = add(kind::exchange);
            s.location = location(memory);
            s.target = s.a = static_cast<std::uint8_t>(other.name);
            s.order = __ATOMIC_SEQ_CST;
            break;
        }
        default:
            throw untranslatable("an instruction other than MOV, XCHG and fences");
        }
    }
    return made;
}

} // namespace ringproof::litmus::witness
