// SPDX-License-Identifier: Apache-2.0
// Our models beside each other, on 2,000 cycles written in several dialects: a stronger model allows no
// final state that a weaker one forbids, and what a compiler may make of a C program does nothing that
// the program may not. No table of expected verdicts is involved.
#include "cycle/choose.hpp"
#include "cycle/emit.hpp"
#include "enumerate/search.hpp"
#include "frontend/front_ends.hpp"
#include "operational/x86_tso.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cycles;

namespace {

using outcomes = std::set<std::vector<std::int64_t>>; ///< loads in the order of the cycle, then locations

const model& model_of(const std::string& name) {
    static std::map<std::string, model> models;
    if (models.count(name) == 0) models.emplace(name, model::load(name, {}));
    return models.at(name);
}

/// Where the cycle's loads and locations are among the values a test shows.
std::vector<std::size_t> columns(const emitted_test& t, const std::vector<location>& shown) {
    std::vector<std::size_t> at;
    const auto find = [&](const std::string& name) {
        for (std::size_t i = 0; i < shown.size(); ++i)
            if (shown[i].printed() == name || shown[i].printed() == "[" + name + "]") return at.push_back(i);
        FAIL("no column for " << name << " in\n" << t.text);
    };
    for (const std::string& r : t.registers)
        if (!r.empty()) find(r);
    for (const std::string& l : t.locations) find(l);
    return at;
}

struct dialect_test {
    dialect_test(const char* architecture, const std::string& words)
        : text(emit(*find_dialect(architecture),
                    parse_cycle(*find_dialect(architecture), words, beginning::as_given), true)),
          loaded(load_test({"generated", text.text}, 2)) {}

    outcomes under(const std::string& name) const {
        const simulation s = simulate(loaded.text, loaded.what, model_of(name), {});
        const std::vector<std::size_t> at = columns(text, s.shown);
        outcomes all;
        for (const state& one : s.states) {
            std::vector<std::int64_t> values;
            for (const std::size_t i : at) values.push_back(one.values[i].number);
            all.insert(values);
        }
        return all;
    }

    outcomes by_machine(machine m) const {
        const std::vector<location> shown = shown_locations(loaded.text);
        const std::optional<final_states> found = explore(x86::parse_program(loaded.text), shown, m);
        REQUIRE(found);
        const std::vector<std::size_t> at = columns(text, shown);
        outcomes all;
        for (const auto& one : found->values) {
            std::vector<std::int64_t> values;
            for (const std::size_t i : at) values.push_back(one[i]);
            all.insert(values);
        }
        return all;
    }

    emitted_test text;
    loaded_test loaded;
};

bool within(const outcomes& strong, const outcomes& weak) {
    return std::includes(weak.begin(), weak.end(), strong.begin(), strong.end());
}

std::string replaced(std::string text, std::initializer_list<std::pair<const char*, const char*>> pairs) {
    for (const auto& [from, to] : pairs)
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;
             at += std::string(to).size())
            text.replace(at, std::string(from).size(), to);
    return text;
}

/// The cycle in another dialect: each edge's word by `translate`, which may give up (empty).
std::string in_words(const cycle& c, const std::function<std::string(const edge&)>& translate) {
    std::string words;
    for (std::size_t i = 0; i < c.accesses.size(); ++i) {
        edge e = c.accesses[i].out;
        e.mark_from = c.accesses[i].mark;
        e.mark_to = c.accesses[(i + 1) % c.accesses.size()].mark;
        words += translate(e) + " ";
    }
    return words;
}

/// Calls `look` for cycles of the edges that some pattern fits, as many as asked for.
void for_cycles(const char* architecture, std::initializer_list<const char*> patterns,
                std::initializer_list<const char*> marks, int count, std::uint64_t seed,
                const std::function<void(const dialect&, const cycle&)>& look) {
    const dialect& d = *find_dialect(architecture);
    selection s;
    s.size = 6;
    for (const char* p : patterns)
        for (const edge& e : matching_edges(d, p)) s.edges.push_back(e);
    for (std::size_t m = 0; m < d.marks.size(); ++m)
        for (const char* wanted : marks)
            if (d.marks[m].word == wanted) s.marks.push_back(static_cast<int>(m));
    int looked = 0;
    random_cycles(d, s, seed, [&](const cycle& c) {
        look(d, c);
        return ++looked < count;
    });
    CHECK(looked == count);
}

/// A program of relaxed, acquire, release and sequentially consistent accesses as a compiler for X86
/// writes it: a sequentially consistent store becomes XCHG, a fence of that kind MFENCE.
std::string for_x86(const dialect& d, const cycle& c) {
    const auto mark = [&](int m, cycles::access what) {
        return what == cycles::access::write && d.marks[static_cast<std::size_t>(m)].word == "Sc" ? "A"
                                                                                                  : "Na";
    };
    return in_words(c, [&](const edge& e) {
        edge bare = e;
        bare.mark_from = bare.mark_to = -1;
        std::string word =
            replaced(word_of(d, bare),
                     {{"FenceSc", "MFence"}, {"FenceAR", "Po"}, {"FenceAcq", "Po"}, {"FenceRel", "Po"}});
        // Dependencies are program order to X86.
        if (e.what == edge::kind::data) word = std::string("Po") + (e.same_location ? "s" : "d") + "RW";
        if (e.what == edge::kind::rmw) return word; // locked whatever its order
        return word + mark(e.mark_from, e.from) + mark(e.mark_to, e.to);
    });
}

std::string for_aarch64(const dialect& d, const cycle& c) {
    return in_words(c, [&](const edge& e) {
        edge bare = e;
        bare.mark_from = bare.mark_to = -1;
        const auto mark = [&](int m, cycles::access what) {
            const std::string_view word = d.marks[static_cast<std::size_t>(m)].word;
            return word == "Rlx" ? "P" : what == cycles::access::read ? "A" : "L";
        };
        return replaced(word_of(d, bare), {{"FenceSc", "DMB.SY"},
                                           {"FenceAR", "DMB.SY"},
                                           {"FenceAcq", "DMB.LD"},
                                           {"FenceRel", "DMB.SY"}}) +
               mark(e.mark_from, e.from) + mark(e.mark_to, e.to);
    });
}

std::string for_riscv(const dialect& d, const cycle& c) {
    return in_words(c, [&](const edge& e) {
        edge bare = e;
        bare.mark_from = bare.mark_to = -1;
        const auto mark = [&](int m, cycles::access what) {
            return m == 0 ? "P" : what == cycles::access::read ? "Aq" : "Rl";
        };
        return replaced(word_of(d, bare), {{"FenceSc", "Fence.rw.rw"},
                                           {"FenceAR", "Fence.tso"},
                                           {"FenceAcq", "Fence.r.rw"},
                                           {"FenceRel", "Fence.rw.w"}}) +
               mark(e.mark_from, e.from) + mark(e.mark_to, e.to);
    });
}

bool has(const dialect& d, const cycle& c, std::string_view word) {
    return std::any_of(c.accesses.begin(), c.accesses.end(), [&](const placed& p) {
        return d.marks[static_cast<std::size_t>(p.mark)].word == word;
    });
}

} // namespace

TEST_CASE(
    "sc allows no more than x86-tso, x86-tso no more than aarch64 and riscv, on 800 cycles in each dialect") {
    std::size_t weaker = 0;
    for_cycles(
        "X86", {"Rf*", "Fr*", "Co*", "Po*", "MFence*", "LFence*", "Rmw"}, {}, 800, 11,
        [&](const dialect&, const cycle& c) {
            const dialect_test x86("X86", c.words);
            const dialect_test arm("AArch64", replaced(c.words, {{"MFence", "DMB.SY"}, {"LFence", "Po"}}));
            const dialect_test riscv("RISCV",
                                     replaced(c.words, {{"MFence", "Fence.rw.rw"}, {"LFence", "Po"}}));
            CAPTURE(x86.text.text);
            const outcomes sc = x86.under("sc"), tso = x86.under("x86-tso");
            REQUIRE(sc == arm.under("sc"));
            REQUIRE(sc == riscv.under("sc"));
            REQUIRE(within(sc, tso));
            REQUIRE(within(tso, arm.under("aarch64")));
            REQUIRE(within(tso, riscv.under("riscv")));
            weaker += sc != tso;
        });
    CHECK(weaker > 50); // or the comparison would show little
}

TEST_CASE(
    "the x86-TSO machine has exactly the final states of the x86-tso model, and of sc without its buffers") {
    for_cycles("X86", {"*"}, {"A"}, 400, 12, [&](const dialect&, const cycle& c) {
        const dialect_test t("X86", c.words);
        CAPTURE(t.text.text);
        REQUIRE(t.by_machine(machine::tso) == t.under("x86-tso"));
        REQUIRE(t.by_machine(machine::sc) == t.under("sc"));
    });
}

TEST_CASE("sc allows no more than rc11, and rc11 no more than c11 unless sequentially consistent accesses "
          "are mixed with others") {
    std::size_t weaker = 0;
    for_cycles("C", {"*"}, {"Acq", "Rel", "Sc"}, 800, 13, [&](const dialect& d, const cycle& c) {
        const dialect_test t("C", c.words);
        CAPTURE(t.text.text);
        const outcomes sc = t.under("sc"), rc11 = t.under("rc11");
        REQUIRE(within(sc, rc11));
        // RC11 weakened what a mixture means, so that it can be compiled to Power.
        if (!has(d, c, "Sc")) REQUIRE(within(rc11, t.under("c11")));
        weaker += sc != rc11;
    });
    CHECK(weaker > 100);
}

TEST_CASE("what compilers make of a C program does nothing that rc11, or with load buffering c11, forbids "
          "the program") {
    for_cycles("C", {"Rf*", "Fr*", "Co*", "Po*", "Fence*", "DpData*", "Rmw"}, {"Acq", "Rel", "Sc"}, 400, 14,
               [&](const dialect& d, const cycle& c) {
                   const dialect_test program("C", c.words);
                   CAPTURE(program.text.text);
                   const outcomes c11 = program.under("c11");
                   const dialect_test x86("X86", for_x86(d, c)), arm("AArch64", for_aarch64(d, c));
                   CAPTURE(x86.text.text, arm.text.text);
                   REQUIRE(within(x86.under("x86-tso"), program.under("rc11")));
                   REQUIRE(within(arm.under("aarch64"), c11));
                   if (has(d, c, "Sc")) return; // lw.aq and sw.rl alone are weaker than that
                   const dialect_test riscv("RISCV", for_riscv(d, c));
                   CAPTURE(riscv.text.text);
                   REQUIRE(within(riscv.under("riscv"), c11));
               });
}
