// SPDX-License-Identifier: Apache-2.0
// Random programs of bytewise.hpp, and their text.
#include "bytewise.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::bytewise {
namespace {

constexpr int bytes_of_location = 4;

int below(std::mt19937& random, unsigned n) { return static_cast<int>(random() % n); }

std::string line_of(const access& a, int number, int source, std::vector<std::string>& lines) {
    const std::string base = a.base == 0 ? "X1" : "X2", suffix = a.bytes == 1 ? "B" : a.bytes == 2 ? "H" : "";
    if (a.what == access::kind::barrier)
        return a.loads_before && a.stores_before ? "DMB SY" : a.loads_before ? "DMB LD" : "DMB ST";
    const bool only_base = a.acquire || a.release || a.what == access::kind::swap;
    std::string place = fmt::format("[{},#{}]", base, a.offset), data = fmt::format("W{}", 20 + number);
    if (a.what != access::kind::load) lines.push_back(fmt::format("MOV {},#{}", data, a.stored));
    if (a.data_dependent) {
        lines.push_back(fmt::format("EOR W5,W{0},W{0}", source));
        lines.push_back(fmt::format("ADD {0},{0},W5", data));
    }
    if (a.address_dependent || only_base) {
        if (a.index != 0)
            lines.push_back(fmt::format("AND W6,W{},#{}", source, a.index));
        else if (a.address_dependent)
            lines.push_back(fmt::format("EOR W6,W{0},W{0}", source));
        lines.push_back(a.address_dependent ? fmt::format("ADD X7,{},W6,SXTW", base)
                                            : fmt::format("MOV X7,{}", base));
        lines.push_back(fmt::format("ADD X7,X7,#{}", a.offset));
        place = "[X7]";
    }
    if (a.what == access::kind::load)
        return fmt::format("{}{} W{},{}", a.acquire ? "LDAR" : "LDR", suffix, 10 + number, place);
    if (a.what == access::kind::store)
        return fmt::format("{}{} {},{}", a.release ? "STLR" : "STR", suffix, data, place);
    return fmt::format("SWP{}{}{} {},W{},{}", a.acquire ? "A" : "", a.release ? "L" : "", suffix, data,
                       10 + number, place);
}

access random_barrier(std::mt19937& random) {
    enum { full, loads, stores };
    const int which = below(random, 3);
    access f;
    f.what = access::kind::barrier;
    f.loads_before = which == stores ? 0 : 1;
    f.stores_before = which == loads ? 0 : 2;
    f.loads_after = which == stores ? 2 : 3;
    return f;
}

/// `loaded`: a load of the thread comes before.
access random_access(std::mt19937& random, bool loaded, std::uint32_t& value) {
    access a;
    const int what = below(random, 7);
    a.what = what < 3 ? access::kind::load : what < 6 ? access::kind::store : access::kind::swap;
    a.base = below(random, 3) == 0 ? 1 : 0;
    a.bytes = 1 << below(random, 3);
    a.offset = a.bytes * below(random, static_cast<unsigned>(bytes_of_location / a.bytes));
    const bool stores = a.what != access::kind::load, loads = a.what != access::kind::store;
    if (stores) a.stored = (0x01010101u * ++value) & (~std::uint32_t{0} >> (32 - 8 * a.bytes));
    a.acquire = loads && below(random, 4) == 0;
    a.release = stores && below(random, 4) == 0;
    a.data_dependent = loaded && !loads && below(random, 3) == 0;
    a.address_dependent = loaded && !a.data_dependent && below(random, 4) == 0;
    return a;
}

} // namespace

threads random_threads(std::mt19937& random) {
    threads t;
    t.code.resize(2);
    std::uint32_t value = 0;
    for (auto& code : t.code) {
        const int length = 2 + below(random, 2);
        bool loaded = false;
        for (int i = 0; i < length; ++i) {
            if (i > 0 && below(random, 4) == 0) code.push_back(random_barrier(random));
            code.push_back(random_access(random, loaded, value));
            loaded = loaded || code.back().what != access::kind::store;
        }
    }
    return t;
}

threads with_indices(threads t, std::mt19937& random) {
    for (auto& code : t.code)
        for (access& a : code) {
            if (!a.address_dependent || a.bytes == bytes_of_location || below(random, 3) == 0) continue;
            a.offset = 0;
            a.index = bytes_of_location - a.bytes;
        }
    return t;
}

std::string litmus_text(const threads& t) {
    std::vector<std::vector<std::string>> lines(t.code.size());
    std::string init, shown;
    std::size_t rows = 0;
    for (std::size_t k = 0; k < t.code.size(); ++k) {
        init += fmt::format(" {0}:X1=x; {0}:X2=y;", k);
        int number = 0, source = 0;
        for (const access& a : t.code[k]) {
            lines[k].push_back(line_of(a, number, 10 + source, lines[k]));
            if (a.what == access::kind::load || a.what == access::kind::swap) {
                shown += fmt::format(" {}:X{};", k, 10 + number);
                source = number;
            }
            ++number;
        }
        rows = std::max(rows, lines[k].size());
    }
    std::string text = "AArch64 bytewise\n{ int x; int y;" + init + " }\n";
    for (std::size_t r = 0; r <= rows; ++r)
        for (std::size_t k = 0; k < lines.size(); ++k)
            text += fmt::format(" {:<18} {}",
                                r == 0                 ? fmt::format("P{}", k)
                                : r <= lines[k].size() ? lines[k][r - 1]
                                                       : "",
                                k + 1 < lines.size() ? "|" : ";\n");
    return text + "locations [" + shown + " x; y;]\nexists (true)\n";
}

} // namespace ringproof::litmus::bytewise