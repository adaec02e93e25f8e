// SPDX-License-Identifier: Apache-2.0
// The ring's shapes in C, with the kernel's macros or C11's atomics.
#include "program.hpp"

#include <fmt/format.h>

namespace ringproof::litmus::ring {
namespace {

struct writer {
    const machine& m;
    std::string code;
    std::string margin = "    ";

    bool linux_kernel() const { return m.language == dialect::linux_kernel; }
    void line(const std::string& text) { code += margin + text + "\n"; }
    std::string order(const std::string& access) const {
        return access.empty() ? "memory_order_relaxed" : access;
    }
    std::string load(const char* what, const std::string& access) const {
        if (!linux_kernel()) return fmt::format("atomic_load_explicit({}, {})", what, order(access));
        return access.empty() ? fmt::format("READ_ONCE(*{})", what) : fmt::format("{}({})", access, what);
    }
    void store(const char* what, int value, const std::string& access) {
        if (!linux_kernel())
            line(fmt::format("atomic_store_explicit({}, {}, {});", what, value, order(access)));
        else if (access.empty())
            line(fmt::format("WRITE_ONCE(*{}, {});", what, value));
        else
            line(fmt::format("{}({}, {});", access, what, value));
    }
    std::string data() const { return m.plain ? "*data" : load("data", ""); }
    void write_data(int value) {
        if (m.plain)
            line(fmt::format("*data = {};", value));
        else
            store("data", value, "");
    }
    void fence(const option& o) {
        if (o.fence.empty()) return;
        line(linux_kernel() ? o.fence + "();" : fmt::format("atomic_thread_fence({});", o.fence));
    }
    /// Up to `leave`, what follows happens only if `condition` holds.
    void enter(const std::string& condition) {
        line(fmt::format("if ({}) {{", condition));
        margin += "    ";
    }
    void leave() {
        margin.resize(margin.size() - 4);
        line("}");
    }
    void thread(int number, std::initializer_list<const char*> parameters) {
        std::string list;
        for (const char* p : parameters) {
            const bool atomic = !linux_kernel() && !(m.plain && std::string_view(p) == "data");
            list += fmt::format("{}{} *{}", list.empty() ? "" : ", ", atomic ? "atomic_int" : "int", p);
        }
        code += fmt::format("{}P{}({})\n{{\n", code.empty() ? "" : "\n", number, list);
    }
    void end() { code += "}\n"; }
};

} // namespace

std::string publish_in_c(const machine& m, const option& b, const option& c) {
    writer w{m, {}};
    w.thread(0, {"data", "head"});
    w.write_data(1);
    w.fence(b);
    w.store("head", 1, b.access);
    w.end();
    w.thread(1, {"data", "head"});
    w.line("int r0 = " + w.load("head", c.access) + ";");
    if (c.branch) {
        w.line("int r1 = 1;");
        w.enter("r0 == 1");
    }
    w.fence(c);
    w.line((c.branch ? "r1 = " : "int r1 = ") + w.data() + ";");
    if (c.branch) w.leave();
    w.end();
    return w.code;
}

std::string reuse_in_c(const machine& m, const option& a, const option& d) {
    writer w{m, {}};
    w.thread(0, {"tail", "data"});
    w.line("int r0 = " + w.load("tail", a.access) + ";");
    if (a.branch) w.enter("r0 == 1");
    w.fence(a);
    w.write_data(1);
    if (a.branch) w.leave();
    w.end();
    w.thread(1, {"tail", "data"});
    w.line("int r1 = " + w.data() + ";");
    w.fence(d);
    w.store("tail", 1, d.access);
    w.end();
    return w.code;
}

std::string whole_in_c(const machine& m, const option& a, const option& b, const option& c, const option& d) {
    writer w{m, {}};
    const bool asks = a.cost != cost_nothing;
    w.thread(0, {"tail", "data", "head"});
    w.line("int r0 = " + w.load("tail", a.access) + ";");
    if (asks) w.enter("r0 == 1");
    w.fence(a);
    w.write_data(2);
    w.fence(b);
    w.store("head", 2, b.access);
    if (asks) w.leave();
    w.end();
    w.thread(1, {"tail", "data", "head"});
    w.line("int r0 = " + w.load("head", c.access) + ";");
    w.fence(c);
    w.line("int r1 = " + w.data() + ";");
    w.fence(d);
    w.store("tail", 1, d.access);
    w.line("int r2 = " + w.load("head", c.access) + ";");
    w.line("int r3 = 2;");
    w.enter("r2 == 2");
    w.fence(c);
    w.line("r3 = " + w.data() + ";");
    w.leave();
    w.end();
    return w.code;
}

} // namespace ringproof::litmus::ring
