// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <deque>

namespace ringproof::verify::mixed_test {
namespace {

struct state {
    std::array<std::array<std::uint8_t, units>, words> memory{};
    struct buffered {
        operation what;
        auto key() const { return std::array<int, 4>{what.word, what.first, what.count, what.value}; }
    };
    std::vector<std::deque<buffered>> buffers;
    std::vector<std::size_t> at;
    std::vector<bool> must_drain;
    outcome so_far;

    std::string key() const {
        std::string text;
        const auto add = [&](auto v) { text += std::to_string(v) + ","; };
        for (const auto& w : memory)
            for (const std::uint8_t u : w) add(u);
        for (const auto& b : buffers) {
            for (const buffered& s : b)
                for (const int i : s.key()) add(i);
            text += "|";
        }
        for (const std::size_t i : at) add(i);
        for (const bool d : must_drain) add(d);
        for (const std::uint32_t r : so_far.read) add(r);
        return text;
    }
};

class machine {
  public:
    machine(const program& p, model m) : p_(p), tso_(m == model::tso) {}

    std::set<outcome> run() {
        state first;
        first.buffers.resize(p_.threads.size());
        first.at.resize(p_.threads.size());
        first.must_drain.resize(p_.threads.size());
        visit(first);
        return found_;
    }

  private:
    void visit(const state& s) {
        if (!seen_.insert(s.key()).second) return;
        bool over = true;
        for (std::size_t t = 0; t < p_.threads.size(); ++t) {
            if (!s.buffers[t].empty()) {
                over = false;
                state next = s;
                write(next, next.buffers[t].front().what);
                next.buffers[t].pop_front();
                visit(next);
            }
            if (s.at[t] == p_.threads[t].size()) continue;
            over = false;
            step(s, t);
        }
        if (!over) return;
        outcome done = s.so_far;
        for (std::size_t w = 0; w < words; ++w)
            for (std::size_t u = 0; u < units; ++u) done.memory[w] |= std::uint32_t{s.memory[w][u]} << 8 * u;
        found_.insert(done);
    }

    static void write(state& s, const operation& o) {
        for (int u = o.first; u < o.first + o.count; ++u) unit(s, o, u) = static_cast<std::uint8_t>(o.value);
    }
    static std::uint8_t& unit(state& s, const operation& o, int u) {
        return s.memory[static_cast<std::size_t>(o.word)][static_cast<std::size_t>(u)];
    }

    std::size_t register_of(std::size_t t, std::size_t at) const {
        for (std::size_t u = 0; u < t; ++u) at += p_.threads[u].size();
        return at;
    }

    void step(state s, std::size_t t) {
        const operation& o = p_.threads[t][s.at[t]];
        const bool empty = s.buffers[t].empty();
        const bool waits = o.updates() || (o.what == kind::fence && o.order == std::memory_order_seq_cst);
        if ((waits || s.must_drain[t]) && !empty) return;
        s.must_drain[t] = false;
        std::uint32_t& read = s.so_far.read[register_of(t, s.at[t])];
        ++s.at[t];
        bool same = true;
        if (o.reads())
            for (int u = o.first; u < o.first + o.count; ++u) {
                std::uint8_t value = unit(s, o, u);
                for (const auto& b : s.buffers[t])
                    if (b.what.word == o.word && u >= b.what.first && u < b.what.first + b.what.count)
                        value = static_cast<std::uint8_t>(b.what.value);
                read |= std::uint32_t{value} << 8 * (u - o.first);
                same = same && value == o.expected;
            }
        if (o.what == kind::await && !same) return;
        if (o.what == kind::add)
            for (int u = o.first; u < o.first + o.count; ++u)
                unit(s, o, u) = static_cast<std::uint8_t>(unit(s, o, u) + o.value);
        else if (o.what == kind::store && tso_) {
            s.buffers[t].push_back({o});
            s.must_drain[t] = o.order == std::memory_order_seq_cst;
        } else if (o.what == kind::store || o.what == kind::exchange || (o.what == kind::compare && same))
            write(s, o);
        visit(s);
    }

    const program& p_;
    bool tso_;
    std::set<std::string> seen_;
    std::set<outcome> found_;
};

} // namespace

std::set<outcome> run_on_machine(const program& p, model m) { return machine(p, m).run(); }

} // namespace ringproof::verify::mixed_test
