// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <fmt/format.h>

namespace ringproof::silicon::a64 {
namespace {

void print(const std::vector<shown_access>& execution, std::FILE* out) {
    const shown_access* before = nullptr;
    for (const shown_access& a : execution) {
        if (!before || a.thread != before->thread) fmt::print(out, "    thread {}\n", a.thread);
        before = &a;
        std::string from;
        if (a.from_start) from = "  (the value at the start)";
        if (a.from && a.from->first != a.thread)
            from = fmt::format("  (from {}.{})", a.from->first, a.from->second);
        fmt::print(out, "      {:<5} {:<22} {:<28} {}{}\n", fmt::format("{}.{}", a.thread, a.index), a.place,
                   a.instruction, a.what, from);
    }
}

} // namespace

void print(const findings& f, std::FILE* out) {
    fmt::print(out, "    {}\n", f.failure);
    for (const shown_wait& w : f.waits)
        fmt::print(out, "      thread {} waits at {}{}{}\n", w.thread, w.place, w.what.empty() ? "" : " for ",
                   w.what);
    print(f.shown, out);
}

void print_complete(const findings& f, std::FILE* out) {
    for (std::size_t i = 0; i < f.complete.size(); ++i) {
        fmt::print(out, "    execution {} of {}\n", i + 1, f.executions);
        print(f.complete[i], out);
    }
}

} // namespace ringproof::silicon::a64
