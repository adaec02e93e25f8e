// SPDX-License-Identifier: Apache-2.0
// The ledger of assumptions, for people: with places, and told in a line.

#include "../trace/symbols.hpp"
#include "outcome.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace ringproof::verify {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The places of the entries of a kind, of those that are open or of all, the first few by name.
std::string places(const std::vector<shown_assumption>& ledger, assumption kind, bool open_only) {
    constexpr std::size_t enough = 5;
    std::string text;
    std::size_t count = 0;
    for (const shown_assumption& a : ledger) {
        if (a.kind != kind || (open_only && !a.open()) || a.place.empty()) continue;
        if (++count <= enough) text += (count == 1 ? ", at " : "; ") + a.place;
    }
    if (count > enough) text += fmt::format(" and {} more places", count - enough);
    return text;
}

/// "lock" of lock<std::mutex, std::mutex>.
std::string without_arguments(const std::string& function) { return function.substr(0, function.find('<')); }

/// The function of a library without debug information: "std::x::wait() of libstdc++.so.6".
std::string library_place(std::uintptr_t site) {
    Dl_info at{};
    if (dladdr(reinterpret_cast<const void*>(site - 1), &at) == 0 || !at.dli_fname) return "";
    const std::string library = std::filesystem::path(at.dli_fname).filename().string();
    if (library.find(".so") == std::string::npos) return ""; // the program itself
    if (!at.dli_sname) return library;
    const std::string function = demangled(at.dli_sname);
    return fmt::format("{}() of {}", function.substr(0, function.find('(')), library);
}

} // namespace

std::string place_text(std::uintptr_t site, const symbols& names) {
    std::vector<source_position> stack = names.positions({site});
    if (stack.empty()) {
        const std::vector<std::string> functions = names.functions(site);
        if (!functions.empty()) return without_arguments(functions.back()) + "() of the standard library";
        const std::string library = library_place(site);
        return library.empty() ? "an unknown place" : library;
    }
    const std::string place = fmt::format("{}:{}", short_path(stack[0].file), stack[0].line);
    // Expanded in place: the loop itself may be in one of the callers.
    stack.erase(stack.begin());
    return stack.empty() ? place : place + ", " + called_from(stack);
}

bool is_assumed(assumption kind, const subject& what, const command_options& options) {
    const std::string_view name = row_of(kind).name;
    return contains(options.assumed, name) || contains(what.options.assumes, name);
}

std::string_view standing_name(const shown_assumption& a) {
    if (a.assumed) return "assumed";
    switch (row_of(a.kind).stands) {
    case standing::proved:
        return "proved";
    case standing::explored:
        return "explored";
    case standing::open:
        break;
    }
    return "open";
}

std::vector<shown_assumption> ledger_of(const subject& what, const exploration_result& r,
                                        const command_options& options, const symbols& names) {
    std::vector<shown_assumption> ledger;
    const auto add = [&](assumption kind, std::string place, std::uint64_t times) {
        for (shown_assumption& known : ledger) // inlined copies are one place
            if (known.kind == kind && known.place == place) {
                known.times += times;
                return;
            }
        const assumption_row& row = row_of(kind);
        const bool assumed = row.stands == standing::open && is_assumed(kind, what, options);
        ledger.push_back({kind, std::move(place), times, assumed});
    };
    for (const auto& [entry, times] : whole_ledger(r)) {
        const auto [kind, site] = entry;
        const bool waits = kind == assumption::clock && names.is_in_timed_wait(site);
        add(waits ? assumption::deadline : kind, site == 0 ? "" : place_text(site, names), times);
    }
    if (!what.unseen.empty()) add(assumption::assembly, what.unseen, 1);
    if (!what.libraries.empty()) add(assumption::uninstrumented, what.libraries, 1);
    return ledger;
}

std::string places_of(const std::vector<shown_assumption>& ledger, assumption kind) {
    return places(ledger, kind, false);
}

std::string open_text(const std::vector<shown_assumption>& ledger) {
    std::string text;
    for (std::size_t i = 0; i < assumption_count; ++i) {
        const assumption_row& row = row_of(static_cast<assumption>(i));
        const bool any = std::any_of(ledger.begin(), ledger.end(), [&](const shown_assumption& a) {
            return a.kind == row.kind && a.open();
        });
        if (!any) continue;
        text += fmt::format("{}not shown: {}{}. {}{}To take it for granted, use --assume {}.",
                            text.empty() ? "" : "\n    ", row.taken, places(ledger, row.kind, true),
                            row.advice, row.advice.empty() ? "" : " ", row.name);
    }
    return text;
}

std::string ledger_line(const std::vector<shown_assumption>& ledger) {
    std::string text;
    for (std::size_t i = 0; i < assumption_count; ++i) {
        const assumption_row& row = row_of(static_cast<assumption>(i));
        std::size_t places = 0;
        const shown_assumption* first = nullptr;
        for (const shown_assumption& a : ledger) {
            if (a.kind != row.kind) continue;
            if (!first) first = &a;
            ++places;
        }
        if (!first) continue;
        text += fmt::format("{}{} ({}{})", text.empty() ? "" : ", ", row.name, standing_name(*first),
                            places > 1             ? fmt::format(" at {} places", places)
                            : first->place.empty() ? ""
                                                   : " at " + first->place.substr(0, first->place.find(',')));
    }
    return text;
}

} // namespace ringproof::verify
