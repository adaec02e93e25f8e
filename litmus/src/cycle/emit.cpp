// SPDX-License-Identifier: Apache-2.0
#include "emit.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cycles {
namespace {

/// Threads side by side, a row per line, columns as wide as their longest cell.
std::string table(const std::vector<assembly_thread>& threads) {
    std::size_t rows = 0;
    std::vector<std::size_t> widths;
    for (std::size_t t = 0; t < threads.size(); ++t) {
        rows = std::max(rows, threads[t].lines.size());
        std::size_t width = fmt::format("P{}", t).size();
        for (const std::string& line : threads[t].lines) width = std::max(width, line.size());
        widths.push_back(width);
    }
    std::string text;
    const auto row = [&](auto&& cell) {
        for (std::size_t t = 0; t < threads.size(); ++t)
            text += fmt::format("{} {:<{}} ", t ? "|" : "", cell(t), widths[t]);
        text += ";\n";
    };
    row([](std::size_t t) { return fmt::format("P{}", t); });
    for (std::size_t k = 0; k < rows; ++k)
        row([&](std::size_t t) { return k < threads[t].lines.size() ? threads[t].lines[k] : std::string(); });
    return text;
}

/// The outcome in which every edge of the cycle holds.
std::string condition_of(const cycle& c, const std::vector<std::string>& registers) {
    std::vector<std::string> parts;
    for (int l = 0; l < c.locations; ++l)
        if (c.stores[static_cast<std::size_t>(l)] > 1)
            parts.push_back(fmt::format("[{}]={}", location_name(l), c.stores[static_cast<std::size_t>(l)]));
    for (std::size_t i = 0; i < c.accesses.size(); ++i)
        if (c.accesses[i].what == access::read && c.accesses[i].observed)
            parts.push_back(fmt::format("{}={}", registers[i], c.accesses[i].value));
    if (parts.empty()) parts.push_back("true");
    return fmt::format("exists ({})\n", fmt::join(parts, " /\\ "));
}

} // namespace

std::string location_name(int location) {
    constexpr std::string_view letters = "xyzabcdefg";
    if (location < static_cast<int>(letters.size()))
        return std::string(1, letters[static_cast<std::size_t>(location)]);
    return fmt::format("v{}", location);
}

std::vector<thread_range> threads_of(const cycle& c) {
    std::vector<thread_range> all;
    for (std::size_t i = 0; i < c.accesses.size(); ++i) {
        if (i == 0 || c.accesses[i].thread != c.accesses[i - 1].thread) all.push_back({i, i});
        all.back().end = i + 1;
    }
    return all;
}

emitted_test emit(const dialect& d, const cycle& c, bool show_all) {
    emitted_test t;
    t.name = c.name;
    t.registers.resize(c.accesses.size());
    for (int l = 0; l < c.locations; ++l) t.locations.push_back(location_name(l));
    t.text = fmt::format("{} {}\n\"{}\"\nGenerator=ringproof litmus generate\nOrig={}\n", d.name, c.name,
                         c.words, c.words);
    const std::vector<thread_range> ranges = threads_of(c);
    std::vector<assembly_thread> columns;
    std::string functions;
    for (std::size_t thread = 0; thread < ranges.size(); ++thread) {
        switch (d.what) {
        case dialect::id::c:
            functions += emit_c_thread(d, c, ranges[thread], static_cast<int>(thread), t.registers);
            break;
        case dialect::id::x86:
            columns.push_back(emit_x86(d, c, ranges[thread], t.registers));
            break;
        case dialect::id::aarch64:
            columns.push_back(emit_aarch64(d, c, ranges[thread], t.registers));
            break;
        case dialect::id::riscv:
            columns.push_back(emit_riscv(d, c, ranges[thread], t.registers));
            break;
        }
        for (std::size_t i = ranges[thread].begin; i < ranges[thread].end; ++i)
            if (!t.registers[i].empty()) t.registers[i] = fmt::format("{}:{}", thread, t.registers[i]);
    }
    t.text += "{\n";
    for (std::size_t thread = 0; thread < columns.size(); ++thread)
        if (!columns[thread].initial.empty()) {
            for (const std::string& one : columns[thread].initial)
                t.text += fmt::format("{}:{}; ", thread, one);
            t.text.back() = '\n';
        }
    t.text += "}\n" + (columns.empty() ? functions : table(columns));
    if (show_all) {
        t.text += "locations [";
        for (const std::string& l : t.locations) t.text += fmt::format("{}; ", l);
        for (const std::string& r : t.registers)
            if (!r.empty()) t.text += fmt::format("{}; ", r);
        t.text.back() = ']';
        t.text += "\n";
    }
    t.text += condition_of(c, t.registers);
    return t;
}

} // namespace ringproof::litmus::cycles
