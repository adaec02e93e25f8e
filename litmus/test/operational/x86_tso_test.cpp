// SPDX-License-Identifier: Apache-2.0
#include "operational/x86_tso.hpp"

#include "log/result.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace ringproof::litmus;

namespace {

std::optional<final_states> states_of(const std::string& text, machine m) {
    const test t = parse_test({"t", text});
    return explore(x86::parse_program(t), shown_locations(t), m);
}

std::size_t count(const std::string& threads, const std::string& condition, machine m) {
    const auto found = states_of("X86 T\n{ }\n" + threads + "\n" + condition, m);
    REQUIRE(found);
    return found->values.size();
}

} // namespace

TEST_CASE("store buffering has four states on TSO, three on SC, and three with fences on both") {
    const std::string sb = "P0 | P1 ;\nMOV [x],$1 | MOV [y],$1 ;\nMOV EAX,[y] | MOV EAX,[x] ;";
    const std::string fenced =
        "P0 | P1 ;\nMOV [x],$1 | MOV [y],$1 ;\nMFENCE | MFENCE ;\nMOV EAX,[y] | MOV EAX,[x] ;";
    const std::string asks = "exists (0:EAX=0 /\\ 1:EAX=0)";
    CHECK(count(sb, asks, machine::tso) == 4);
    CHECK(count(sb, asks, machine::sc) == 3);
    CHECK(count(fenced, asks, machine::tso) == 3);
}

TEST_CASE("LFENCE and SFENCE do not keep a load behind a store") {
    for (const std::string fence : {"LFENCE", "SFENCE"})
        CHECK(count("P0 | P1 ;\nMOV [x],$1 | MOV [y],$1 ;\n" + fence + " | " + fence +
                        " ;\nMOV EAX,[y] | MOV EAX,[x] ;",
                    "exists (0:EAX=0 /\\ 1:EAX=0)", machine::tso) == 4);
}

TEST_CASE("a locked increment is never lost, an unlocked one may be") {
    CHECK(count("P0 | P1 ;\nLOCK INC [x] | LOCK INC [x] ;", "exists (x=2)", machine::tso) == 1);
    CHECK(count("P0 | P1 ;\nINC [x] | INC [x] ;", "exists (x=2)", machine::tso) == 2);
    CHECK(count("P0 | P1 ;\nINC [x] | INC [x] ;", "exists (x=2)", machine::sc) == 2);
}

TEST_CASE("a loop that waits for another thread ends, for states repeat") {
    CHECK(count("P0 | P1 ;\nMOV [x],$1 | L: MOV EAX,[x] ;\n | CMP EAX,$1 ;\n | JNE L ;", "exists (1:EAX=1)",
                machine::tso) == 1);
}

TEST_CASE("values are those of the width that is shown") {
    const auto found = states_of("X86 T\n{ uint64_t y; }\nP0 ;\nMOV EAX,$-1 ;\nMOV [x],EAX ;\nMOV [y],RAX ;\n"
                                 "exists (0:EAX=-1 /\\ 0:RAX=0 /\\ x=0 /\\ y=0)",
                                 machine::tso);
    REQUIRE(found);
    CHECK(*found->values.begin() == std::vector<std::int64_t>{-1, 0xffffffff, -1, 0xffffffff});
}

TEST_CASE("an address in a register reaches its variable, and no other number does") {
    const auto found = states_of("X86 T\n{ 0:RSI=x; }\nP0 ;\nMOV [RSI],$7 ;\nexists (x=7)", machine::tso);
    REQUIRE(found);
    CHECK(*found->values.begin() == std::vector<std::int64_t>{7});
    CHECK_FALSE(states_of("X86 T\n{ x=0; 0:RSI=5; }\nP0 ;\nMOV [RSI],$7 ;\nexists (x=7)", machine::tso));
}

TEST_CASE("a loop for ever and too many states end in no answer, not in no end") {
    CHECK_FALSE(states_of("X86 T\n{ x=0; }\nP0 ;\nL: JMP L ;\nexists (x=0)", machine::tso));
    const test t = parse_test({"t", "X86 T\n{ x=0; }\nP0 ;\nL: INC [x] ;\nJMP L ;\nexists (x=0)"});
    CHECK_FALSE(explore(x86::parse_program(t), shown_locations(t), machine::tso, 1000));
}

TEST_CASE("SC allows nothing that TSO forbids") {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(RINGPROOF_LITMUS_TESTS)) {
        if (entry.path().extension() != ".litmus") continue;
        INFO(entry.path());
        const test t = parse_test(read_source(entry.path().string()));
        if (!x86::is_dialect(t.dialect)) continue;
        const x86::program p = x86::parse_program(t);
        const auto sc = explore(p, shown_locations(t), machine::sc);
        const auto tso = explore(p, shown_locations(t), machine::tso);
        REQUIRE(sc);
        REQUIRE(tso);
        for (const auto& values : sc->values) CHECK(tso->values.count(values) == 1);
    }
}

TEST_CASE("our own tests say what the model says") {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(RINGPROOF_LITMUS_TESTS)) {
        if (entry.path().extension() != ".litmus") continue;
        INFO(entry.path());
        const test t = parse_test(read_source(entry.path().string()));
        CHECK(t.name == entry.path().stem().string());
        if (!x86::is_dialect(t.dialect)) continue;
        const auto tso = explore(x86::parse_program(t), shown_locations(t), machine::tso);
        REQUIRE(tso);
        std::map<std::vector<std::int64_t>, std::uint64_t> counted;
        for (const auto& values : tso->values) counted[values] = 1;
        const test_result r = make_result(t, counted);
        CHECK(validated(r.how, r.positive, r.negative));
    }
}

TEST_CASE("observations and numbers of states are those of the reference simulator") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(RINGPROOF_SHARED) / "yardsticks/litmus";
    std::ifstream table(folder / "expected-x86.tsv");
    if (!table) {
        WARN("skipped: " << folder.string() << " is not here");
        return;
    }
    std::string line;
    std::getline(table, line); // names of the columns
    int rows = 0;
    while (std::getline(table, line)) {
        std::istringstream in(line);
        std::string file, model, seen, condition, states;
        for (std::string* field : {&file, &model, &seen, &condition, &states}) std::getline(in, *field, '\t');
        INFO(file << " " << model);
        const test t = parse_test(read_source((folder / file).string()));
        const auto found =
            explore(x86::parse_program(t), shown_locations(t), model == "sc" ? machine::sc : machine::tso);
        REQUIRE(found);
        std::map<std::vector<std::int64_t>, std::uint64_t> counted;
        for (const auto& values : found->values) counted[values] = 1;
        const test_result r = make_result(t, counted);
        CHECK(observation(r.positive, r.negative) == seen);
        CHECK(std::to_string(found->values.size()) == states);
        ++rows;
    }
    CHECK(rows > 200);
}
