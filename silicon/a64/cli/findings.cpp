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

/// @param first of the alternatives
void print(const missing_orders& m, bool first, std::FILE* out) {
    const char* const begin = first ? "missing" : "or";
    const char* const these = m.orders.size() == 1 ? "this order" : "these orders";
    if (m.verdict.empty())
        fmt::print(out, "    {}: {} would forbid it; whether another execution fails then is open\n", begin,
                   these);
    else if (m.verdict == "refuted")
        fmt::print(out, "    {}: {} would forbid it, but not all executions that fail\n", begin, these);
    else
        fmt::print(out, "    {}: with {} the program is {} ({} executions)\n", begin, these, m.verdict,
                   m.executions);
    for (const shown_order& o : m.orders)
        fmt::print(out, "      {:<22} {}  {}\n", o.place,
                   o.is_barrier ? fmt::format("{} before {}", o.becomes, o.instruction)
                                : fmt::format("{} → {}", o.instruction, o.becomes),
                   o.cxx);
}

} // namespace

void print_missing(const findings& f, std::FILE* out) {
    if (f.interleaving)
        fmt::print(out,
                   "    no order is missing: threads that take turns fail so, too (an error of the program's "
                   "logic)\n");
    for (const missing_orders& m : f.missing) print(m, &m == &f.missing.front(), out);
    if (f.more_missing)
        fmt::print(out, "    the search for missing orders was ended: there may be other ways (--missing S "
                        "searches longer)\n");
}

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
