// SPDX-License-Identifier: Apache-2.0
#include "../program/thread.hpp"
#include "counterexample.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::verify {
namespace {

constexpr std::size_t wide_enough = 150; ///< characters; beyond, one column for all threads
constexpr std::size_t head_rows = 10, tail_rows = 60;

/// What columns leave out: a thread's begin and end say nothing that create and join do not, unless it was stopped, which
/// says all of the choice that it makes before.
bool silent(const shown_event& e) {
    return e.kind == recorded_event::what::begin ||
           (e.kind == recorded_event::what::end && e.label != stopped_for_ever && e.label != dies_by_kill) ||
           e.label == stop_or_go || e.label == went_on || e.label == looks_for_kill || e.label == says_ended;
}

std::string cell(const shown_event& e) {
    std::string text;
    for (unsigned d = 0; d < e.depth; ++d) text += "| ";
    text += e.label;
    const std::string stale = e.misses == shown_event::nowhere ? "" : fmt::format(", not #{}", e.misses);
    if (e.rf != shown_event::nowhere)
        text += fmt::format(" (#{}{})", e.rf, stale);
    else if (e.from_initial)
        text += fmt::format(" (initial{})", stale);
    if (const std::string at = short_position(e.source); !at.empty()) text += "  " + at;
    return text;
}

} // namespace

std::string columns(const counterexample& example, bool all) {
    std::vector<std::size_t> rows;
    std::vector<std::size_t> width;
    std::vector<std::uint16_t> threads;
    for (std::size_t i = 0; i < example.events.size(); ++i) {
        const shown_event& e = example.events[i];
        if (silent(e)) continue;
        rows.push_back(i);
        std::size_t t = 0;
        while (t < threads.size() && threads[t] != e.thread) ++t;
        if (t == threads.size()) threads.push_back(e.thread);
    }
    std::sort(threads.begin(), threads.end());
    for (const std::uint16_t t : threads) width.push_back(thread_name(t).size());
    const auto column_of = [&](std::uint16_t thread) {
        return static_cast<std::size_t>(std::find(threads.begin(), threads.end(), thread) - threads.begin());
    };
    for (const std::size_t i : rows) {
        std::size_t& w = width[column_of(example.events[i].thread)];
        w = std::max(w, cell(example.events[i]).size());
    }
    std::size_t total = 0;
    for (const std::size_t w : width) total += w + 3;
    const bool side_by_side = total <= wide_enough;

    std::string text;
    const auto line = [&](std::string_view number, bool marked, std::size_t column,
                          std::string_view content) {
        std::string row = fmt::format("  {}{:>4}  ", marked ? '>' : ' ', number);
        if (side_by_side)
            for (std::size_t c = 0; c < column; ++c) row += std::string(width[c] + 3, ' ');
        else
            row += fmt::format("{:<5}", thread_name(threads[column]));
        text += row + std::string(content) + "\n";
    };
    if (side_by_side) {
        std::string names;
        for (std::size_t c = 0; c < threads.size(); ++c)
            names += fmt::format("{:<{}}", thread_name(threads[c]), width[c] + 3);
        names.erase(names.find_last_not_of(' ') + 1);
        text += "         " + names + "\n";
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const shown_event& e = example.events[rows[r]];
        const bool left_out =
            !all && rows.size() > head_rows + tail_rows && r >= head_rows && r < rows.size() - tail_rows;
        if (left_out && r == head_rows)
            text += fmt::format("         … {} events left out (--verbose or --json has them) …\n",
                                rows.size() - head_rows - tail_rows);
        if (left_out && !e.culprit) continue;
        line(fmt::format("#{}", rows[r] + 1), e.culprit, column_of(e.thread), cell(e));
    }
    return text;
}

} // namespace ringproof::verify
