// SPDX-License-Identifier: Apache-2.0
// AArch64 tests keep their instructions as they are written; around them, registers get their initial
// values and those that final states show are stored.
#include "generate.hpp"

#include "../parse/aarch64.hpp"
#include "../parse/text.hpp"
#include "frame.hpp"
#include "runner.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <regex>
#include <set>

namespace ringproof::litmus {
namespace {

// Ours: where the instance lies, where the outputs go. Not x18 or x29 to x30, which the system has.
constexpr const char* instance_register = "x27";
constexpr const char* output_register = "x26";
constexpr int first_of_ours = 26;

std::string text_of(const test& t, const cell& c) {
    std::string s = t.from.text.substr(c.begin, c.end - c.begin);
    s.erase(std::find_if_not(s.rbegin(), s.rend(), [](unsigned char x) { return std::isspace(x); }).base(),
            s.end());
    s.erase(s.begin(), std::find_if_not(s.begin(), s.end(), [](unsigned char x) { return std::isspace(x); }));
    return s;
}

/// The number of X7 or W7; -1 for any other word, XZR and WZR included: they need no value and no room.
int register_number(const std::string& word) {
    const auto r = aarch64::find_register(word);
    return r && !r->zero() && r->number != aarch64::stack_pointer ? r->number : -1;
}

void find_registers(const std::string& text, std::set<int>& found) {
    static const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
    for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
        if (const int n = register_number(at->str()); n >= 0) found.insert(n);
}

std::string unique_labels(const std::string& line, const std::set<std::string>& labels) {
    static const std::regex word("[A-Za-z_][A-Za-z0-9_.]*");
    std::string out;
    std::size_t done = 0;
    for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at) {
        const auto begin = static_cast<std::size_t>(at->position());
        out += line.substr(done, begin - done);
        out += labels.count(at->str()) ? ".Lringproof_%=_" + at->str() : at->str();
        done = begin + at->str().size();
    }
    return out + line.substr(done);
}

struct thread_text {
    std::vector<std::string> lines;
    std::set<std::string> labels;
    std::set<int> registers;
    std::map<int, init_entry> init;
};

bool wide_access(const std::string& line) {
    static const std::regex access("(LD|ST|CAS|SWP)[A-Z]*\\s+X.*", std::regex::icase);
    return std::regex_match(line, access);
}

/// The threads' lines, the registers that they name, and their labels.
std::vector<thread_text> read_threads(const test& t) {
    static const std::regex label("\\s*([A-Za-z_][A-Za-z0-9_]*)\\s*:.*");
    std::vector<thread_text> threads(t.threads.size());
    for (std::size_t i = 0; i < threads.size(); ++i)
        for (const cell& c : t.threads[i]) {
            const std::string line = text_of(t, c);
            std::smatch named;
            static const std::regex stack("\\bw?sp\\b", std::regex::icase);
            if (std::regex_search(line, stack))
                throw not_on_this_machine("tests that use SP run only in the simulator");
            if (std::regex_match(line, named, label)) threads[i].labels.insert(named[1]);
            find_registers(line, threads[i].registers);
            threads[i].lines.push_back(line);
        }
    return threads;
}

/// Any access of 64 bits makes all locations as wide.
int bits_of(const std::vector<thread_text>& threads) {
    for (const thread_text& one : threads)
        if (std::any_of(one.lines.begin(), one.lines.end(), wide_access)) return 64;
    return 32;
}

class program_text {
  public:
    program_text(const test& t, const std::vector<location>& shown)
        : test_(t), shown_(shown), threads_(read_threads(t)), bits_(bits_of(threads_)) {}

    std::string generate() {
        refuse_arrays(test_);
        declare_initial_state();
        for (const location& l : shown_) {
            if (!l.is_register())
                declare(l.name);
            else
                threads_.at(static_cast<std::size_t>(l.thread))
                    .registers.insert(std::max(0, register_number(l.name)));
        }
        std::string s = frame::prologue();
        for (std::size_t i = 0; i < threads_.size(); ++i) s += thread_function(i);
        return s + frame::collect(what_, shown_) +
               frame::table(what_, std::vector<frame::steps>(threads_.size()));
    }

  private:
    variable& declare(const std::string& name) {
        const std::size_t v = find_variable(what_.variables, name);
        if (v == what_.variables.size()) what_.variables.push_back({name, bits_, 0});
        return what_.variables[v];
    }

    void declare_initial_state() {
        for (const init_entry& e : test_.init) {
            if (!e.symbol.empty()) declare(e.symbol);
            if (!e.where.is_register()) {
                if (!e.symbol.empty())
                    throw not_on_this_machine("tests with addresses in memory run only in the simulator");
                declare(e.where.name).initial = e.number;
                if (e.type.find("64") != std::string::npos) declare(e.where.name).bits = 64;
            } else if (const int n = register_number(e.where.name);
                       n >= 0 && e.where.thread < static_cast<int>(threads_.size())) {
                threads_[static_cast<std::size_t>(e.where.thread)].init[n] = e;
                threads_[static_cast<std::size_t>(e.where.thread)].registers.insert(n);
            }
        }
    }

    std::string thread_function(std::size_t i) {
        const thread_text& one = threads_[i];
        if (!one.registers.empty() && (*one.registers.rbegin() >= first_of_ours || one.registers.count(18)))
            throw not_on_this_machine("tests that use X18 or a register above X25 run only in the simulator");
        what_.outputs.emplace_back(), what_.loads.emplace_back(), what_.stores.emplace_back();
        for (std::size_t n = 0; n < shown_.size(); ++n)
            if (shown_[n].thread == static_cast<int>(i))
                what_.outputs[i].push_back({n, upper(shown_[n].name)[0] == 'W' ? 32 : 64});
        std::string s = frame::out_struct(what_, i) + frame::run_head(i);
        s += fmt::format(
            "        register char* rp_base __asm__(\"{}\") = p;\n"
            "        register struct out_{}* rp_out __asm__(\"{}\") = o + k;\n        __asm__ volatile(\n",
            instance_register, i, output_register);
        std::vector<std::string> lines = load_registers(one);
        for (const std::string& line : one.lines) lines.push_back(unique_labels(line, one.labels));
        std::string places, clobbers;
        for (const frame::output& out : what_.outputs[i]) {
            const int r = register_number(shown_[out.state_index].name);
            lines.push_back(fmt::format("str {}{}, [{}, %[v{}]]", out.bits == 64 ? 'x' : 'w', std::max(0, r),
                                        output_register, out.state_index));
            places +=
                fmt::format(", [v{0}] \"i\"(__builtin_offsetof(struct out_{1}, v{0}))", out.state_index, i);
        }
        for (const std::string& line : lines) s += fmt::format("            \"{}\\n\"\n", line);
        for (const int r : one.registers) clobbers += fmt::format("\"x{}\", ", r);
        s += fmt::format(
            "            : : \"r\"(rp_base), \"r\"(rp_out){} : {}\"memory\", \"cc\");\n    }}\n}}\n", places,
            clobbers);
        for (const auto& [r, e] : one.init)
            if (!e.symbol.empty()) what_.loads[i].push_back(find_variable(what_.variables, e.symbol));
        return s + frame::hints(what_, i);
    }

    /// Gives the registers their initial values.
    std::vector<std::string> load_registers(const thread_text& one) const {
        std::vector<std::string> lines;
        for (const int r : one.registers) {
            const auto at = one.init.find(r);
            if (at != one.init.end() && !at->second.symbol.empty())
                lines.push_back(
                    fmt::format("add x{}, {}, #{}", r, instance_register,
                                find_variable(what_.variables, at->second.symbol) * variable_pitch));
            else
                lines.push_back(fmt::format("ldr x{}, ={}", r, at == one.init.end() ? 0 : at->second.number));
        }
        return lines;
    }

    const test& test_;
    const std::vector<location>& shown_;
    std::vector<thread_text> threads_;
    const int bits_; ///< of a location that is not declared wider
    frame::description what_;
};

} // namespace

std::string generate_aarch64(const test& t, const std::vector<location>& shown) {
    return program_text(t, shown).generate();
}

} // namespace ringproof::litmus
