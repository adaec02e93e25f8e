// SPDX-License-Identifier: Apache-2.0
#include "random_program.hpp"

#include <fmt/format.h>
#include <vector>

namespace ringproof::litmus {
namespace {

using lines = std::vector<std::string>;

/// One thread. Registers 10 and up are of loads, 5 holds what is stored, 6 what is computed from a load.
class writer {
  public:
    writer(std::string dialect, std::size_t thread, std::mt19937& random)
        : dialect_(std::move(dialect)), thread_(thread), random_(random) {}

    void access() {
        const std::string where = below(2) ? "x" : "y";
        switch (below(6)) {
        case 0:
        case 1:
            return load(where);
        case 2:
            return update(where);
        default:
            return store(where);
        }
    }
    void between() {
        if (below(3) == 0) fence();
        if (below(4) == 0 && loads_ > 0 && is_machine()) control();
    }
    /// A section of a lock around an access.
    void section() {
        text.push_back("spin_lock(l);");
        access();
        text.push_back("spin_unlock(l);");
    }

    lines text;
    lines asked; ///< registers

  private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    std::string any(const lines& of) { return of[below(static_cast<unsigned>(of.size()))]; }
    bool is_machine() const { return dialect_ == "AArch64" || dialect_ == "RISCV"; }
    std::string number() { return std::to_string(1 + below(2)); }
    std::string at(const std::string& where) const {
        if (dialect_ == "X86") return "[" + where + "]";
        if (dialect_ == "RISCV") return where == "x" ? "(x1)" : "(x2)";
        return where == "x" ? "[X1]" : "[X2]";
    }

    std::string loaded() {
        const unsigned n = static_cast<unsigned>(loads_++);
        if (dialect_ == "X86") {
            const lines names{"EAX", "EBX", "ECX", "EDX", "ESI", "EDI"};
            asked.push_back(fmt::format("{}:{}", thread_, names[n]));
            return names[n];
        }
        if (dialect_ == "AArch64") {
            asked.push_back(fmt::format("{}:X{}", thread_, 10 + n));
            return fmt::format("W{}", 10 + n);
        }
        if (dialect_ == "RISCV") {
            asked.push_back(fmt::format("{}:x{}", thread_, 10 + n));
            return fmt::format("x{}", 10 + n);
        }
        asked.push_back(fmt::format("{}:r{}", thread_, n));
        return fmt::format("r{}", n);
    }
    std::string last_loaded() const {
        return fmt::format("{}{}", dialect_ == "AArch64" ? "W" : "x", 10 + loads_ - 1);
    }

    void load(const std::string& where) {
        const bool depends = is_machine() && loads_ > 0 && below(3) == 0;
        const std::string from = depends ? last_loaded() : "", r = loaded();
        if (dialect_ == "X86") {
            text.push_back("MOV " + r + "," + at(where));
        } else if (dialect_ == "AArch64") {
            if (depends) {
                text.push_back("EOR W6," + from + "," + from);
                text.push_back(fmt::format("LDR {},[{},W6,SXTW]", r, where == "x" ? "X1" : "X2"));
            } else {
                text.push_back(any({"LDR", "LDR", "LDAR", "LDAPR"}) + " " + r + "," + at(where));
            }
        } else if (dialect_ == "RISCV") {
            if (depends) {
                text.push_back("xor x6," + from + "," + from);
                text.push_back(fmt::format("add x6,x6,{}", where == "x" ? "x1" : "x2"));
                text.push_back("lw " + r + ",0(x6)");
            } else {
                text.push_back("lw " + r + ",0" + at(where));
            }
        } else if (dialect_ == "C11") {
            text.push_back(fmt::format("int {} = atomic_load_explicit({}, memory_order_{});", r, where,
                                       any({"relaxed", "acquire", "seq_cst"})));
        } else {
            text.push_back(below(3) ? fmt::format("int {} = READ_ONCE(*{});", r, where)
                                    : fmt::format("int {} = smp_load_acquire({});", r, where));
        }
    }

    void store(const std::string& where) {
        const bool depends = is_machine() && loads_ > 0 && below(3) == 0;
        if (dialect_ == "X86") {
            text.push_back("MOV " + at(where) + ",$" + number());
        } else if (dialect_ == "AArch64") {
            text.push_back("MOV W5,#" + number());
            if (depends) {
                text.push_back(fmt::format("EOR W6,{0},{0}", last_loaded()));
                text.push_back("ADD W5,W5,W6");
            }
            text.push_back(any({"STR", "STR", "STLR"}) + " W5," + at(where));
        } else if (dialect_ == "RISCV") {
            text.push_back("li x5," + number());
            if (depends) {
                text.push_back(fmt::format("xor x6,{0},{0}", last_loaded()));
                text.push_back("add x5,x5,x6");
            }
            text.push_back("sw x5,0" + at(where));
        } else if (dialect_ == "C11") {
            text.push_back(fmt::format("atomic_store_explicit({}, {}, memory_order_{});", where, number(),
                                       any({"relaxed", "release", "seq_cst"})));
        } else {
            const std::string v = number();
            text.push_back(below(3) ? fmt::format("WRITE_ONCE(*{}, {});", where, v)
                                    : fmt::format("smp_store_release({}, {});", where, v));
        }
    }

    void update(const std::string& where) {
        const std::string r = loaded();
        if (dialect_ == "X86") {
            text.push_back("MOV " + r + ",$3");
            text.push_back("XCHG " + r + "," + at(where));
        } else if (dialect_ == "AArch64") {
            text.push_back("MOV W5,#3");
            text.push_back(any({"SWP", "SWPA", "SWPL", "SWPAL", "LDADD"}) + " W5," + r + "," + at(where));
        } else if (dialect_ == "RISCV") {
            text.push_back("li x5,3");
            if (below(2)) {
                text.push_back(any({"amoswap.w", "amoadd.w.aq", "amoswap.w.rl", "amoor.w.aqrl"}) + " " + r +
                               ",x5," + at(where));
            } else {
                text.push_back("lr.w " + r + "," + at(where));
                text.push_back("sc.w x7,x5," + at(where));
                asked.push_back(fmt::format("{}:x7", thread_));
            }
        } else if (dialect_ == "C11") {
            text.push_back(fmt::format("int {} = atomic_fetch_add_explicit({}, 3, memory_order_{});", r,
                                       where, any({"relaxed", "acq_rel", "seq_cst"})));
        } else {
            text.push_back(fmt::format("int {} = {}({}, 3);", r,
                                       any({"xchg", "xchg_relaxed", "xchg_acquire", "xchg_release"}), where));
        }
    }

    void fence() {
        if (dialect_ == "X86") return text.push_back("MFENCE");
        if (dialect_ == "AArch64") return text.push_back("DMB " + any({"SY", "LD", "ST"}));
        if (dialect_ == "RISCV")
            return text.push_back(any({"fence rw,rw", "fence r,rw", "fence rw,w", "fence.tso"}));
        if (dialect_ == "C11")
            return text.push_back("atomic_thread_fence(memory_order_" +
                                  any({"acquire", "release", "seq_cst"}) + ");");
        text.push_back(any({"smp_mb();", "smp_rmb();", "smp_wmb();"}));
    }

    void control() {
        const std::string label = fmt::format("L{}", text.size());
        text.push_back(dialect_ == "AArch64" ? fmt::format("CBNZ {},{}", last_loaded(), label)
                                             : fmt::format("bnez {},{}", last_loaded(), label));
        text.push_back(label + ":");
    }

    std::string dialect_;
    std::size_t thread_, loads_ = 0;
    std::mt19937& random_;
};

std::string in_columns(const std::vector<lines>& threads) {
    std::string text;
    std::size_t rows = 0;
    for (std::size_t t = 0; t < threads.size(); ++t) {
        text += fmt::format("{} P{}", t ? " |" : "", t);
        rows = std::max(rows, threads[t].size());
    }
    text += " ;\n";
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t t = 0; t < threads.size(); ++t)
            text += fmt::format("{} {}", t ? " |" : "", row < threads[t].size() ? threads[t][row] : "");
        text += " ;\n";
    }
    return text;
}

/// Everything of a test in C behind its initial state, but for its condition.
std::string in_functions(const std::vector<lines>& threads, const std::string& parameters) {
    std::string text;
    for (std::size_t t = 0; t < threads.size(); ++t) {
        text += fmt::format("P{}({}) {{\n", t, parameters);
        for (const std::string& line : threads[t]) text += " " + line + "\n";
        text += "}\n";
    }
    return text;
}

/// What the registers and locations of a thread begin with.
std::string initial_of(const std::string& dialect, std::size_t thread) {
    if (dialect == "AArch64") return fmt::format("{0}:X1=x; {0}:X2=y; ", thread);
    if (dialect == "RISCV") return fmt::format("{0}:x1=x; {0}:x2=y; ", thread);
    return dialect == "X86" && thread == 0 ? "x=0; y=0; " : "";
}

} // namespace

std::string random_program(const std::string& dialect, std::mt19937& random) {
    const std::size_t threads = 2 + random() % 2;
    const bool locked = dialect == "locks" || (dialect == "kernel" && random() % 8 == 0);
    std::size_t left = locked && dialect == "kernel" ? 4 : 6, sections = 0;
    std::vector<lines> all;
    std::string asked, initial;
    for (std::size_t t = 0; t < threads; ++t) {
        writer w(dialect, t, random);
        const std::size_t accesses = std::min<std::size_t>(left - (threads - t - 1), 1 + random() % 3);
        left -= accesses;
        for (std::size_t k = 0; k < accesses; ++k) {
            if (k) w.between();
            if (locked && sections < (dialect == "locks" ? 4 : 2) && random() % 3 != 0)
                ++sections, w.section();
            else
                w.access();
        }
        all.push_back(w.text);
        for (const std::string& r : w.asked) asked += r + "; ";
        initial += initial_of(dialect, t);
    }
    const bool is_c = dialect == "C11" || dialect == "kernel" || dialect == "locks";
    const std::string parameters =
        dialect == "C11" ? "atomic_int *x, atomic_int *y" : "spinlock_t *l, int *x, int *y";
    return fmt::format("{} T\n{{ {}}}\n{}locations [{}x; y;]\nexists (true)", is_c ? "C" : dialect, initial,
                       is_c ? in_functions(all, parameters) : in_columns(all), asked);
}

} // namespace ringproof::litmus
