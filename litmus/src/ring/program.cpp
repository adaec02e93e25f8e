// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <fmt/format.h>

namespace ringproof::litmus::ring {
namespace {

const char* folder_of(const machine& m) {
    switch (m.language) {
    case dialect::x86:
        return "x86";
    case dialect::aarch64:
        return "aarch64";
    case dialect::riscv:
        return "riscv";
    case dialect::linux_kernel:
        return "lkmm";
    case dialect::c11:
        return "c11";
    }
    return "";
}

const char* header_of(const machine& m) {
    switch (m.language) {
    case dialect::x86:
        return "X86";
    case dialect::aarch64:
        return "AArch64";
    case dialect::riscv:
        return "RISCV";
    case dialect::linux_kernel:
    case dialect::c11:
        return "C";
    }
    return "";
}

bool in_c(const machine& m) { return m.language == dialect::linux_kernel || m.language == dialect::c11; }

/// "1:r0", or the register of an assembly dialect.
std::string value(const machine& m, int thread, int r) {
    return fmt::format("{}:{}", thread, in_c(m) ? fmt::format("r{}", r) : value_register(m.language, r));
}

program make(const machine& m, const char* shape, const std::string& options, const std::string& doc,
             const std::string& init, const std::string& code) {
    const char* data = !m.plain ? "" : m.language == dialect::c11 ? "-na" : "-plain";
    program p;
    p.name = fmt::format("ring-{}{}+{}", shape, data, options);
    p.file = fmt::format("{}/{}.litmus", folder_of(m), p.name);
    p.text = in_c(m) ? fmt::format("C {}\n(* {} *)\n\n{{ {} }}\n\n{}\n", p.name, doc, init, code)
                     : fmt::format("{} {}\n\"{}\"\n{{ {} }}\n{}", header_of(m), p.name, doc, init, code);
    return p;
}

} // namespace

program publish(const machine& m, const option& b, const option& c) {
    const std::string doc = fmt::format("B is {}, C is {}: new head, old data?", b.name, c.name);
    const std::string options = b.name + "+" + c.name;
    program p;
    if (in_c(m)) {
        p = make(m, "MP", options, doc, "", publish_in_c(m, b, c));
    } else {
        const assembly_text t = publish_in_assembly(m, b, c);
        p = make(m, "MP", options, doc, t.init, t.code);
    }
    p.asks = fmt::format("({}=1 /\\ {}=0)", value(m, 1, 0), value(m, 1, 1));
    return p;
}

program reuse(const machine& m, const option& a, const option& d) {
    const std::string doc =
        fmt::format("A is {}, D is {}: does the consumer read what overwrote its record?", a.name, d.name);
    const std::string options = a.name + "+" + d.name;
    program p;
    if (in_c(m)) {
        p = make(m, "LB", options, doc, "", reuse_in_c(m, a, d));
    } else {
        const assembly_text t = reuse_in_assembly(m, a, d);
        p = make(m, "LB", options, doc, t.init, t.code);
    }
    p.asks = fmt::format("({}=1 /\\ {}=1)", value(m, 0, 0), in_c(m) ? "1:r1" : value(m, 1, 0));
    return p;
}

program whole(const machine& m, const option& a, const option& b, const option& c, const option& d) {
    const std::string doc = fmt::format("one slot, item 1 in it; A is {}, B is {}, C is {}, D is {}", a.name,
                                        b.name, c.name, d.name);
    const std::string options = fmt::format("{}-{}-{}-{}", a.name, b.name, c.name, d.name);
    program p;
    if (in_c(m)) {
        p = make(m, "full", options, doc, "data=1; head=1; tail=0;", whole_in_c(m, a, b, c, d));
    } else {
        const assembly_text t = whole_in_assembly(m, a, b, c, d);
        p = make(m, "full", options, doc, t.init, t.code);
    }
    const std::string bad =
        fmt::format("{}=2 \\/ ({}=2 /\\ {}=1)", value(m, 1, 1), value(m, 1, 2), value(m, 1, 3));
    // Without A the producer does not look whether there is room: only what it got away with counts.
    p.asks = a.cost == cost_nothing ? fmt::format("(({}) /\\ {}=1)", bad, value(m, 0, 0))
                                    : fmt::format("({})", bad);
    return p;
}

} // namespace ringproof::litmus::ring
