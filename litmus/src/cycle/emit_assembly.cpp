// SPDX-License-Identifier: Apache-2.0
// Threads in X86, AArch64 and RISC-V. Registers are handed out as they are needed and used once.
#include "emit.hpp"

#include <fmt/format.h>
#include <map>

namespace ringproof::litmus::cycles {
namespace {

using kind = edge::kind;

std::string_view mark_word(const dialect& d, const placed& p) {
    return d.marks[static_cast<std::size_t>(p.mark)].word;
}
std::string_view fence_code(const dialect& d, const edge& e) {
    return d.fences[static_cast<std::size_t>(e.fence)].code;
}

/// What AArch64 and RISC-V share: addresses in registers, dependencies by arithmetic, labels.
class risc_thread {
  public:
    risc_thread(const dialect& d, const cycle& c, std::vector<std::string>& registers)
        : dialect_(d), cycle_(c), registers_(registers), arm_(d.what == dialect::id::aarch64),
          next_(arm_ ? 0 : 5) {}

    assembly_thread run(thread_range r) {
        for (std::size_t i = r.begin; i < r.end; ++i) {
            const placed& p = cycle_.accesses[i];
            const kind in = i > r.begin ? cycle_.accesses[i - 1].out.what : kind::po;
            const int address = address_register(p.location);
            if (p.what == access::read && p.out.what == kind::rmw) {
                swap(p, cycle_.accesses[i + 1], address);
                registers_[i] = name(last_load_);
                ++i;
            } else if (p.what == access::read) {
                load(p, address, in == kind::addr);
                registers_[i] = name(last_load_);
            } else {
                store(p, address, in);
            }
            between(cycle_.accesses[i].out);
        }
        return std::move(thread_);
    }

  private:
    template <class... Parts>
    void line(fmt::format_string<Parts...> text, Parts&&... parts) {
        thread_.lines.push_back(fmt::format(text, std::forward<Parts>(parts)...));
    }
    int fresh() {
        if (next_ > (arm_ ? 28 : 31)) throw bad_cycle("a thread needs more registers than there are");
        return next_++;
    }
    std::string name(int r) const { return fmt::format("{}{}", arm_ ? "X" : "x", r); }
    std::string narrow(int r) const { return fmt::format("{}{}", arm_ ? "W" : "x", r); }

    int address_register(int location) {
        const auto [at, is_new] = addresses_.try_emplace(location, 0);
        if (is_new) {
            at->second = fresh();
            thread_.initial.push_back(fmt::format("{}={}", name(at->second), location_name(location)));
        }
        return at->second;
    }

    /// 0, computed from the last load.
    int false_dependency() {
        const int r = fresh();
        line("{} {},{},{}", arm_ ? "EOR" : "xor", arm_ ? name(r) : narrow(r),
             arm_ ? name(last_load_) : narrow(last_load_), arm_ ? name(last_load_) : narrow(last_load_));
        return r;
    }

    /// `address`, or the same address computed from the last load.
    int depending_on_load(int address, bool depends) {
        if (!depends) return address;
        const int zero = false_dependency();
        line("{} {},{},{}", arm_ ? "ADD" : "add", name(zero), name(zero), name(address));
        return zero;
    }

    int constant(int number) {
        const int r = fresh();
        if (arm_)
            line("MOV {},#{}", narrow(r), number);
        else
            line("ori {},x0,{}", narrow(r), number);
        return r;
    }

    void load(const placed& p, int address, bool depends) {
        const int at = depending_on_load(address, depends);
        last_load_ = fresh();
        const std::string_view m = mark_word(dialect_, p);
        if (arm_)
            line("{} {},[{}]", m == "A" ? "LDAR" : m == "Q" ? "LDAPR" : "LDR", narrow(last_load_), name(at));
        else
            line("lw{} {},0({})", m == "Aq" ? ".aq" : "", narrow(last_load_), name(at));
    }

    void store(const placed& p, int address, kind in) {
        const int at = depending_on_load(address, in == kind::addr);
        int value = 0;
        if (in == kind::data) {
            value = false_dependency();
            line("{} {},{},{}{}", arm_ ? "ADD" : "ori", narrow(value), narrow(value), arm_ ? "#" : "",
                 p.value);
        } else {
            value = constant(p.value);
        }
        const std::string_view m = mark_word(dialect_, p);
        if (arm_)
            line("{} {},[{}]", m == "L" ? "STLR" : "STR", narrow(value), name(at));
        else
            line("sw{} {},0({})", m == "Rl" ? ".rl" : "", narrow(value), name(at));
    }

    void swap(const placed& r, const placed& w, int address) {
        const bool acquire = r.mark > 0, release = w.mark > 0;
        const int value = constant(w.value);
        last_load_ = fresh();
        if (arm_)
            line("SWP{}{} {},{},[{}]", acquire ? "A" : "", release ? "L" : "", narrow(value),
                 narrow(last_load_), name(address));
        else
            line("amoswap.w{}{} {},{},({})", acquire ? ".aq" : "", release ? ".rl" : "", narrow(last_load_),
                 narrow(value), name(address));
    }

    void between(const edge& e) {
        if (e.what == kind::fence) line("{}", fence_code(dialect_, e));
        if (e.what != kind::ctrl && e.what != kind::ctrl_fence) return;
        const std::string label = fmt::format("L{}", labels_++);
        if (arm_)
            line("CBNZ {},{}", narrow(last_load_), label);
        else
            line("bne {},x0,{}", narrow(last_load_), label);
        line("{}:", label);
        if (e.what == kind::ctrl_fence) line("{}", dialect_.ctrl_fence);
    }

    const dialect& dialect_;
    const cycle& cycle_;
    std::vector<std::string>& registers_;
    bool arm_;
    int next_;
    int last_load_ = 0;
    int labels_ = 0;
    std::map<int, int> addresses_;
    assembly_thread thread_;
};

} // namespace

assembly_thread emit_aarch64(const dialect& d, const cycle& c, thread_range r,
                             std::vector<std::string>& registers) {
    return risc_thread(d, c, registers).run(r);
}

assembly_thread emit_riscv(const dialect& d, const cycle& c, thread_range r,
                           std::vector<std::string>& registers) {
    return risc_thread(d, c, registers).run(r);
}

assembly_thread emit_x86(const dialect& d, const cycle& c, thread_range r,
                         std::vector<std::string>& registers) {
    static constexpr std::string_view names[] = {"EAX", "EBX", "ECX", "EDX", "ESI", "EDI"};
    assembly_thread t;
    std::size_t next = 0;
    const auto fresh = [&] {
        if (next == std::size(names)) throw bad_cycle("a thread needs more registers than there are");
        return std::string(names[next++]);
    };
    for (std::size_t i = r.begin; i < r.end; ++i) {
        const placed& p = c.accesses[i];
        const std::string x = location_name(p.location);
        if (p.what == access::read) {
            registers[i] = fresh();
            if (p.out.what == kind::rmw) {
                t.lines.push_back(fmt::format("MOV {},${}", registers[i], c.accesses[i + 1].value));
                t.lines.push_back(fmt::format("XCHG [{}],{}", x, registers[i]));
                ++i;
            } else {
                t.lines.push_back(fmt::format("MOV {},[{}]", registers[i], x));
            }
        } else if (p.mark > 0) {
            const std::string value = fresh();
            t.lines.push_back(fmt::format("MOV {},${}", value, p.value));
            t.lines.push_back(fmt::format("XCHG [{}],{}", x, value));
        } else {
            t.lines.push_back(fmt::format("MOV [{}],${}", x, p.value));
        }
        if (c.accesses[i].out.what == kind::fence) t.lines.emplace_back(fence_code(d, c.accesses[i].out));
    }
    return t;
}

} // namespace ringproof::litmus::cycles
