// SPDX-License-Identifier: Apache-2.0
// AArch64: ADRP and :lo12:, the GOT, the stack, and the names of branches.
#include "../parse/aarch64.hpp"
#include "reader.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ringproof::litmus::compiled {
namespace {

using aarch64::find_register;
using operands = std::vector<std::string>;

/// "[x0, #12]" -> x0, #12
operands parts_of(std::string text) {
    operands parts;
    if (!text.empty() && text.back() == '!') text.pop_back();
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return parts;
    parts.emplace_back();
    for (const char c : text.substr(1, text.size() - 2)) {
        if (c == ',')
            parts.emplace_back();
        else if (c != ' ' && c != '\t')
            parts.back() += c;
    }
    return parts;
}

/// The symbol in "#:lo12:x", or in another relocation of this kind; "" if it is none.
std::string relocated(std::string text, std::string_view kind) {
    if (!text.empty() && text[0] == '#') text.erase(0, 1);
    return text.starts_with(kind) ? text.substr(kind.size()) : std::string();
}

class reader final : public thread_reader {
  public:
    reader(const code& function, const symbol_names& symbols) : thread_reader(function, symbols, "b") {
        std::array<bool, 31> used{};
        for (const code_line& l : function)
            for (const std::string& one : l.operands) {
                operands words = parts_of(one);
                words.push_back(one);
                for (const std::string& word : words)
                    if (const auto r = find_register(word); r && r->number < 31)
                        used[static_cast<std::size_t>(r->number)] = true;
            }
        for (std::size_t r = 0; r < used.size(); ++r) // the highest numbers first
            if (!used[r]) free_.push_back(fmt::format("x{}", r));
    }

  private:
    void step(const code_line& l) override {
        if (l.name == "ret") return leave();
        static constexpr std::string_view hints[] = {"nop", "hint", "bti", "prfm", "prfum", "yield"};
        if (std::find(std::begin(hints), std::end(hints), l.name) != std::end(hints)) return;
        if (l.name == "adrp") return page(l);
        if (branch(l) || stack(l) || address(l)) return;
        forget(l);
        emit(l, l.operands);
    }

    void page(const code_line& l) {
        if (l.operands.size() != 2) l.refuse("expected a register and a symbol");
        const std::string got = relocated(l.operands[1], ":got:");
        const std::string symbol = got.empty() ? l.operands[1] : got;
        const auto r = find_register(l.operands[0]);
        if (!r) l.refuse("expected a register");
        const std::string holder = address_register(l, symbol);
        pages_[r->name()] = symbol;
        emit(fmt::format("mov {},{}", r->name(), holder));
    }

    /// Registers that an instruction may change hold no page any more.
    void forget(const code_line& l) {
        for (const std::string& one : l.operands)
            if (const auto r = find_register(one)) pages_.erase(r->name());
    }

    bool holds_page(const std::string& reg, const std::string& symbol) const {
        const auto r = find_register(reg);
        const auto at = r ? pages_.find(r->name()) : pages_.end();
        return at != pages_.end() && at->second == symbol;
    }

    /// ADRP has loaded the whole address, so what adds its lowest 12 bits adds nothing.
    bool address(const code_line& l) {
        operands changed = l.operands;
        if (l.name == "add" && changed.size() == 3) {
            const std::string symbol = relocated(changed[2], ":lo12:");
            if (symbol.empty()) return false;
            if (!holds_page(changed[1], symbol))
                l.refuse("its register does not hold the page of this symbol");
            forget(l);
            emit(fmt::format("mov {},{}", changed[0], changed[1]));
            return true;
        }
        for (std::string& one : changed) {
            const operands parts = parts_of(one);
            if (parts.size() != 2) continue;
            const std::string low = relocated(parts[1], ":lo12:"), got = relocated(parts[1], ":got_lo12:");
            const std::string& symbol = got.empty() ? low : got;
            if (symbol.empty()) continue;
            if (!holds_page(parts[0], symbol)) l.refuse("its register does not hold the page of this symbol");
            if (!got.empty() && l.name != "ldr") l.refuse("expected a load of the address");
            forget(l);
            if (!got.empty())
                emit(fmt::format("mov {},{}", changed[0], parts[0]));
            else {
                one = fmt::format("[{}]", parts[0]);
                emit(l, changed);
            }
            return true;
        }
        return false;
    }

    bool branch(const code_line& l) {
        static constexpr std::string_view conditions[] = {"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl",
                                                          "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"};
        if (l.name == "bl" || l.name == "blr" || l.name == "br") {
            if (!l.operands.empty() && l.operands[0].starts_with("__aarch64_"))
                l.refuse(
                    "this function of the compiler's library chooses its instructions when the program runs: "
                    "compile with -mno-outline-atomics, or with -march=armv8.1-a");
            l.refuse("calls and jumps to other functions are not supported");
        }
        const bool dotted = l.name.starts_with("b.");
        const std::string_view condition = std::string_view(l.name).substr(dotted ? 2 : 1);
        const bool conditional = l.name[0] == 'b' && std::find(std::begin(conditions), std::end(conditions),
                                                               condition) != std::end(conditions);
        if (!conditional && l.name != "b" && l.name != "cbz" && l.name != "cbnz" && l.name != "tbz" &&
            l.name != "tbnz")
            return false;
        if (l.operands.empty()) l.refuse("expected a label");
        operands changed = l.operands;
        changed.back() = label(l, changed.back());
        code_line same = l;
        if (conditional) same.name = fmt::format("b.{}", condition);
        emit(same, changed);
        return true;
    }

    /// Slots of the stack are registers. Its pointer is moved by constants only.
    bool stack(const code_line& l) {
        const auto mentions = [](const std::string& s) {
            const operands parts = parts_of(s);
            return s == "sp" || s == "wsp" || (!parts.empty() && parts[0] == "sp");
        };
        if (std::none_of(l.operands.begin(), l.operands.end(), mentions)) return false;
        long n = 0;
        if ((l.name == "sub" || l.name == "add") && l.operands.size() == 3 && l.operands[0] == "sp" &&
            l.operands[1] == "sp" && parse_number(l.operands[2], n)) {
            depth_ += l.name == "sub" ? n : -n;
            return true;
        }
        const bool pair = l.name == "stp" || l.name == "ldp";
        const bool load = l.name == "ldr" || l.name == "ldur" || l.name == "ldp";
        if (!load && l.name != "str" && l.name != "stur" && l.name != "stp")
            l.refuse("this use of the stack is not supported: compile with -O1 or more");
        const std::size_t registers = pair ? 2 : 1;
        if (l.operands.size() <= registers) l.refuse("expected an address");
        const std::string& place = l.operands[registers];
        const operands parts = parts_of(place);
        long offset = 0;
        if (parts.size() > 2 || (parts.size() == 2 && !parse_number(parts[1], offset)))
            l.refuse("expected a constant offset");
        if (place.back() == '!') depth_ -= offset, offset = 0;
        for (std::size_t k = 0; k < registers; ++k) slot(l, l.operands[k], offset, k, load);
        if (l.operands.size() > registers + 1) { // post-index
            if (!parse_number(l.operands[registers + 1], n)) l.refuse("expected a number");
            depth_ -= n;
        }
        return true;
    }

    void slot(const code_line& l, const std::string& reg, long offset, std::size_t k, bool load) {
        const auto r = find_register(reg);
        if (!r) l.refuse("expected a general register");
        const int bytes = r->wide ? 8 : 4;
        std::string own = slot_register(l, offset + static_cast<long>(k) * bytes, bytes);
        if (!r->wide) own[0] = 'w';
        pages_.erase(r->name());
        emit(load ? fmt::format("mov {},{}", reg, own) : fmt::format("mov {},{}", own, reg));
    }
};

} // namespace

std::unique_ptr<thread_reader> aarch64_reader(const code& function, const symbol_names& symbols,
                                              std::size_t) {
    return std::make_unique<reader>(function, symbols);
}

} // namespace ringproof::litmus::compiled
