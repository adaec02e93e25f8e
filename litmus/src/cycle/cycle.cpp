// SPDX-License-Identifier: Apache-2.0
#include "cycle.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace ringproof::litmus::cycles {
namespace {

using kind = edge::kind;

/// What a cycle is called whose threads do these accesses: names of the field, from "A Tutorial
/// Introduction to the ARM and POWER Relaxed Memory Models" (Maranget, Sarkar, Sewell 2012).
const std::map<std::string, std::string>& families() {
    static const std::map<std::string, std::string> names{
        {"WW+RR", "MP"},         {"WR+WR", "SB"},        {"RW+RW", "LB"},         {"WW+WR", "R"},
        {"WW+RW", "S"},          {"WW+WW", "2+2W"},      {"W+RW+RR", "WRC"},      {"WW+RW+RR", "ISA2"},
        {"W+RR+WR", "RWC"},      {"W+RW+RW", "WWC"},     {"W+RW+WR", "WRW+WR"},   {"W+RR+WW", "WRR+2W"},
        {"W+RW+WW", "WRW+2W"},   {"WW+RW+WR", "Z6.0"},   {"WW+WW+RW", "Z6.1"},    {"WW+RW+RW", "Z6.2"},
        {"WW+WW+RR", "Z6.3"},    {"WW+WR+WR", "Z6.4"},   {"WW+WW+WR", "Z6.5"},    {"WW+RR+WR", "W+RWC"},
        {"WR+WR+WR", "3.SB"},    {"RW+RW+RW", "3.LB"},   {"WW+WW+WW", "3.2W"},    {"W+RR+W+RR", "IRIW"},
        {"W+RR+W+RW", "IRRWIW"}, {"W+RW+W+RW", "IRWIW"}, {"WR+WR+WR+WR", "4.SB"}, {"RW+RW+RW+RW", "4.LB"},
        {"WW+WW+WW+WW", "4.2W"}};
    return names;
}

void check_joins(const dialect& d, const std::vector<edge>& edges) {
    if (edges.size() < 2) throw bad_cycle("a cycle has at least two edges");
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const edge &one = edges[i], &next = edges[(i + 1) % edges.size()];
        if (one.to != next.from)
            throw bad_cycle(fmt::format("'{}' ends in a {}, but '{}' starts from a {}", word_of(d, one),
                                        one.to == access::read ? "load" : "store", word_of(d, next),
                                        next.from == access::read ? "load" : "store"));
    }
    const auto count = [&](auto&& what) { return std::count_if(edges.begin(), edges.end(), what); };
    const auto external = count([](const edge& e) { return e.external; });
    if (external < 2)
        throw bad_cycle(fmt::format(
            "a cycle visits at least two threads: it needs two of Rfe, Fre and Coe, this has {}", external));
    const auto moves = count([](const edge& e) { return !e.same_location; });
    if (moves == 1) throw bad_cycle("one edge alone leads to another location, and none leads back");
    if (count([](const edge& e) { return !e.is_communication() && e.what != kind::rmw; }) == 0)
        throw bad_cycle("a cycle needs an edge of program order");
}

/// Marks that neighbours say about the access between them; the ordinary one where neither does.
std::vector<int> join_marks(const dialect& d, const std::vector<edge>& edges) {
    std::vector<int> marks(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const edge& before = edges[(i + edges.size() - 1) % edges.size()];
        const int a = before.mark_to, b = edges[i].mark_from;
        if (a >= 0 && b >= 0 && a != b)
            throw bad_cycle(fmt::format("'{}' and '{}' differ in the mark of the access between them",
                                        word_of(d, before), word_of(d, edges[i])));
        marks[i] = std::max({a, b, 0});
    }
    return marks;
}

std::string signature(const std::vector<edge>& edges) {
    std::string text;
    for (const edge& e : edges) {
        text += static_cast<char>(e.from);
        if (e.external) text += '+';
    }
    text.pop_back();
    return text;
}

std::string label_text(const cycle& c, const dialect& d) {
    std::string text;
    for (std::size_t i = 0; i < c.accesses.size();) {
        std::string labels;
        const std::size_t first = i;
        for (; !c.accesses[i].out.external; ++i)
            labels += fmt::format("{}{}", labels.empty() ? "" : "-",
                                  label_of(d, c.accesses[i].out, c.accesses[i].mark, c.accesses[i + 1].mark));
        // A thread of one access has no edge that could tell its mark.
        if (i == first && c.accesses[i].mark > 0)
            labels = d.marks[static_cast<std::size_t>(c.accesses[i].mark)].label;
        if (!labels.empty()) text += "+" + labels;
        ++i;
    }
    return text;
}

/// Threads, locations and values for one rotation, which ends with an edge to another thread.
cycle place(const dialect& d, const std::vector<edge>& edges, const std::vector<int>& marks) {
    cycle c;
    const auto moves =
        std::count_if(edges.begin(), edges.end(), [](const edge& e) { return !e.same_location; });
    c.locations = std::max(1, static_cast<int>(moves));
    c.stores.assign(static_cast<std::size_t>(c.locations), 0);
    int location = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        placed p;
        p.what = edges[i].from;
        p.mark = marks[i];
        p.thread = c.threads;
        p.location = location;
        p.out = edges[i];
        c.accesses.push_back(p);
        if (edges[i].external) ++c.threads;
        if (!edges[i].same_location) location = (location + 1) % c.locations;
    }
    // Values follow the cycle from where a location is entered; with a single location, from behind
    // an edge of program order, which no value depends on.
    const auto enters = [&](std::size_t i) {
        const edge& in = edges[(i + edges.size() - 1) % edges.size()];
        return moves ? !in.same_location : !in.is_communication() && in.what != kind::rmw;
    };
    std::size_t start = 0;
    while (!enters(start)) ++start;
    for (std::size_t k = 0; k < edges.size(); ++k) {
        placed& p = c.accesses[(start + k) % edges.size()];
        if (p.what == access::write) p.value = ++c.stores[static_cast<std::size_t>(p.location)];
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
        placed& p = c.accesses[i];
        if (p.what != access::read) continue;
        const placed &before = c.accesses[(i + edges.size() - 1) % edges.size()],
                     &after = c.accesses[(i + 1) % edges.size()];
        if (before.out.what == kind::rf)
            p.value = before.value;
        else if (p.out.what == kind::fr || p.out.what == kind::rmw)
            p.value = after.value - 1;
        else
            p.observed = false;
    }
    const std::string shape = signature(edges);
    const auto known = families().find(shape);
    const bool one_location = moves == 0;
    c.name =
        (known == families().end() || one_location ? (one_location ? "Co" : "") + shape : known->second) +
        label_text(c, d);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        edge said = edges[i];
        said.mark_from = marks[i];
        said.mark_to = marks[(i + 1) % edges.size()];
        c.words += (i ? " " : "") + word_of(d, said);
    }
    return c;
}

void check_marks(const dialect& d, const cycle& c) {
    for (std::size_t i = 0; i < c.accesses.size(); ++i) {
        const placed& p = c.accesses[i];
        const mark& m = d.marks[static_cast<std::size_t>(p.mark)];
        if (!(p.what == access::read ? m.reads : m.writes))
            throw bad_cycle(
                fmt::format("a {} cannot be marked '{}'", p.what == access::read ? "load" : "store", m.word));
        if (p.out.what != kind::rmw) continue;
        const std::string_view other =
            d.marks[static_cast<std::size_t>(c.accesses[(i + 1) % c.accesses.size()].mark)].word;
        if (m.word == "Na" ? d.what == dialect::id::c
                           : m.word == "Q" || ((m.word == "Sc") != (other == "Sc")) || other == "Na")
            throw bad_cycle(fmt::format("no read-modify-write has the marks '{}' and '{}'", m.word, other));
        const kind in = c.accesses[(i + c.accesses.size() - 1) % c.accesses.size()].out.what;
        if (in == kind::data || in == kind::addr)
            throw bad_cycle("a dependency into a read-modify-write is not supported");
    }
}

} // namespace

cycle make_cycle(const dialect& d, const std::vector<edge>& edges, beginning from) {
    check_joins(d, edges);
    const std::vector<int> marks = join_marks(d, edges);
    std::optional<cycle> best;
    std::pair<bool, std::string> best_key;
    if (from == beginning::as_given && !edges.back().external)
        throw bad_cycle("the last edge does not lead to another thread");
    const std::size_t turns = from == beginning::usual ? edges.size() : 1;
    for (std::size_t turn = 0; turn < turns; ++turn) {
        if (!edges[(turn + edges.size() - 1) % edges.size()].external) continue;
        std::vector<edge> turned(edges);
        std::vector<int> turned_marks(marks);
        const auto by = static_cast<std::ptrdiff_t>(turn);
        std::rotate(turned.begin(), turned.begin() + by, turned.end());
        std::rotate(turned_marks.begin(), turned_marks.begin() + by, turned_marks.end());
        cycle c = place(d, turned, turned_marks);
        // The usual name first; among equals the words decide, so that a cycle has one name only.
        std::pair<bool, std::string> key{families().count(signature(turned)) == 0, c.words};
        if (best && !(key < best_key)) continue;
        best = std::move(c);
        best_key = std::move(key);
    }
    check_marks(d, *best);
    return *best;
}

cycle parse_cycle(const dialect& d, std::string_view words, beginning from) {
    std::vector<edge> edges;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t begin = words.find_first_not_of(" \t\n", at);
        if (begin == std::string_view::npos) break;
        at = std::min(words.find_first_of(" \t\n", begin), words.size());
        edges.push_back(parse_edge(d, words.substr(begin, at - begin)));
    }
    return make_cycle(d, edges, from);
}

bool is_critical(const edge& one, const edge& next) {
    if (one.is_communication() && next.is_communication()) {
        if (next.what != kind::rf) return false;           // co;co, fr;co, rf;fr
        if (!one.external && !next.external) return false; // all in one thread
    }
    return one.what != kind::po || next.what != kind::po;
}

bool is_critical(const std::vector<edge>& edges) {
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (!is_critical(edges[i], edges[(i + 1) % edges.size()])) return false;
    return true;
}

} // namespace ringproof::litmus::cycles
