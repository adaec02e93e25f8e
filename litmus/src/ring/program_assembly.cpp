// SPDX-License-Identifier: Apache-2.0
// The ring's shapes in x86, AArch64 and RISC-V instructions.
#include "program.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::ring {
namespace {

enum class place { data, head, tail };
constexpr const char* place_name[] = {"data", "head", "tail"};

/// One thread. Values loaded go to registers of their own, constants and addresses that are used come
/// from the initial state (x86 has both in its instructions).
class thread_writer {
  public:
    thread_writer(dialect d, int number) : dialect_(d), number_(number) {}

    void load(int r, place from, const std::string& access) {
        const std::string to = register_of(r);
        if (dialect_ == dialect::x86)
            line(fmt::format("MOV {},[{}]", to, name(from)));
        else if (dialect_ == dialect::aarch64)
            line(fmt::format("{} {},[{}]", access.empty() ? "LDR" : access, to, address(from)));
        else
            line(fmt::format("lw {},0({})", to, address(from)));
    }
    void store(int value, place to, const std::string& access) {
        if (dialect_ == dialect::x86) return line(fmt::format("MOV [{}],${}", name(to), value));
        // One after the other: both add to the initial state, and arguments have no order of their own.
        const std::string where = address(to);
        const std::string what = constant(value);
        if (dialect_ == dialect::aarch64)
            line(fmt::format("{} {},[{}]", access.empty() ? "STR" : access, what, where));
        else
            line(fmt::format("sw {},0({})", what, where));
    }
    void fence(const option& o) {
        if (!o.fence.empty()) line(o.fence);
    }
    void skip_unless_set(int r, const std::string& label) {
        if (dialect_ == dialect::aarch64) return line(fmt::format("CBZ {},{}", register_of(r), label));
        if (dialect_ == dialect::riscv) return line(fmt::format("beq {},x0,{}", register_of(r), label));
        line(fmt::format("CMP {},$0", register_of(r)));
        line("JE " + label);
    }
    void skip_unless(int r, int value, const std::string& label) {
        if (dialect_ == dialect::riscv)
            return line(fmt::format("bne {},{},{}", register_of(r), constant(value), label));
        line(fmt::format("CMP {},{}{}", register_of(r), dialect_ == dialect::x86 ? "$" : "#", value));
        line((dialect_ == dialect::x86 ? "JNE " : "B.NE ") + label);
    }
    void mark(const std::string& label) { line(label + ":"); }

    const std::vector<std::string>& lines() const { return lines_; }
    std::string init() const {
        std::string text;
        for (const std::string& one : init_) text += fmt::format(" {}:{};", number_, one);
        return text;
    }

  private:
    static const char* name(place p) { return place_name[static_cast<int>(p)]; }
    void line(std::string text) { lines_.push_back(std::move(text)); }
    void need(std::string one) {
        if (std::find(init_.begin(), init_.end(), one) == init_.end()) init_.push_back(std::move(one));
    }
    std::string register_of(int r) const {
        const std::string wide = value_register(dialect_, r);
        return dialect_ == dialect::aarch64 ? "W" + wide.substr(1) : wide;
    }
    std::string constant(int value) {
        const int number = dialect_ == dialect::aarch64 ? 4 + value : 10 + value;
        need(fmt::format("{}{}={}", dialect_ == dialect::aarch64 ? 'X' : 'x', number, value));
        return fmt::format("{}{}", dialect_ == dialect::aarch64 ? 'W' : 'x', number);
    }
    std::string address(place p) {
        const std::string r = fmt::format("{}{}", dialect_ == dialect::aarch64 ? 'X' : 'x',
                                          (dialect_ == dialect::aarch64 ? 8 : 20) + static_cast<int>(p));
        need(fmt::format("{}={}", r, name(p)));
        return r;
    }

    dialect dialect_;
    int number_;
    std::vector<std::string> lines_;
    std::vector<std::string> init_;
};

/// Two columns.
assembly_text side_by_side(const thread_writer& p0, const thread_writer& p1, const std::string& memory) {
    std::size_t width[2] = {2, 2};
    const std::vector<std::string>* columns[2] = {&p0.lines(), &p1.lines()};
    for (int t = 0; t < 2; ++t)
        for (const std::string& s : *columns[t]) width[t] = std::max(width[t], s.size());
    assembly_text out;
    out.code = fmt::format(" {:<{}} | {:<{}} ;\n", "P0", width[0], "P1", width[1]);
    for (std::size_t i = 0; i < std::max(columns[0]->size(), columns[1]->size()); ++i) {
        const auto cell = [&](int t) { return i < columns[t]->size() ? (*columns[t])[i] : std::string(); };
        out.code += fmt::format(" {:<{}} | {:<{}} ;\n", cell(0), width[0], cell(1), width[1]);
    }
    out.init = memory + p0.init() + p1.init();
    if (!out.init.empty() && out.init[0] == ' ') out.init.erase(0, 1);
    return out;
}

} // namespace

std::string value_register(dialect d, int n) {
    constexpr const char* x86[] = {"EAX", "EBX", "ECX", "EDX"};
    constexpr const char* aarch64[] = {"X0", "X1", "X2", "X3"};
    constexpr const char* riscv[] = {"x5", "x6", "x7", "x8"};
    return (d == dialect::x86 ? x86 : d == dialect::aarch64 ? aarch64 : riscv)[n];
}

assembly_text publish_in_assembly(const machine& m, const option& b, const option& c) {
    thread_writer p0(m.language, 0), p1(m.language, 1);
    p0.store(1, place::data, "");
    p0.fence(b);
    p0.store(1, place::head, b.access);
    p1.load(0, place::head, c.access);
    if (c.branch) p1.skip_unless_set(0, "EMPTY");
    p1.fence(c);
    p1.load(1, place::data, "");
    if (c.branch) p1.mark("EMPTY");
    return side_by_side(p0, p1, "data=0; head=0;");
}

assembly_text reuse_in_assembly(const machine& m, const option& a, const option& d) {
    thread_writer p0(m.language, 0), p1(m.language, 1);
    p0.load(0, place::tail, a.access);
    if (a.branch) p0.skip_unless_set(0, "FULL");
    p0.fence(a);
    p0.store(1, place::data, "");
    if (a.branch) p0.mark("FULL");
    p1.load(0, place::data, "");
    p1.fence(d);
    p1.store(1, place::tail, d.access);
    return side_by_side(p0, p1, "data=0; tail=0;");
}

assembly_text whole_in_assembly(const machine& m, const option& a, const option& b, const option& c,
                                const option& d) {
    thread_writer p0(m.language, 0), p1(m.language, 1);
    const bool asks = a.cost != cost_nothing;
    p0.load(0, place::tail, a.access);
    if (asks) p0.skip_unless_set(0, "FULL");
    p0.fence(a);
    p0.store(2, place::data, "");
    p0.fence(b);
    p0.store(2, place::head, b.access);
    if (asks) p0.mark("FULL");
    p1.load(0, place::head, c.access);
    if (c.branch) p1.skip_unless_set(0, "EMPTY");
    p1.fence(c);
    p1.load(1, place::data, "");
    p1.fence(d);
    p1.store(1, place::tail, d.access);
    p1.load(2, place::head, c.access);
    p1.skip_unless(2, 2, "EMPTY");
    p1.fence(c);
    p1.load(3, place::data, "");
    p1.mark("EMPTY");
    return side_by_side(p0, p1, "data=1; head=1; tail=0;");
}

} // namespace ringproof::litmus::ring
