// SPDX-License-Identifier: Apache-2.0
// x86-64 in AT&T's form: operands are turned round, locations named, stack slots are registers.
#include "../parse/text.hpp"
#include "../parse/x86.hpp"
#include "reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::compiled {
namespace {

using namespace x86;

constexpr std::string_view byte_names[][2] = {
    {"al", "eax"},    {"bl", "ebx"},    {"cl", "ecx"},    {"dl", "edx"},    {"sil", "esi"},
    {"dil", "edi"},   {"bpl", "ebp"},   {"r8b", "r8d"},   {"r9b", "r9d"},   {"r10b", "r10d"},
    {"r11b", "r11d"}, {"r12b", "r12d"}, {"r13b", "r13d"}, {"r14b", "r14d"}, {"r15b", "r15d"}};

/// "%dl" -> "edx"; "" for what is no register of a byte.
std::string whole_of(const std::string& text) {
    for (const auto& [byte, whole] : byte_names)
        if (text.size() > 1 && text[0] == '%' && std::string_view(text).substr(1) == byte)
            return std::string(whole);
    return "";
}

class reader final : public thread_reader {
  public:
    reader(const code& function, const symbol_names& symbols, std::size_t thread)
        : thread_reader(function, symbols, "jmp"), own_(fmt::format("P{}_", thread)) {
        std::set<std::size_t> used;
        for (const code_line& l : function)
            for (const std::string& one : l.operands)
                for (std::size_t at = 0; (at = one.find('%', at)) != std::string::npos; ++at) {
                    const std::size_t end = std::min(one.find_first_of("),", at), one.size());
                    const std::string name = one.substr(at + 1, end - at - 1), whole = whole_of("%" + name);
                    reg which{};
                    int bits = 0;
                    if (find_register(whole.empty() ? name : whole, which, bits))
                        used.insert(static_cast<std::size_t>(which));
                }
        for (std::size_t r = 0; r < reg_count; ++r)
            if (used.count(r) == 0) free_.emplace_back(register_name(static_cast<reg>(r), 64));
    }

  private:
    void step(const code_line& l) override {
        if (l.name == "ret" || l.name == "retq") return leave();
        if (l.name == "nop" || l.name == "endbr64" || l.name.starts_with("nop")) return;
        if (l.name.starts_with("call")) l.refuse("calls are not supported");
        if (l.name == "ud2" || l.name == "leave") l.refuse("this instruction is not supported");
        if (l.name[0] == 'j') {
            if (l.operands.size() != 1) l.refuse("expected a label");
            return emit(l, {label(l, l.operands[0])});
        }
        if (stack(l) || move_address(l) || byte_or_choice(l)) return;
        forget(l);
        std::vector<std::string> changed;
        for (auto one = l.operands.rbegin(); one != l.operands.rend(); ++one)
            changed.push_back(operand(l, *one));
        emit(l, changed);
    }

    /// As Intel writes it: $1, EAX, [x], [RAX].
    std::string operand(const code_line& l, const std::string& text) {
        if (text[0] == '$') {
            long n = 0;
            if (!parse_number(text, n)) l.refuse("expected a number");
            return fmt::format("${}", n);
        }
        if (text[0] == '%') {
            if (!whole_of(text).empty()) l.refuse("registers of one byte are not supported here");
            return text.substr(1);
        }
        const std::size_t open = text.find('(');
        if (open == std::string::npos) return fmt::format("[{}]", location_of(l, text));
        const std::string base = text.substr(open), before = text.substr(0, open);
        if (base == "(%rip)") return fmt::format("[{}]", location_of(l, before));
        if (base == "(%rsp)") {
            long n = 0;
            if (!before.empty() && !parse_number(before, n)) l.refuse("expected a constant offset");
            return slot(l, n);
        }
        if (!before.empty() || base.find(',') != std::string::npos)
            l.refuse("addresses with an offset or an index are not supported");
        return fmt::format("[{}]", base.substr(2, base.size() - 3));
    }

    /// A register, as wide as the instruction. A full fence, `lock orq $0, (%rsp)`, changes nothing wherever it points,
    /// and is of a location of the thread's own.
    std::string slot(const code_line& l, long offset) {
        if ((l.name == "lock orq" || l.name == "lock orl") && l.operands[0] == "$0")
            return fmt::format("[{}stack{}]", own_, l.name.substr(7));
        const char suffix = l.name.back();
        if (l.name.starts_with("lock") || l.name.starts_with("xchg") || l.name.starts_with("movz") ||
            l.name.starts_with("movs") || (suffix != 'l' && suffix != 'q'))
            l.refuse("this use of the stack is not supported");
        reg which{};
        int bits = 0;
        find_register(slot_register(l, offset, suffix == 'q' ? 8 : 4), which, bits);
        return std::string(register_name(which, suffix == 'q' ? 64 : 32));
    }

    bool stack(const code_line& l) {
        const std::vector<std::string>& o = l.operands;
        long n = 0;
        if (o.size() == 2 && o[1] == "%rsp") {
            const bool down = l.name == "subq";
            if ((!down && l.name != "addq") || !parse_number(o[0], n))
                l.refuse("this use of the stack is not supported");
            depth_ += down ? n : -n;
            return true;
        }
        if (l.name == "pushq" && o.size() == 1) {
            depth_ += 8;
            emit(fmt::format("movq {},{}", slot(l, 0), operand(l, o[0])));
            return true;
        }
        if (l.name == "popq" && o.size() == 1) {
            emit(fmt::format("movq {},{}", operand(l, o[0]), slot(l, 0)));
            depth_ -= 8;
            return true;
        }
        for (const std::string& one : o)
            if (one.find("%rsp") != std::string::npos && l.name.starts_with("lea"))
                l.refuse("the address of a stack slot is not supported");
        return false;
    }

    /// The address of a location as a value.
    bool move_address(const code_line& l) {
        const std::vector<std::string>& o = l.operands;
        if (o.size() != 2) return false;
        std::string symbol;
        if (l.name == "leaq" && o[0].ends_with("(%rip)")) symbol = o[0].substr(0, o[0].size() - 6);
        if ((l.name == "movl" || l.name == "movq") && o[0][0] == '$' && o[0].size() > 1 &&
            std::isdigit(static_cast<unsigned char>(o[0][1])) == 0 && o[0][1] != '-')
            symbol = o[0].substr(1);
        if (l.name == "movq" && o[0].ends_with("@GOTPCREL(%rip)")) symbol = o[0].substr(0, o[0].size() - 15);
        if (symbol.empty()) return false;
        std::string place = operand(l, o[1]);
        reg to{};
        int bits = 0;
        if (find_register(place, to, bits)) place = register_name(to, 64);
        forget(l);
        emit(fmt::format("movq {},{}", place, address_register(l, symbol)));
        return true;
    }

    /// SETcc and CMOVcc are a jump over a MOV; what SETcc has set is 0 or 1 in the whole register. The upper bytes, which
    /// SETcc keeps, are those that MOVZX clears.
    bool byte_or_choice(const code_line& l) {
        const std::vector<std::string>& o = l.operands;
        if (l.name.starts_with("set") && o.size() == 1) {
            const std::string to = whole_of(o[0]);
            if (to.empty()) l.refuse("expected a register");
            const std::string taken = fresh_label(), end = fresh_label();
            emit(fmt::format("j{} {}", l.name.substr(3), taken));
            emit(fmt::format("movl {},$0", to));
            emit(fmt::format("jmp {}", end));
            emit(taken + ":");
            emit(fmt::format("movl {},$1", to));
            emit(end + ":");
            pages_[to] = flag;
            return true;
        }
        const bool of_bytes = l.name == "movb" && o.size() == 2 && !whole_of(o[1]).empty();
        if ((of_bytes || l.name == "movzbl") && o.size() == 2 && is_flag(whole_of(o[0])) && o[1][0] == '%') {
            const std::string to = of_bytes ? whole_of(o[1]) : o[1].substr(1);
            emit(fmt::format("movl {},{}", to, whole_of(o[0])));
            pages_[to] = flag;
            return true;
        }
        if (l.name == "testb" && o.size() == 2 && o[0] == o[1] && is_flag(whole_of(o[0]))) {
            emit(fmt::format("testl {0},{0}", whole_of(o[0])));
            return true;
        }
        return l.name.starts_with("cmov") && o.size() == 2 && choice(l);
    }

    /// CMOVcc loads its source, whether it moves it or not.
    bool choice(const code_line& l) {
        std::string condition = l.name.substr(4);
        if (condition.size() > 1 && (condition.back() == 'l' || condition.back() == 'q') && condition != "nl")
            condition.pop_back(); // the suffix of the width
        const std::string to = operand(l, l.operands[1]), end = fresh_label(), taken = fresh_label();
        std::string from = operand(l, l.operands[0]);
        if (from[0] == '[') {
            reg which{};
            int bits = 0, width = 0;
            if (!find_register(to, which, width) || !find_register(scratch_register(l), which, bits))
                l.refuse("expected a register");
            const std::string loaded(register_name(which, width));
            emit(fmt::format("mov {},{}", loaded, from));
            from = loaded;
        }
        forget(l);
        emit(fmt::format("j{} {}", condition, taken));
        emit(fmt::format("jmp {}", end));
        emit(taken + ":");
        emit(fmt::format("mov {},{}", to, from));
        emit(end + ":");
        return true;
    }

    /// A table of pages, which x86 has not, says which registers (of 32 bits) are 0 or 1 on all ways to a place.
    static constexpr const char* flag = "0 or 1";
    bool is_flag(const std::string& whole) const { return pages_.count(whole) != 0; }

    void forget(const code_line& l) {
        for (const std::string& one : l.operands) {
            reg which{};
            int bits = 0;
            if (one[0] == '%' && find_register(one.substr(1), which, bits))
                pages_.erase(std::string(register_name(which, 32)));
        }
    }

    std::string own_;
};

} // namespace

std::unique_ptr<thread_reader> x86_reader(const code& function, const symbol_names& symbols,
                                          std::size_t thread) {
    return std::make_unique<reader>(function, symbols, thread);
}

} // namespace ringproof::litmus::compiled
