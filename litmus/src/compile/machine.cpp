// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ringproof::litmus::compiled {
namespace {

class writer {
  public:
    writer(const machine& m, const test& t, const unit& u) : machine_(m), test_(t), unit_(u) {}

    compiled_test write(std::size_t number, const std::map<std::string, code>& functions) {
        symbol_names symbols;
        for (const shared_variable& v : unit_.variables) symbols[symbol(number, v.name)] = v.name;
        for (std::size_t i = 0; i < unit_.threads; ++i) {
            const auto at = functions.find(symbol(number, fmt::format("P{}", i)));
            if (at == functions.end())
                throw unreadable(fmt::format("the assembly has no function for thread {}", i));
            threads_.push_back(machine_.reader(at->second, symbols, i)->read());
        }
        std::string text = fmt::format("{} {}\n{{\n", machine_.dialect, test_.name);
        initial_state(text);
        text += "}\n";
        code_table(text);
        std::string shown;
        for (const shared_variable& v : unit_.variables)
            if (v.shown) shown += fmt::format("{};", v.name);
        text += fmt::format("locations [{}]\n", shown);
        if (test_.filter) text += fmt::format("filter {}\n", to_string(renamed(*test_.filter)));
        condition asked = test_.final;
        asked.what = renamed(asked.what);
        text += to_string(asked) + "\n";
        int jumps_back = 0;
        for (const machine_thread& one : threads_) jumps_back = std::max(jumps_back, one.jumps_back);
        return {text, jumps_back};
    }

  private:
    void initial_state(std::string& text) const {
        for (const shared_variable& v : unit_.variables) {
            const auto given = std::find_if(test_.init.begin(), test_.init.end(),
                                            [&](const init_entry& e) { return e.where == v.from; });
            std::string value = "0";
            if (given != test_.init.end())
                value = given->symbol.empty() ? std::to_string(given->number) : given->symbol;
            text += fmt::format("{} {}={};\n", v.type, v.name, value);
        }
        for (std::size_t i = 0; i < threads_.size(); ++i)
            for (const auto& [reg, location] : threads_[i].addresses)
                text += fmt::format("{}:{}={};\n", i, reg, location);
    }

    void code_table(std::string& text) const {
        std::size_t rows = 0;
        for (const machine_thread& t : threads_) rows = std::max(rows, t.rows.size());
        std::vector<std::size_t> widths;
        for (const machine_thread& t : threads_) {
            std::size_t width = 3;
            for (const std::string& row : t.rows) width = std::max(width, row.size());
            widths.push_back(width);
        }
        for (std::size_t k = 0; k <= rows; ++k) {
            for (std::size_t i = 0; i < threads_.size(); ++i) {
                std::string cell;
                if (k == 0)
                    cell = fmt::format("P{}", i);
                else if (k <= threads_[i].rows.size())
                    cell = threads_[i].rows[k - 1];
                text += fmt::format("{} {:<{}} ", i != 0 ? "|" : "", cell, widths[i]);
            }
            text += ";\n";
        }
    }

    void rename(location& l) const {
        if (!l.is_register()) return;
        l.name = fmt::format("P{}_{}", l.thread, l.name);
        l.thread = -1;
    }

    /// The same of registers that are locations now.
    proposition renamed(proposition p) const {
        rename(p.left);
        if (p.other) rename(*p.other);
        for (proposition& part : p.parts) part = renamed(std::move(part));
        return p;
    }

    const machine& machine_;
    const test& test_;
    const unit& unit_;
    std::vector<machine_thread> threads_;
};

} // namespace

const machine* find_machine(std::string_view triple) {
    // Outlined atomics are functions that choose their instructions when the program runs.
    static const std::array<machine, 3> all{
        machine{"aarch64", "AArch64", "aarch64", "//", {"-mno-outline-atomics"}, aarch64_reader},
        machine{"riscv64", "RISCV", "riscv", "#", {"-mcmodel=medlow"}, riscv_reader},
        machine{"x86_64", "X86_64", "x86-tso", "#", {"-fcf-protection=none"}, x86_reader}};
    for (const machine& m : all)
        if (triple.starts_with(m.triple)) return &m;
    return nullptr;
}

compiled_test machine_test(const machine& m, const test& t, const unit& u, std::size_t number,
                           const std::map<std::string, code>& functions) {
    return writer(m, t, u).write(number, functions);
}

} // namespace ringproof::litmus::compiled
