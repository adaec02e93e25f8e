// SPDX-License-Identifier: Apache-2.0
// RISC-V: %hi and %lo, the assembler's ways to name a location, the stack.
#include "reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::compiled {
namespace {

/// "8(a0)", "%lo(x)(a0)", "(a0)", or no address at all.
struct place {
    std::string base;   ///< empty: no address
    std::string symbol; ///< of %lo
    std::string offset; ///< else
};

std::string inside(const std::string& text, std::string_view relocation) {
    if (!text.starts_with(relocation) || text.size() < relocation.size() + 2 ||
        text[relocation.size()] != '(' || text.back() != ')')
        return "";
    return text.substr(relocation.size() + 1, text.size() - relocation.size() - 2);
}

place place_of(const std::string& text) {
    const std::size_t open = text.rfind('(');
    if (open == std::string::npos || text.back() != ')' || text.starts_with("%hi")) return {};
    place p{text.substr(open + 1, text.size() - open - 2), "", text.substr(0, open)};
    if (p.offset.empty() && text[0] == '%') return {};
    p.symbol = inside(p.offset, "%lo");
    return p;
}

class reader final : public thread_reader {
  public:
    reader(const code& function, const symbol_names& symbols) : thread_reader(function, symbols, "j") {
        std::set<std::string> used;
        for (const code_line& l : function)
            for (const std::string& one : l.operands) {
                used.insert(one);
                used.insert(place_of(one).base);
            }
        // Those that calls preserve are taken first: compiled functions use them last.
        for (const auto& [letter, count] : {std::pair{'a', 8}, std::pair{'t', 7}, std::pair{'s', 12}})
            for (int i = letter == 's' ? 1 : 0; i < count; ++i)
                if (const std::string r = fmt::format("{}{}", letter, i); used.count(r) == 0)
                    free_.push_back(r);
    }

  private:
    void step(const code_line& l) override {
        if (l.name == "ret" || (l.name == "jr" && l.operands == std::vector<std::string>{"ra"}))
            return leave();
        if (l.name == "nop") return;
        if (address(l) || branch(l) || stack(l)) return;
        forget(l);
        emit(l, l.operands);
    }

    void forget(const code_line& l) {
        if (!l.operands.empty()) pages_.erase(l.operands[0]);
    }

    void need_page(const code_line& l, const std::string& reg, const std::string& symbol) const {
        const auto at = pages_.find(reg);
        if (at == pages_.end() || at->second != symbol)
            l.refuse("its register does not hold the upper bits of this symbol");
    }

    bool address(const code_line& l) {
        const std::vector<std::string>& o = l.operands;
        if (l.name == "call" || l.name == "tail" || l.name == "jal" || l.name == "jalr" || l.name == "auipc")
            l.refuse("calls and addresses relative to the program counter are not supported: compile with "
                     "-mcmodel=medlow -fno-pie");
        if (o.size() == 2 && (l.name == "lui" || l.name == "la" || l.name == "lla")) {
            const std::string symbol = l.name == "lui" ? inside(o[1], "%hi") : o[1];
            if (symbol.empty()) return false;
            const std::string holder = address_register(l, symbol);
            forget(l);
            if (l.name == "lui") pages_[o[0]] = symbol;
            emit(fmt::format("mv {},{}", o[0], holder));
            return true;
        }
        if (l.name == "addi" && o.size() == 3) {
            const std::string symbol = inside(o[2], "%lo");
            if (symbol.empty()) return false;
            need_page(l, o[1], symbol);
            forget(l);
            emit(fmt::format("mv {},{}", o[0], o[1]));
            return true;
        }
        if (o.empty()) return false;
        const place p = place_of(o.back());
        if (p.symbol.empty()) return false;
        need_page(l, p.base, p.symbol);
        if (l.name[0] == 'l') forget(l);
        std::vector<std::string> changed = o;
        changed.back() = fmt::format("0({})", p.base);
        emit(l, changed);
        return true;
    }

    bool branch(const code_line& l) {
        static constexpr std::string_view swapped[][2] = {
            {"bgt", "blt"}, {"ble", "bge"}, {"bgtu", "bltu"}, {"bleu", "bgeu"}};
        static constexpr std::string_view zero[][2] = {{"blez", "bge"}, {"bgtz", "blt"}}; // zero first
        static constexpr std::string_view behind[][2] = {{"bltz", "blt"}, {"bgez", "bge"}};
        static constexpr std::string_view same[] = {"beq",  "bne",  "blt",  "bge", "bltu",
                                                    "bgeu", "beqz", "bnez", "j"};
        std::vector<std::string> o = l.operands;
        code_line changed = l;
        const auto is = [&](std::string_view from, std::string_view to) {
            if (l.name == from) changed.name = to;
            return l.name == from;
        };
        bool found = std::find(std::begin(same), std::end(same), l.name) != std::end(same);
        for (const auto& [from, to] : swapped)
            if (o.size() == 3 && is(from, to)) std::swap(o[0], o[1]), found = true;
        for (const auto& [from, to] : zero)
            if (o.size() == 2 && is(from, to)) o.insert(o.begin(), "zero"), found = true;
        for (const auto& [from, to] : behind)
            if (o.size() == 2 && is(from, to)) o.insert(o.begin() + 1, "zero"), found = true;
        if (!found) return false;
        if (o.empty()) l.refuse("expected a label");
        o.back() = label(l, o.back());
        emit(changed, o);
        return true;
    }

    bool stack(const code_line& l) {
        const std::vector<std::string>& o = l.operands;
        const place p = o.empty() ? place() : place_of(o.back());
        if (p.base != "sp" && std::find(o.begin(), o.end(), "sp") == o.end()) return false;
        long n = 0;
        if (l.name == "addi" && o.size() == 3 && o[0] == "sp" && o[1] == "sp" && parse_number(o[2], n)) {
            depth_ -= n;
            return true;
        }
        const bool load = l.name == "lw" || l.name == "ld", wide = l.name == "ld" || l.name == "sd";
        if (p.base != "sp" || o.size() != 2 || (!load && l.name != "sw" && l.name != "sd") ||
            !parse_number(p.offset.empty() ? "0" : p.offset, n))
            l.refuse("this use of the stack is not supported: compile with -O1 or more");
        const std::string own = slot_register(l, n, wide ? 8 : 4);
        if (load) forget(l);
        const char* copy = wide ? "mv" : "sext.w";
        emit(load ? fmt::format("{} {},{}", copy, o[0], own) : fmt::format("{} {},{}", copy, own, o[0]));
        return true;
    }
};

} // namespace

std::unique_ptr<thread_reader> riscv_reader(const code& function, const symbol_names& symbols, std::size_t) {
    return std::make_unique<reader>(function, symbols);
}

} // namespace ringproof::litmus::compiled
