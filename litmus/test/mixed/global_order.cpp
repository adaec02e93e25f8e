// SPDX-License-Identifier: Apache-2.0
// RVWMO as the RISC-V instruction set manual defines it: there is a total order of all memory operations that keeps
// the preserved program order, and of which each byte that is loaded takes its value. All orders are tried.
#include "other_machines.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace ringproof::litmus::bytewise {

std::string columns(const std::string& dialect, const std::string& init,
                    const std::vector<std::vector<std::string>>& lines, const std::string& shown) {
    std::size_t rows = 0;
    for (const auto& thread : lines) rows = std::max(rows, thread.size());
    std::string text = dialect + " bytes\n{ int x; int y;" + init + " }\n";
    for (std::size_t r = 0; r <= rows; ++r)
        for (std::size_t k = 0; k < lines.size(); ++k)
            text += fmt::format(" {:<20} {}",
                                r == 0                 ? fmt::format("P{}", k)
                                : r <= lines[k].size() ? lines[k][r - 1]
                                                       : "",
                                k + 1 < lines.size() ? "|" : ";\n");
    return text + "locations [" + shown + " x; y;]\nexists (true)\n";
}

namespace {

using kind = access::kind;

/// AMOs have words only; where a random program swaps less, the instruction stores.
bool stores_only(const access& a) { return a.what == kind::store || (a.what == kind::swap && a.bytes < 4); }
bool swaps(const access& a) { return a.what == kind::swap && a.bytes == 4; }
bool loads(const access& a) { return a.what == kind::load || swaps(a); }
bool stores(const access& a) { return stores_only(a) || swaps(a); }

struct operation {
    const access* what;
    std::size_t thread;
    std::size_t place;            ///< in program order
    int source = -1;              ///< the load before, which a dependency comes from
    std::array<int, 4> writers{}; ///< of each byte that it loads: an operation, or -1
    int first() const { return 4 * what->base + what->offset; }
    bool covers(int byte) const { return first() <= byte && byte < first() + what->bytes; }
    bool acquires() const { return what->acquire; }
    bool releases() const { return what->release; }
};

class orders {
  public:
    explicit orders(const threads& t) : threads_(t) {
        for (std::size_t k = 0; k < t.code.size(); ++k) {
            int source = -1;
            for (std::size_t i = 0; i < t.code[k].size(); ++i) {
                const access& a = t.code[k][i];
                if (a.what == kind::barrier) continue;
                operation o{&a, k, i};
                if (a.address_dependent || a.data_dependent) o.source = source;
                all_.push_back(o);
                if (loads(a)) source = static_cast<int>(all_.size()) - 1;
            }
        }
        order_.resize(all_.size());
        std::iota(order_.begin(), order_.end(), 0);
        do try_order();
        while (std::next_permutation(order_.begin(), order_.end()));
    }
    outcomes found;

  private:
    std::size_t position(std::size_t o) const {
        return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), o) - order_.begin());
    }

    /// The latest store to this byte, in the order, that comes before the load there or in its own thread.
    int writer(std::size_t load, int byte) const {
        int latest = -1;
        for (const std::size_t o : order_) {
            const operation& s = all_[o];
            if (o == load || !stores(*s.what) || !s.covers(byte)) continue;
            const bool before =
                position(o) < position(load) || (s.thread == all_[load].thread && s.place < all_[load].place);
            if (before) latest = static_cast<int>(o);
        }
        return latest;
    }

    bool fenced(const operation& a, const operation& b) const {
        const auto& code = threads_.code[a.thread];
        for (std::size_t i = a.place + 1; i < b.place; ++i) {
            const access& f = code[i];
            if (f.what != kind::barrier) continue;
            const bool before =
                (loads(*a.what) && f.loads_before != 0) || (stores(*a.what) && f.stores_before != 0);
            const bool after = (loads(*b.what) && (f.loads_after & 1) != 0) || stores(*b.what);
            if (before && after) return true;
        }
        return false;
    }

    bool address_from(const operation& b, std::size_t a) const {
        return b.what->address_dependent && b.source == static_cast<int>(a);
    }
    bool data_from(const operation& b, std::size_t a) const {
        return b.what->data_dependent && stores(*b.what) && b.source == static_cast<int>(a);
    }

    /// The rules of the preserved program order, by their numbers in the manual; there are no branches here.
    bool preserved(std::size_t x, std::size_t y) const {
        const operation &a = all_[x], &b = all_[y];
        bool overlap = false, other_writes = false, forwards = false;
        for (int byte = 0; byte < 8; ++byte) {
            if (!a.covers(byte) || !b.covers(byte)) continue;
            overlap = true;
            bool between = false;
            for (const operation& s : all_)
                between = between || (s.thread == a.thread && a.place < s.place && s.place < b.place &&
                                      stores(*s.what) && s.covers(byte));
            if (loads(*a.what) && loads(*b.what) && !between && reads(a, byte) != reads(b, byte))
                other_writes = true;
            if (loads(*b.what) && reads(b, byte) == static_cast<int>(x)) forwards = true;
        }
        if (overlap && stores(*b.what)) return true;      // 1
        if (other_writes) return true;                    // 2
        if (swaps(*a.what) && forwards) return true;      // 3
        if (fenced(a, b)) return true;                    // 4
        if (loads(*a.what) && a.acquires()) return true;  // 5
        if (stores(*b.what) && b.releases()) return true; // 6
        const auto annotated = [](const operation& o) {
            return swaps(*o.what) && (o.acquires() || o.releases());
        };
        if (annotated(a) && annotated(b)) return true;          // 7
        if (address_from(b, x) || data_from(b, x)) return true; // 9, 10
        for (std::size_t m = 0; m < all_.size(); ++m) {
            const operation& o = all_[m];
            if (o.thread != a.thread || o.place <= a.place || o.place >= b.place) continue;
            if (stores(*o.what) && loads(*b.what) && (address_from(o, x) || data_from(o, x)))
                for (int byte = 0; byte < 8; ++byte)
                    if (b.covers(byte) && reads(b, byte) == static_cast<int>(m)) return true; // 12
            if (stores(*b.what) && address_from(o, x)) return true;                           // 13
        }
        return false;
    }

    int reads(const operation& o, int byte) const {
        return o.writers[static_cast<std::size_t>(byte - o.first())];
    }

    void try_order() {
        for (std::size_t o = 0; o < all_.size(); ++o)
            for (int k = 0; k < all_[o].what->bytes && loads(*all_[o].what); ++k)
                all_[o].writers[static_cast<std::size_t>(k)] = writer(o, all_[o].first() + k);
        for (std::size_t a = 0; a < all_.size(); ++a)
            for (std::size_t b = 0; b < all_.size(); ++b)
                if (all_[a].thread == all_[b].thread && all_[a].place < all_[b].place &&
                    position(a) > position(b) && preserved(a, b))
                    return;
        std::vector<std::uint32_t> values;
        const auto byte_of = [&](int writer, int byte) {
            if (writer < 0) return std::uint32_t{0};
            const operation& w = all_[static_cast<std::size_t>(writer)];
            return w.what->stored >> (8 * (byte - w.first())) & 0xff;
        };
        for (const operation& o : all_) {
            if (!loads(*o.what)) continue;
            std::uint32_t v = 0;
            for (int k = 0; k < o.what->bytes; ++k)
                v |= byte_of(o.writers[static_cast<std::size_t>(k)], o.first() + k) << (8 * k);
            values.push_back(v);
        }
        for (int begin : {0, 4}) {
            std::uint32_t v = 0;
            for (int k = 0; k < 4; ++k) {
                int last = -1;
                for (const std::size_t o : order_)
                    if (stores(*all_[o].what) && all_[o].covers(begin + k)) last = static_cast<int>(o);
                v |= byte_of(last, begin + k) << (8 * k);
            }
            values.push_back(v);
        }
        found.insert(values);
    }

    const threads& threads_;
    std::vector<operation> all_;
    std::vector<std::size_t> order_;
};

std::string annotation(const access& a) {
    return std::string(a.acquire ? ".aq" : "") + (a.release ? ".rl" : "");
}

void add_lines(const access& a, int number, int source, std::vector<std::string>& lines) {
    if (a.what == kind::barrier) {
        const auto side = [](bool r, bool w) { return std::string(r ? "r" : "") + (w ? "w" : ""); };
        lines.push_back(fmt::format("fence {},{}", side(a.loads_before != 0, a.stores_before != 0),
                                    side((a.loads_after & 1) != 0, true)));
        return;
    }
    const char size = a.bytes == 1 ? 'b' : a.bytes == 2 ? 'h' : 'w';
    std::string base = fmt::format("x{}", 1 + a.base);
    if (a.address_dependent) {
        lines.push_back(fmt::format("xor x5,x{0},x{0}", source));
        lines.push_back(fmt::format("add x5,x5,{}", base));
        base = "x5";
    }
    if (a.what == kind::load) {
        lines.push_back(fmt::format("l{}{}{} x{},{}({})", size, a.bytes < 4 ? "u" : "", annotation(a),
                                    20 + number, a.offset, base));
        return;
    }
    lines.push_back(fmt::format("li x6,{}", a.stored));
    if (a.data_dependent) {
        lines.push_back(fmt::format("xor x7,x{0},x{0}", source));
        lines.push_back("add x6,x6,x7");
    }
    if (swaps(a))
        lines.push_back(fmt::format("amoswap.w{} x{},x6,({})",
                                    a.acquire && a.release ? ".aqrl" : annotation(a), 20 + number, base));
    else
        lines.push_back(fmt::format("s{}{} x6,{}({})", size, a.release ? ".rl" : "", a.offset, base));
}

} // namespace

std::string riscv_text(const threads& t) {
    std::vector<std::vector<std::string>> lines(t.code.size());
    std::string init, shown;
    for (std::size_t k = 0; k < t.code.size(); ++k) {
        init += fmt::format(" {0}:x1=x; {0}:x2=y;", k);
        int number = 0, source = 0;
        for (const access& a : t.code[k]) {
            add_lines(a, number, 20 + source, lines[k]);
            if (a.what != kind::barrier && loads(a)) {
                shown += fmt::format(" {}:x{};", k, 20 + number);
                source = number;
            }
            ++number;
        }
    }
    return columns("RISCV", init, lines, shown);
}

outcomes riscv_outcomes(const threads& t) { return orders(t).found; }

} // namespace ringproof::litmus::bytewise
