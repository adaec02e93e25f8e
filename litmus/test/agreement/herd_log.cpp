// SPDX-License-Identifier: Apache-2.0
#include "herd_log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace ringproof::litmus::agreement {

/// Of RISC-V: "a0" is x10, … Other names stay as they are.
static std::string numbered_register(const std::string& name) {
    if (name.size() < 2 || name.size() > 3 || name.find_first_not_of("0123456789", 1) != std::string::npos)
        return name;
    const int n = std::stoi(name.substr(1));
    switch (name[0]) {
    case 'a':
        return fmt::format("x{}", 10 + n);
    case 's':
        return fmt::format("x{}", n < 2 ? 8 + n : 16 + n);
    case 't':
        return fmt::format("x{}", n < 3 ? 5 + n : 25 + n);
    default:
        return name;
    }
}

/// "[x]" and "x", "1:W0" and "1:X0", of x86 "1:rax" and "1:RAX", of RISC-V "1:a0" and "1:x10" are one.
static std::string plain_name(std::string name) {
    if (name.size() > 2 && name.front() == '[') name = name.substr(1, name.size() - 2);
    const std::size_t colon = name.find(':');
    if (colon == std::string::npos) return name;
    std::string in_thread = numbered_register(name.substr(colon + 1));
    if (in_thread[0] == 'W') in_thread[0] = 'X';
    if (in_thread[0] == 'e' || (in_thread[0] == 'r' && in_thread.size() == 3))
        for (char& c : in_thread) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name.substr(0, colon + 1) + in_thread;
}

shown_state parse_state(const std::string& line) {
    shown_state s;
    std::istringstream in(line);
    for (std::string one; std::getline(in, one, ';');) {
        one.erase(std::remove(one.begin(), one.end(), ' '), one.end());
        const std::size_t equals = one.find('=');
        if (equals == std::string::npos) continue;
        const std::string name = plain_name(one.substr(0, equals)), text = one.substr(equals + 1);
        if (text.empty() || text.front() != '{') {
            s[name] = text;
            continue;
        }
        std::istringstream elements(text.substr(1, text.size() - 2));
        int k = 0;
        for (std::string element; std::getline(elements, element, ',');)
            s[fmt::format("{}[{}]", name, k++)] = element;
    }
    return s;
}

/// The registers of each thread as the first, the second, …: generators of several versions choose others.
static shown_state without_registers(const shown_state& s) {
    shown_state numbered;
    std::map<std::string, int> registers;
    for (const auto& [name, v] : s) {
        const std::size_t colon = name.find(':');
        if (colon == std::string::npos) {
            numbered[name] = v;
            continue;
        }
        const std::string thread = name.substr(0, colon);
        numbered[fmt::format("{}:register {}", thread, registers[thread]++)] = v;
    }
    return numbered;
}

static bool parse_number(const std::string& text, std::int64_t& n) {
    try {
        std::size_t used = 0;
        const bool negative = !text.empty() && text.front() == '-';
        const std::uint64_t bits = std::stoull(negative ? text.substr(1) : text, &used, 0);
        n = static_cast<std::int64_t>(negative ? 0 - bits : bits);
        return used + negative == text.size();
    } catch (const std::exception&) {
        return false;
    }
}

/// -1 and 0xffffffff are the same in four bytes, and what they are in is not in the log.
static bool same_value(const std::string& a, const std::string& b) {
    std::int64_t x = 0, y = 0;
    if (!parse_number(a, x) || !parse_number(b, y)) return a == b;
    const auto fits = [](std::int64_t n, int bits) {
        return -(std::int64_t{1} << (bits - 1)) <= n && n < std::int64_t{1} << bits;
    };
    for (const int bits : {8, 16, 32})
        if (fits(x, bits) && fits(y, bits) && (x < 0) != (y < 0)) return ((x ^ y) << (64 - bits)) == 0;
    return x == y;
}

static bool same_state(const shown_state& a, const shown_state& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
               return x.first == y.first && same_value(x.second, y.second);
           });
}

bool same_states(const std::vector<shown_state>& a, const std::vector<shown_state>& b) {
    const auto all_in = [](const std::vector<shown_state>& some, const std::vector<shown_state>& others) {
        return std::all_of(some.begin(), some.end(), [&](const shown_state& s) {
            return std::any_of(others.begin(), others.end(),
                               [&](const shown_state& o) { return same_state(s, o); });
        });
    };
    return a.size() == b.size() && all_in(a, b) && all_in(b, a);
}

expectation parse_log(std::istream& in) {
    expectation e;
    const auto next = [&](std::string& line) {
        if (!std::getline(in, line)) return false;
        e.text += line + '\n';
        return true;
    };
    for (std::string line; next(line);) {
        if (line.rfind("States ", 0) == 0) {
            const int states = std::stoi(line.substr(7));
            for (int k = 0; k < states && next(line); ++k) e.states.push_back(parse_state(line));
        } else if (line.rfind("Positive: ", 0) == 0) {
            e.counts = line;
        } else if (line.rfind("Flag ", 0) == 0) {
            e.flags.insert(line.substr(5, line.find(' ', 5) - 5));
        }
    }
    return e;
}

/// As the reference's `kinds` are: whether the outcome is possible.
static std::string kind_of(const test& t, const simulation& s) {
    if (t.final.how == condition::quantifier::forall) return s.negative == 0 ? "Required" : "Invalid";
    return s.positive != 0 ? "Allow" : "Forbid"; // some catalogues have Allowed and Forbidden
}

/// Our states show what the filter names as well, herd7's do not.
static std::vector<shown_state> without_filter(const test& t, const simulation& s) {
    test unfiltered = t;
    unfiltered.filter.reset();
    const std::vector<location> shown = shown_locations(unfiltered);
    std::set<shown_state> states;
    for (const state& one : s.states) {
        simulation some;
        some.locations = s.locations;
        state kept;
        for (std::size_t k = 0; k < s.shown.size(); ++k)
            if (std::find(shown.begin(), shown.end(), s.shown[k]) != shown.end()) {
                some.shown.push_back(s.shown[k]);
                kept.values.push_back(one.values[k]);
            }
        states.insert(parse_state(state_text(some, kept)));
    }
    return {states.begin(), states.end()};
}

/// Undefined behaviour has one name.
static std::set<std::string> flags_of(const simulation& s) {
    std::set<std::string> names;
    for (const std::string& flag : s.flags) names.insert(flag.rfind("undefined:", 0) == 0 ? "*undef*" : flag);
    return names;
}

std::string difference(const test& t, const simulation& s, expectation e, bool by_order) {
    if (!s.complete) return "the time ran out";
    if (!e.kind.empty()) {
        const std::string got = kind_of(t, s);
        return e.kind.rfind(got, 0) == 0 ? "" : fmt::format("expected {}, got {}", e.kind, got);
    }
    std::vector<shown_state> states = without_filter(t, s);
    if (by_order)
        for (auto* list : {&states, &e.states})
            std::transform(list->begin(), list->end(), list->begin(), without_registers);
    const bool swapped = t.final.how == condition::quantifier::not_exists;
    const std::string counts = fmt::format("Positive: {} Negative: {}", swapped ? s.negative : s.positive,
                                           swapped ? s.positive : s.negative);
    std::string text;
    if (!same_states(states, e.states)) {
        text = fmt::format("{} states, expected {}", states.size(), e.states.size());
        for (const state& one : s.states) text += fmt::format("\n    {}", state_text(s, one));
    }
    if (counts != e.counts)
        text += fmt::format("{}{}, expected {}", text.empty() ? "" : "\n  ", counts, e.counts);
    if (const std::set<std::string> flags = flags_of(s); flags != e.flags)
        text += fmt::format("{}flags {}, expected {}", text.empty() ? "" : "\n  ", fmt::join(flags, ", "),
                            fmt::join(e.flags, ", "));
    return text;
}

} // namespace ringproof::litmus::agreement
