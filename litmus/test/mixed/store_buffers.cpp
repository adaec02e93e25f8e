// SPDX-License-Identifier: Apache-2.0
// x86-TSO as a machine (Owens, Sarkar, Sewell 2009), byte by byte: stores wait in a buffer of their thread and leave it
// in order, whole; a load takes each of its bytes from the youngest store in its own buffer that has it, else from
// memory. Swaps and barriers wait until the buffer is empty.
#include "other_machines.hpp"

#include <array>
#include <fmt/format.h>
#include <tuple>

namespace ringproof::litmus::bytewise {
namespace {

using kind = access::kind;

struct waiting {
    int first, bytes;
    std::uint32_t stored;
    friend bool operator<(const waiting& a, const waiting& b) {
        return std::tie(a.first, a.bytes, a.stored) < std::tie(b.first, b.bytes, b.stored);
    }
};

struct machine_state {
    std::array<std::size_t, 2> at{};
    std::array<std::vector<waiting>, 2> buffers;
    std::array<std::uint8_t, 8> memory{};
    std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> read;
    friend bool operator<(const machine_state& a, const machine_state& b) {
        return std::tie(a.at, a.buffers, a.memory, a.read) < std::tie(b.at, b.buffers, b.memory, b.read);
    }
};

class machine {
  public:
    explicit machine(const threads& t) : threads_(t) { visit({}); }
    outcomes found;

  private:
    static void put(machine_state& s, const waiting& w) {
        for (int k = 0; k < w.bytes; ++k)
            s.memory[static_cast<std::size_t>(w.first + k)] = static_cast<std::uint8_t>(w.stored >> (8 * k));
    }

    static std::uint32_t byte_at(const machine_state& s, std::size_t thread, int byte) {
        const auto& buffer = s.buffers[thread];
        for (auto w = buffer.rbegin(); w != buffer.rend(); ++w)
            if (w->first <= byte && byte < w->first + w->bytes)
                return w->stored >> (8 * (byte - w->first)) & 0xff;
        return s.memory[static_cast<std::size_t>(byte)];
    }

    void visit(const machine_state& s) {
        if (!seen_.insert(s).second) return;
        bool ended = true;
        for (std::size_t t = 0; t < 2; ++t) {
            if (!s.buffers[t].empty()) {
                ended = false;
                machine_state next = s;
                put(next, next.buffers[t].front());
                next.buffers[t].erase(next.buffers[t].begin());
                visit(next);
            }
            if (s.at[t] == threads_.code[t].size()) continue;
            ended = false;
            step(s, t);
        }
        if (ended) end(s);
    }

    void step(machine_state s, std::size_t t) {
        const access& a = threads_.code[t][s.at[t]];
        const bool waits = a.what == kind::swap || a.what == kind::barrier;
        if (waits && !s.buffers[t].empty()) return;
        const int first = 4 * a.base + a.offset;
        if (a.what == kind::load || a.what == kind::swap) {
            std::uint32_t v = 0;
            for (int k = 0; k < a.bytes; ++k) v |= byte_at(s, t, first + k) << (8 * k);
            s.read[{t, s.at[t]}] = v;
        }
        if (a.what == kind::swap) put(s, {first, a.bytes, a.stored});
        if (a.what == kind::store) s.buffers[t].push_back({first, a.bytes, a.stored});
        ++s.at[t];
        visit(s);
    }

    void end(const machine_state& s) {
        std::vector<std::uint32_t> values;
        for (const auto& [where, v] : s.read) values.push_back(v);
        for (std::size_t begin = 0; begin < s.memory.size(); begin += 4) {
            std::uint32_t v = 0;
            for (std::size_t k = 0; k < 4; ++k) v |= std::uint32_t{s.memory[begin + k]} << (8 * k);
            values.push_back(v);
        }
        found.insert(values);
    }

    const threads& threads_;
    std::set<machine_state> seen_;
};

/// Of what an instruction loads: of the whole registers, in the order of their names.
constexpr std::array<std::string_view, 6> registers{"10", "11", "12", "13", "14", "15"};

std::string line_of(const access& a, int number) {
    if (a.what == kind::barrier) return "mfence";
    const std::string_view size = a.bytes == 1   ? "b"
                                  : a.bytes == 2 ? "w"
                                                 : "l",
                           part = a.bytes == 4 ? "d" : size;
    const std::string place = fmt::format("{}(%r{})", a.offset, a.base == 0 ? "si" : "di");
    const std::string own = fmt::format("%r{}{}", registers[static_cast<std::size_t>(number)], part);
    if (a.what == kind::load) return fmt::format("mov{} {},{}", size, place, own);
    if (a.what == kind::store) return fmt::format("mov{} ${},{}", size, a.stored, place);
    return fmt::format("xchg{} {},{}", size, own, place);
}

} // namespace

std::string x86_text(const threads& t) {
    std::vector<std::vector<std::string>> lines(t.code.size());
    std::string init, shown;
    for (std::size_t k = 0; k < t.code.size(); ++k) {
        init += fmt::format(" {0}:rsi=x; {0}:rdi=y;", k);
        int number = 0;
        for (const access& a : t.code[k]) {
            if (a.what == kind::load || a.what == kind::swap)
                shown += fmt::format(" {}:r{}d;", k, registers[static_cast<std::size_t>(number)]);
            if (a.what == kind::swap) // what it stores
                init += fmt::format(" {}:r{}={};", k, registers[static_cast<std::size_t>(number)], a.stored);
            lines[k].push_back(line_of(a, number++));
        }
    }
    return columns("X86_64", init, lines, shown);
}

outcomes x86_outcomes(const threads& t) { return machine(t).found; }

} // namespace ringproof::litmus::bytewise
