// SPDX-License-Identifier: Apache-2.0
#include "badge.hpp"

#include "escape.hpp"

#include <fmt/format.h>

namespace ringproof::report {
namespace {

std::string words_of(const summary& all) {
    const tally t = all.sum();
    // What was skipped is neither: a place for it in the words, none in the sum.
    const auto done = t.total() - t[outcome::skipped];
    const auto bad = t[outcome::failed] + t[outcome::error];
    switch (all.verdict) {
    case status::ok:
        return fmt::format("{} of {} hold", t[outcome::passed], done);
    case status::failed:
        return fmt::format("{} of {} failed", bad, done);
    case status::inconclusive:
        return t[outcome::inconclusive] ? fmt::format("{} inconclusive", t[outcome::inconclusive])
                                        : "interrupted";
    case status::skipped:
        return "skipped";
    case status::empty:
        break;
    }
    return "no results";
}

std::string_view colour_of(status value) { // each at least 4.5:1 against white
    return value == status::ok ? "#1a7f37" : value == status::failed ? "#b42318" : "#8a5a00";
}

} // namespace

std::string to_badge(const summary& all) {
    const std::string words = words_of(all);
    const std::size_t left = 72, right = 16 + words.size() * 7, width = left + right;
    return fmt::format(
        R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="20" role="img" aria-label="ringproof: {1}">
<title>ringproof: {1}</title>
<clipPath id="r"><rect width="{0}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{2}" height="20" fill="#3b4048"/><rect x="{2}" width="{3}" height="20" fill="{4}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{5}" y="14">ringproof</text><text x="{6}" y="14">{1}</text></g>
</svg>
)svg",
        width, escape_xml(words), left, right, colour_of(all.verdict), left / 2, left + right / 2);
}

} // namespace ringproof::report
