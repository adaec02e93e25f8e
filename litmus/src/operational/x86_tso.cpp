// SPDX-License-Identifier: Apache-2.0
#include "x86_tso.hpp"

#include "alu.hpp"

#include <algorithm>
#include <unordered_set>

namespace ringproof::litmus {
namespace {

using namespace x86;

/// Raised when a test leaves what the machine models, or a limit is met.
struct gave_up {};

// Addresses are numbers no test computes by chance, so that a register can hold one.
constexpr std::uint64_t address_base = 0x0000'5000'0000'0000;
constexpr std::uint64_t address_step = 64;

constexpr std::uint64_t most_bytes = std::uint64_t{512} << 20;

constexpr int longest_local_run = 10'000; // instructions without a memory access: a loop for ever

struct store {
    std::uint32_t variable;
    std::uint64_t value;
};

struct thread_state {
    std::size_t pc = 0;
    std::array<std::uint64_t, reg_count> registers{};
    flags f;
    bool loaded = false; // between the load and the store of an unlocked read-modify-write
    std::uint64_t temporary = 0;
    std::vector<store> buffer;
};

struct state {
    std::vector<std::uint64_t> memory;
    std::vector<thread_state> threads;

    /// Equal for equal states and only for them.
    std::string key() const {
        std::string k;
        const auto add = [&](std::uint64_t v) { k.append(reinterpret_cast<const char*>(&v), sizeof v); };
        for (const std::uint64_t v : memory) add(v);
        for (const thread_state& t : threads) {
            add(t.pc << 8 | std::uint64_t{t.f.carry} | std::uint64_t{t.f.zero} << 1 |
                std::uint64_t{t.f.sign} << 2 | std::uint64_t{t.f.overflow} << 3 |
                std::uint64_t{t.f.parity} << 4 | std::uint64_t{t.loaded} << 5);
            for (const std::uint64_t v : t.registers) add(v);
            add(t.loaded ? t.temporary : 0);
            add(t.buffer.size());
            for (const store& s : t.buffer) add(s.variable), add(s.value);
        }
        return k;
    }
};

class explorer {
  public:
    explorer(const program& p, const std::vector<location>& shown, machine m, std::uint64_t most)
        : program_(p), shown_(shown), tso_(m == machine::tso), most_(most) {}

    final_states run() {
        state first;
        for (const variable& v : program_.variables)
            first.memory.push_back(narrowed(static_cast<std::uint64_t>(v.initial), v.bits));
        for (const thread& t : program_.threads) {
            thread_state s;
            for (std::size_t r = 0; r < reg_count; ++r)
                s.registers[r] =
                    t.addresses[r].empty()
                        ? static_cast<std::uint64_t>(t.registers[r])
                        : address_base + find_variable(program_.variables, t.addresses[r]) * address_step;
            first.threads.push_back(std::move(s));
        }
        for (std::size_t t = 0; t < first.threads.size(); ++t) run_local(first, t);
        visit(std::move(first));
        while (!pending_.empty()) {
            const state s = std::move(pending_.back());
            pending_.pop_back();
            expand(s);
        }
        return std::move(found_);
    }

  private:
    static std::uint64_t narrowed(std::uint64_t v, int bits) { return bits == 64 ? v : v & 0xffff'ffffu; }

    void visit(state&& s) {
        const auto [key, is_new] = seen_.insert(s.key());
        if (!is_new) return;
        bytes_ += key->size() + s.threads.size() * sizeof(thread_state);
        if (++found_.explored > most_ || bytes_ > most_bytes) throw gave_up{};
        pending_.push_back(std::move(s));
    }

    void expand(const state& s) {
        bool finished = true;
        for (std::size_t t = 0; t < s.threads.size(); ++t) {
            const thread_state& now = s.threads[t];
            if (!now.buffer.empty()) {
                finished = false;
                state next = s;
                thread_state& after = next.threads[t];
                next.memory[after.buffer.front().variable] = after.buffer.front().value;
                after.buffer.erase(after.buffer.begin());
                visit(std::move(next));
            }
            if (now.pc >= program_.threads[t].code.size()) continue;
            finished = false;
            const instruction& i = program_.threads[t].code[now.pc];
            if ((i.lock || i.what == opcode::mfence) && !now.buffer.empty()) continue;
            state next = s;
            step(next, t, i);
            run_local(next, t);
            visit(std::move(next));
        }
        if (finished) finish(s);
    }

    void finish(const state& s) {
        std::vector<std::int64_t> values;
        for (const location& l : shown_) {
            const int bits = width_of(program_, l);
            std::uint64_t v = 0;
            if (l.is_register()) {
                reg r{};
                int unused = 0;
                find_register(l.name, r, unused);
                v = s.threads[static_cast<std::size_t>(l.thread)].registers[static_cast<std::size_t>(r)];
            } else {
                v = s.memory[find_variable(program_.variables, l.name)];
            }
            if (v >= address_base && v < address_base + program_.variables.size() * address_step)
                throw gave_up{};
            values.push_back(bits == 64 ? static_cast<std::int64_t>(v)
                                        : static_cast<std::int32_t>(static_cast<std::uint32_t>(v)));
        }
        found_.values.insert(std::move(values));
    }

    /// Instructions that touch no memory commute with everything other threads do: no need to stop.
    void run_local(state& s, std::size_t t) {
        thread_state& now = s.threads[t];
        for (int steps = 0; now.pc < program_.threads[t].code.size(); ++steps) {
            const instruction& i = program_.threads[t].code[now.pc];
            if (i.what == opcode::mfence || i.operands[0].is_memory() || i.operands[1].is_memory()) return;
            if (steps > longest_local_run) throw gave_up{};
            step(s, t, i);
        }
    }

    std::uint32_t variable_of(const thread_state& t, const operand& o, int bits) const {
        std::size_t v = 0;
        if (!o.symbol.empty()) {
            v = find_variable(program_.variables, o.symbol);
        } else {
            const std::uint64_t distance = t.registers[static_cast<std::size_t>(o.name)] - address_base;
            v = distance / address_step;
            if (distance % address_step != 0) throw gave_up{};
        }
        if (v >= program_.variables.size() || program_.variables[v].bits != bits) throw gave_up{};
        return static_cast<std::uint32_t>(v);
    }

    std::uint64_t load(const state& s, const thread_state& t, std::uint32_t variable) const {
        const auto newest = std::find_if(t.buffer.rbegin(), t.buffer.rend(),
                                         [&](const store& w) { return w.variable == variable; });
        return newest != t.buffer.rend() ? newest->value : s.memory[variable];
    }

    void save(state& s, thread_state& t, const instruction& i, std::uint32_t variable,
              std::uint64_t value) const {
        if (tso_ && !i.lock) // the buffer is empty at a locked instruction, and it does not leave one behind
            t.buffer.push_back({variable, narrowed(value, i.bits)});
        else
            s.memory[variable] = narrowed(value, i.bits);
    }

    std::uint64_t& register_of(thread_state& t, const operand& o) const {
        return t.registers[static_cast<std::size_t>(o.name)];
    }

    std::uint64_t plain_value(thread_state& t, const operand& o, int bits) const {
        if (o.is_register()) return narrowed(register_of(t, o), bits);
        return narrowed(static_cast<std::uint64_t>(o.number), bits);
    }

    /// One step of thread `index`: the instruction, or one half of an unlocked read-modify-write.
    void step(state& s, std::size_t index, const instruction& i) const {
        thread_state& t = s.threads[index];
        switch (i.what) {
        case opcode::jmp:
            t.pc = i.target;
            return;
        case opcode::jcc:
            t.pc = taken(i.when, t.f) ? i.target : t.pc + 1;
            return;
        case opcode::mfence:
        case opcode::lfence:
        case opcode::sfence:
        case opcode::nop:
        case opcode::pause:
            ++t.pc;
            return;
        default:
            break;
        }
        operand to = i.operands[0], from = i.operands[1];
        if (i.what == opcode::xchg && from.is_memory()) std::swap(to, from); // the two are alike
        if (!to.is_memory()) {
            const std::uint64_t source =
                from.is_memory() ? load(s, t, variable_of(t, from, i.bits)) : plain_value(t, from, i.bits);
            combine(t, i, register_of(t, to), narrowed(register_of(t, to), i.bits), source, from);
            ++t.pc;
            return;
        }
        const std::uint32_t v = variable_of(t, to, i.bits);
        const bool writes_only = i.what == opcode::mov;
        const bool reads_only = i.what == opcode::cmp || i.what == opcode::test_;
        if (!writes_only && !reads_only && !i.lock && !t.loaded) {
            t.loaded = true;
            t.temporary = load(s, t, v);
            return;
        }
        const std::uint64_t old = writes_only ? 0 : t.loaded ? t.temporary : load(s, t, v);
        std::uint64_t result = old;
        combine(t, i, result, old, plain_value(t, from, i.bits), from);
        if (!reads_only) save(s, t, i, v, result);
        t.loaded = false;
        ++t.pc;
    }

    /// Sets the destination, and the source or the accumulator where the instruction does.
    void combine(thread_state& t, const instruction& i, std::uint64_t& to, std::uint64_t old,
                 std::uint64_t source, const operand& from) const {
        switch (i.what) {
        case opcode::xchg:
            if (from.is_register()) register_of(t, from) = old;
            to = source;
            return;
        case opcode::xadd: {
            const std::uint64_t sum = compute(i.what, old, source, i.bits, t.f);
            register_of(t, from) = old;
            to = sum; // last: with one register as both operands the sum stays
            return;
        }
        case opcode::cmpxchg: {
            std::uint64_t& accumulator = t.registers[static_cast<std::size_t>(reg::ax)];
            compute(i.what, accumulator, old, i.bits, t.f);
            if (t.f.zero) {
                to = source;
            } else {
                // The processor writes the old value back even then.
                accumulator = old;
                to = old;
            }
            return;
        }
        case opcode::cmp:
        case opcode::test_:
            compute(i.what, old, source, i.bits, t.f);
            return;
        default:
            to = compute(i.what, old, source, i.bits, t.f);
            return;
        }
    }

    const program& program_;
    const std::vector<location>& shown_;
    const bool tso_;
    const std::uint64_t most_;
    std::uint64_t bytes_ = 0; // of what was visited, pending states included
    std::vector<state> pending_;
    std::unordered_set<std::string> seen_;
    final_states found_;
};

} // namespace

std::optional<final_states> explore(const program& p, const std::vector<location>& shown, machine m,
                                    std::uint64_t most) {
    try {
        return explorer(p, shown, m, most).run();
    } catch (const gave_up&) {
        return std::nullopt;
    }
}

} // namespace ringproof::litmus
