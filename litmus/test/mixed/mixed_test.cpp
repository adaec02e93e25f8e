// SPDX-License-Identifier: Apache-2.0
// Random programs that access the same bytes in several sizes: the simulator against every execution, byte by byte.
#include "../../src/cat/embedded.hpp"
#include "../../src/cat/interpreter.hpp"
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"
#include "other_machines.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

using namespace ringproof::litmus;
namespace fs = std::filesystem;

namespace {

bytewise::result simulated(const std::string& text, std::size_t parts_after, const model& m) {
    const loaded_test t = load_test({"t.litmus", text}, 2);
    limits l;
    l.parts_after = parts_after;
    const simulation s = simulate(t.text, t.what, m, l);
    bytewise::result all;
    for (const state& one : s.states) {
        std::vector<std::uint32_t> values;
        for (const value& v : one.values) values.push_back(static_cast<std::uint32_t>(v.number));
        all[values] = one.executions;
    }
    return all;
}

} // namespace

TEST_CASE(
    "of random programs with accesses of several sizes the simulator finds what trying every byte finds") {
    const char* asked = std::getenv("RINGPROOF_MIXED_PROGRAMS");
    const int programs = asked ? std::atoi(asked) : 400;
    constexpr std::uint64_t most_choices = 5'000;
    const model m = model::load("aarch64", {});
    std::mt19937 random(2204);
    int compared = 0;
    std::uint64_t executions = 0;
    while (compared < programs) {
        const bytewise::threads t = bytewise::random_threads(random);
        if (bytewise::count_of(t) > most_choices) continue;
        ++compared;
        const std::string text = bytewise::litmus_text(t);
        INFO(text);
        const bytewise::result expected = bytewise::executions(t);
        REQUIRE(simulated(text, limits::never, m) == expected);
        REQUIRE(simulated(text, 0, m) == expected);
        for (const auto& [values, count] : expected) executions += count;
    }
    CHECK(executions > 2 * static_cast<std::uint64_t>(programs)); // or nothing is compared
}

TEST_CASE("of random programs whose threads compute where they access several sizes, the simulator finds "
          "what trying "
          "every place and byte finds") {
    const char* asked = std::getenv("RINGPROOF_MIXED_PROGRAMS");
    const int programs = asked ? std::atoi(asked) : 200;
    constexpr std::uint64_t most_choices = 5'000;
    const model m = model::load("aarch64", {});
    std::mt19937 random(2206);
    int compared = 0, of_several_places = 0;
    while (compared < programs) {
        const bytewise::threads t = bytewise::with_indices(bytewise::random_threads(random), random);
        const bool computes = std::any_of(t.code.begin(), t.code.end(), [](const auto& code) {
            return std::any_of(code.begin(), code.end(), [](const auto& a) { return a.index != 0; });
        });
        if (!computes || bytewise::count_of(t) > most_choices) continue;
        ++compared;
        const std::string text = bytewise::litmus_text(t);
        INFO(text);
        const bytewise::result expected = bytewise::executions(t);
        REQUIRE(simulated(text, limits::never, m) == expected);
        REQUIRE(simulated(text, 0, m) == expected);
        of_several_places += expected.size() > 1;
    }
    CHECK(of_several_places > programs / 2);
}

namespace {

/// Every interleaving of whole instructions: what sequential consistency allows.
struct interleavings {
    explicit interleavings(const bytewise::threads& t) : threads_(t) { go({}, {}, {}); }
    std::set<std::vector<std::uint32_t>> found;

  private:
    using memory = std::array<std::uint8_t, 8>;

    /// `read` has what loads and swaps have read, by thread and instruction.
    void go(std::array<std::size_t, 2> at, memory m,
            std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> read) {
        bool ended = true;
        for (std::size_t t = 0; t < at.size(); ++t) {
            if (at[t] == threads_.code[t].size()) continue;
            ended = false;
            std::array<std::size_t, 2> next = at;
            ++next[t];
            memory after = m;
            auto seen = read;
            const bytewise::access& a = threads_.code[t][at[t]];
            const bool barrier = a.what == bytewise::access::kind::barrier;
            for (int k = 0; k < a.bytes && !barrier; ++k) {
                std::uint8_t& byte = after[static_cast<std::size_t>(4 * a.base + a.offset + k)];
                if (a.what != bytewise::access::kind::store)
                    seen[{t, at[t]}] |= std::uint32_t{byte} << (8 * k);
                if (a.what != bytewise::access::kind::load)
                    byte = static_cast<std::uint8_t>(a.stored >> (8 * k));
            }
            go(next, after, seen);
        }
        if (!ended) return;
        std::vector<std::uint32_t> values;
        for (const auto& [where, v] : read) values.push_back(v);
        for (std::size_t begin = 0; begin < m.size(); begin += 4) {
            std::uint32_t v = 0;
            for (std::size_t k = 0; k < 4; ++k) v |= std::uint32_t{m[begin + k]} << (8 * k);
            values.push_back(v);
        }
        found.insert(values);
    }

    const bytewise::threads& threads_;
};

} // namespace

TEST_CASE("of random programs with accesses of several sizes, sc allows what interleavings of whole "
          "instructions leave") {
    const model sc = model::load("sc", {});
    std::mt19937 random(2205);
    for (int k = 0; k < 400; ++k) {
        const bytewise::threads t = bytewise::random_threads(random);
        const std::string text = bytewise::litmus_text(t);
        INFO(text);
        std::set<std::vector<std::uint32_t>> states;
        for (const auto& [values, count] : simulated(text, 64, sc)) states.insert(values);
        REQUIRE(states == interleavings(t).found);
    }
}

/// A store of a half whose value depends on a load, and a wider store behind it: what random programs hardly ever have.
static const std::string wider_store_behind =
    "AArch64 T\n{ int x; int y; 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; }\n P0 | P1 ;\n"
    " LDR W4,[X2] | LDRH W4,[X1,#2] ;\n EOR W5,W4,W4 | DMB SY ;\n ADD W5,W5,#1 | MOV W3,#1 ;\n"
    " STRH W5,[X1] | STR W3,[X2] ;\n MOV W6,#0x20000 | ;\n STR W6,[X1] | ;\nlocations [0:X4; 1:X4;]\nexists "
    "(true)";

TEST_CASE("each place where aarch64.cat speaks of the pieces of one access forbids something") {
    const std::string text = *cat::built_in("aarch64.cat"), word = "one-access?";
    const model whole = model::load("aarch64", {});
    std::size_t places = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++places;
        const fs::path file = fs::temp_directory_path() / ("mixed-" + std::to_string(getpid()) + ".cat");
        std::ofstream(file) << std::string(text).replace(at, word.size(), "id");
        const model weaker = model::load(file.string(), {});
        fs::remove(file);
        INFO("without the " << places << "th, nothing differs");
        const auto differ = [&](const std::string& program) {
            return simulated(program, 0, whole) != simulated(program, 0, weaker);
        };
        std::mt19937 random(7);
        bool differs = differ(wider_store_behind);
        for (int tried = 0; tried < 20'000 && !differs; ++tried)
            differs = differ(bytewise::litmus_text(bytewise::random_threads(random)));
        CHECK(differs);
    }
    CHECK(places == 4);
}

/// Compares the final states of random programs under a model with those of a machine.
/// @return how many of `of` programs have states that no interleaving has
static int weak_ones(const char* named, unsigned seed, int of,
                     std::string (*text_of)(const bytewise::threads&),
                     bytewise::outcomes (*machine)(const bytewise::threads&)) {
    const model m = model::load(named, {});
    std::mt19937 random(seed);
    int weak = 0;
    for (int k = 0; k < of; ++k) {
        const bytewise::threads t = bytewise::random_threads(random);
        const std::string text = text_of(t);
        INFO(text);
        bytewise::outcomes states;
        for (const auto& [values, count] : simulated(text, 64, m)) states.insert(values);
        REQUIRE(states == machine(t));
        weak += states != interleavings(t).found;
    }
    return weak;
}

static int programs_asked_for() {
    const char* asked = std::getenv("RINGPROOF_MIXED_PROGRAMS");
    return asked ? std::atoi(asked) : 300;
}

TEST_CASE(
    "of random RISC-V programs with accesses of several sizes the simulator finds what the global memory "
    "orders leave") {
    const int programs = programs_asked_for();
    CHECK(weak_ones("riscv", 2206, programs, bytewise::riscv_text, bytewise::riscv_outcomes) > programs / 5);
}

TEST_CASE(
    "of random x86 programs with accesses of several sizes the simulator finds what store buffers leave") {
    const int programs = programs_asked_for();
    CHECK(weak_ones("x86-tso", 2207, programs, bytewise::x86_text, bytewise::x86_outcomes) > programs / 20);
}

TEST_CASE("a model in which accesses of several sizes may be torn is noticed by its judge") {
    const fs::path file =
        fs::temp_directory_path() / ("ringproof-torn-" + std::to_string(::getpid()) + ".cat");
    for (const std::string name : {"riscv", "x86-tso"}) {
        std::string text;
        for (const cat::embedded_file& one : cat::embedded_files())
            if (one.name == name + ".cat") text = one.text;
        const std::string rule = "[M] ; sm ; [M]";
        const std::size_t at = text.find(rule);
        REQUIRE(at != std::string::npos);
        text.replace(at, rule.size(), "[M] ; (sm & id) ; [M]");
        std::ofstream(file) << text;
        const model torn = model::load(file.string(), {});
        std::mt19937 random(2206);
        int different = 0;
        for (int k = 0; k < 300; ++k) {
            const bytewise::threads t = bytewise::random_threads(random);
            bytewise::outcomes states;
            for (const auto& [values, count] :
                 simulated(name == "riscv" ? bytewise::riscv_text(t) : bytewise::x86_text(t), 64, torn))
                states.insert(values);
            different +=
                states != (name == "riscv" ? bytewise::riscv_outcomes(t) : bytewise::x86_outcomes(t));
        }
        CHECK(different > 3);
    }
    fs::remove(file);
}
