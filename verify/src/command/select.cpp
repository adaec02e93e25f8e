// SPDX-License-Identifier: Apache-2.0
#include "select.hpp"

#include <algorithm>
#include <cctype>

namespace ringproof::verify {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

/// Wildcard match that goes back to the latest * only: linear in practice.
bool matches_pattern(std::string_view text, std::string_view pattern) {
    std::size_t t = 0, p = 0, star = std::string_view::npos, from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool matches(std::string_view name, std::string_view filter) {
    if (filter.starts_with('=')) return name == filter.substr(1);
    const std::string text = lower(name), wanted = lower(filter);
    if (wanted.find_first_of("*?") != std::string::npos) return matches_pattern(text, wanted);
    return text.find(wanted) != std::string::npos;
}

} // namespace

bool selected(std::string_view name, const std::vector<std::string>& filters) {
    bool any_choice = false, chosen = false;
    for (const std::string& f : filters) {
        if (f.starts_with('~')) {
            if (matches(name, std::string_view(f).substr(1))) return false;
            continue;
        }
        any_choice = true;
        chosen = chosen || matches(name, f);
    }
    return chosen || !any_choice;
}

} // namespace ringproof::verify
