// SPDX-License-Identifier: Apache-2.0
#include "edge.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cycles {
namespace {

using kind = edge::kind;

void add_ordered(dialect& d, kind what, int fence, bool dependency) {
    for (const access from : {access::read, access::write})
        for (const access to : {access::read, access::write})
            for (const bool same : {false, true}) {
                if (dependency && from == access::write) continue;
                if (what == kind::data && to == access::read) continue;
                edge e;
                e.what = what;
                e.fence = fence;
                e.from = from;
                e.to = to;
                e.same_location = same;
                d.alphabet.push_back(e);
            }
}

void complete(dialect& d) {
    const auto communication = [&](kind what, access from, access to) {
        for (const bool external : {true, false}) {
            edge e;
            e.what = what;
            e.external = external;
            e.same_location = true;
            e.from = from;
            e.to = to;
            d.alphabet.push_back(e);
        }
    };
    communication(kind::rf, access::write, access::read);
    communication(kind::fr, access::read, access::write);
    communication(kind::co, access::write, access::write);
    add_ordered(d, kind::po, -1, false);
    for (std::size_t f = 0; f < d.fences.size(); ++f) add_ordered(d, kind::fence, static_cast<int>(f), false);
    if (d.address_dependencies) add_ordered(d, kind::addr, -1, true);
    if (d.other_dependencies) {
        add_ordered(d, kind::data, -1, true);
        add_ordered(d, kind::ctrl, -1, true);
    }
    if (!d.ctrl_fence.empty()) add_ordered(d, kind::ctrl_fence, -1, true);
    edge rmw;
    rmw.what = kind::rmw;
    rmw.same_location = true;
    rmw.from = access::read;
    d.alphabet.push_back(rmw);
}

std::vector<dialect> make_dialects() {
    std::vector<dialect> all(4);
    dialect& c = all[0];
    c.what = dialect::id::c;
    c.name = "C";
    c.marks = {{"Rlx", "x"}, {"Acq", "a", true, false}, {"Rel", "r", false, true}, {"Sc", "s"}, {"Na", "n"}};
    c.fences = {{"FenceSc", "fsc", "memory_order_seq_cst"},
                {"FenceAR", "far", "memory_order_acq_rel"},
                {"FenceAcq", "facq", "memory_order_acquire"},
                {"FenceRel", "frel", "memory_order_release"}};
    c.address_dependencies = false;
    dialect& x86 = all[1];
    x86.what = dialect::id::x86;
    x86.name = "X86";
    x86.marks = {{"Na", "p"}, {"A", "a", false, true}};
    x86.fences = {
        {"MFence", "mfence", "MFENCE"}, {"LFence", "lfence", "LFENCE"}, {"SFence", "sfence", "SFENCE"}};
    x86.address_dependencies = x86.other_dependencies = false;
    dialect& arm = all[2];
    arm.what = dialect::id::aarch64;
    arm.name = "AArch64";
    arm.marks = {{"P", "p"}, {"A", "a", true, false}, {"Q", "q", true, false}, {"L", "l", false, true}};
    arm.fences = {
        {"DMB.SY", "dmb.sy", "DMB SY"}, {"DMB.LD", "dmb.ld", "DMB LD"}, {"DMB.ST", "dmb.st", "DMB ST"}};
    arm.ctrl_fence = "ISB";
    dialect& riscv = all[3];
    riscv.what = dialect::id::riscv;
    riscv.name = "RISCV";
    riscv.marks = {{"P", "p"}, {"Aq", "aq", true, false}, {"Rl", "rl", false, true}};
    riscv.fences = {{"Fence.rw.rw", "f.rw.rw", "fence rw,rw"}, {"Fence.rw.w", "f.rw.w", "fence rw,w"},
                    {"Fence.r.rw", "f.r.rw", "fence r,rw"},    {"Fence.r.r", "f.r.r", "fence r,r"},
                    {"Fence.w.w", "f.w.w", "fence w,w"},       {"Fence.tso", "f.tso", "fence.tso"}};
    for (dialect& d : all) complete(d);
    return all;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return low(x) == low(y); });
}

bool fits(std::string_view pattern, std::string_view word) {
    if (pattern.empty()) return word.empty();
    if (pattern[0] != '*')
        return !word.empty() && pattern[0] == word[0] && fits(pattern.substr(1), word.substr(1));
    for (std::size_t skip = 0; skip <= word.size(); ++skip)
        if (fits(pattern.substr(1), word.substr(skip))) return true;
    return false;
}

bool fits_mark(const dialect& d, int index, access what) {
    const mark& m = d.marks[static_cast<std::size_t>(index)];
    return what == access::read ? m.reads : m.writes;
}

/// Both marks of `rest`, each of a kind that its access can have.
bool parse_marks(const dialect& d, std::string_view rest, edge& e) {
    for (int a = 0; a < static_cast<int>(d.marks.size()); ++a) {
        const std::string_view word = d.marks[static_cast<std::size_t>(a)].word;
        if (!rest.starts_with(word)) continue;
        for (int b = 0; b < static_cast<int>(d.marks.size()); ++b)
            if (rest.substr(word.size()) == d.marks[static_cast<std::size_t>(b)].word &&
                fits_mark(d, a, e.from) && fits_mark(d, b, e.to)) {
                e.mark_from = a;
                e.mark_to = b;
                return true;
            }
    }
    return false;
}

} // namespace

const std::vector<dialect>& dialects() {
    static const std::vector<dialect> all = make_dialects();
    return all;
}

const dialect* find_dialect(std::string_view name) {
    for (const dialect& d : dialects())
        if (equal_ignoring_case(d.name, name)) return &d;
    return nullptr;
}

std::string word_of(const dialect& d, const edge& e) {
    std::string word;
    const char where = e.external ? 'e' : 'i';
    const char place = e.same_location ? 's' : 'd';
    const char from = static_cast<char>(e.from), to = static_cast<char>(e.to);
    switch (e.what) {
    case kind::rf:
        word = fmt::format("Rf{}", where);
        break;
    case kind::fr:
        word = fmt::format("Fr{}", where);
        break;
    case kind::co:
        word = fmt::format("Co{}", where);
        break;
    case kind::po:
        word = fmt::format("Po{}{}{}", place, from, to);
        break;
    case kind::addr:
        word = fmt::format("DpAddr{}{}", place, to);
        break;
    case kind::data:
        word = fmt::format("DpData{}{}", place, to);
        break;
    case kind::ctrl:
        word = fmt::format("DpCtrl{}{}", place, to);
        break;
    case kind::ctrl_fence:
        word = fmt::format("DpCtrlIsb{}{}", place, to);
        break;
    case kind::fence:
        word = fmt::format("{}{}{}{}", d.fences[static_cast<std::size_t>(e.fence)].word, place, from, to);
        break;
    case kind::rmw:
        word = "Rmw";
        break;
    }
    if (e.mark_from > 0 || e.mark_to > 0)
        for (const int m : {e.mark_from, e.mark_to})
            word += d.marks[static_cast<std::size_t>(std::max(m, 0))].word;
    return word;
}

std::string label_of(const dialect& d, const edge& e, int mark_from, int mark_to) {
    std::string label;
    switch (e.what) {
    case kind::rf:
        label = "rfi";
        break;
    case kind::fr:
        label = "fri";
        break;
    case kind::co:
        label = "coi";
        break;
    case kind::po:
        label = "po";
        break;
    case kind::addr:
        label = "addr";
        break;
    case kind::data:
        label = "data";
        break;
    case kind::ctrl:
        label = "ctrl";
        break;
    case kind::ctrl_fence:
        label = "ctrlisb";
        break;
    case kind::fence:
        label = d.fences[static_cast<std::size_t>(e.fence)].label;
        break;
    case kind::rmw:
        label = "rmw";
        break;
    }
    if (e.same_location && !e.is_communication() && e.what != kind::rmw) label += "s";
    if (mark_from > 0 || mark_to > 0)
        for (const int m : {mark_from, mark_to}) label += d.marks[static_cast<std::size_t>(m)].label;
    return label;
}

edge parse_edge(const dialect& d, std::string_view word) {
    std::string text(word);
    if (text.compare(0, 3, "Wse") == 0 || text.compare(0, 3, "Wsi") == 0) text.replace(0, 2, "Co");
    for (const edge& known : d.alphabet) {
        const std::string base = word_of(d, known);
        if (text.compare(0, base.size(), base) != 0) continue;
        edge e = known;
        if (text.size() == base.size() || parse_marks(d, std::string_view(text).substr(base.size()), e))
            return e;
    }
    throw bad_cycle(fmt::format("'{}' is no edge of {} (--list-edges shows them)", word, d.name));
}

std::vector<edge> matching_edges(const dialect& d, std::string_view pattern) {
    std::vector<edge> found;
    for (const edge& e : d.alphabet)
        if (fits(pattern, word_of(d, e))) found.push_back(e);
    if (found.empty())
        throw bad_cycle(fmt::format("no edge of {} fits '{}' (--list-edges shows them)", d.name, pattern));
    return found;
}

} // namespace ringproof::litmus::cycles
