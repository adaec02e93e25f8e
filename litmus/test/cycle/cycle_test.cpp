// SPDX-License-Identifier: Apache-2.0
#include "cycle/cycle.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace ringproof::litmus::cycles;
namespace fs = std::filesystem;

namespace {

std::string named(const char* dialect_name, const char* words) {
    return parse_cycle(*find_dialect(dialect_name), words).name;
}

} // namespace

TEST_CASE("a cycle has its usual name, from wherever it is begun") {
    CHECK(named("X86", "PodWW Rfe PodRR Fre") == "MP+po+po");
    CHECK(named("X86", "PodRR Fre PodWW Rfe") == "MP+po+po");
    CHECK(named("X86", "Fre PodWR Fre MFencedWR") == named("X86", "Fre MFencedWR Fre PodWR"));
    CHECK(named("AArch64", "PodWWPL RfeLA PodRRAP Fre") == "MP+popl+poap");
    CHECK(named("AArch64", "PodWWPL Rfe PodRRAP Fre") == "MP+popl+poap"); // marks said once are enough
    CHECK(named("AArch64", "Rfe DpAddrdR Fre Rfe DMB.SYdRR Fre") == "IRIW+dmb.sy+addr");
    CHECK(named("AArch64", "DMB.SYdWW Rfe DpAddrdW Rfi PodRR Fre") == "WW+RWRR+dmb.sy+addr-rfi-po");
    CHECK(named("RISCV", "Fence.w.wdWW Rfe DpCtrldW Coe") == "S+f.w.w+ctrl");
    CHECK(named("C", "PodWWRlxRel Rfe PodRR Fre") == "MP+poxr+po");
    CHECK(named("C", "FenceScdWR Fre FenceScdWR Fre") == "SB+fsc+fsc");
    CHECK(named("X86", "Rfe PosRR Fre") == "CoRR+W+pos");
    CHECK(named("AArch64", "RfeLP PodRW Rfe PodRR Fre") == "WRC+l+po+po");
}

TEST_CASE("stores are numbered along the cycle and loads read what their edges say") {
    const cycle c = parse_cycle(*find_dialect("X86"), "PodWW Coe PodWR Fre"); // R
    REQUIRE(c.accesses.size() == 4);
    CHECK(c.threads == 2);
    CHECK(c.locations == 2);
    CHECK(c.accesses[0].value == 1); // x
    CHECK(c.accesses[1].value == 1); // y
    CHECK(c.accesses[2].value == 2); // y, after that in coherence
    CHECK(c.accesses[3].value == 0); // x, before P0's store
    CHECK(c.stores == std::vector<int>{1, 2});
}

TEST_CASE("what is no cycle is refused with the reason") {
    const dialect& d = *find_dialect("X86");
    CHECK_THROWS_WITH(parse_cycle(d, "PodWW Fre"),
                      Catch::Contains("'PodWW' ends in a store, but 'Fre' starts from a load"));
    CHECK_THROWS_WITH(parse_cycle(d, "PodWR PodRW"), Catch::Contains("at least two threads"));
    CHECK_THROWS_WITH(parse_cycle(d, "PodWW Rfe PosRR Fre"), Catch::Contains("none leads back"));
    CHECK_THROWS_WITH(parse_cycle(d, "PodWW"), Catch::Contains("at least two edges"));
    CHECK_THROWS_WITH(parse_cycle(d, ""), Catch::Contains("at least two edges"));
    CHECK_THROWS_WITH(parse_cycle(d, "Rfe Fre"), Catch::Contains("program order"));
    const dialect& arm = *find_dialect("AArch64");
    CHECK_THROWS_WITH(parse_cycle(arm, "PodWWPL RfePA PodRR Fre"), Catch::Contains("differ in the mark"));
}

TEST_CASE("a cycle is critical if no edge is implied by its neighbours") {
    const dialect& d = *find_dialect("X86");
    const auto critical = [&](std::initializer_list<const char*> words) {
        std::vector<edge> edges;
        for (const char* w : words) edges.push_back(parse_edge(d, w));
        return is_critical(edges);
    };
    CHECK(critical({"PodWW", "Rfe", "PodRR", "Fre"}));
    CHECK(critical({"Rfe", "PodRR", "Fre", "Rfe", "PodRR", "Fre"}));
    CHECK_FALSE(critical({"PodWW", "PodWW", "Rfe", "PodRR", "Fre"}));
    CHECK_FALSE(critical({"PodWW", "Coe", "Coe", "PodWW", "Coe"}));
    CHECK_FALSE(critical({"PodWW", "Rfe", "Fre", "PodWR", "Fre"}));
}

TEST_CASE("the yardsticks' generated tests have the family that their cycle has here") {
    const fs::path folder = fs::path(RINGPROOF_SHARED) / "yardsticks/litmus/x86/diy";
    if (!fs::is_directory(folder)) {
        WARN("skipped: " << folder.string() << " is not here");
        return;
    }
    const dialect& d = *find_dialect("X86");
    int compared = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        std::ifstream in(entry.path());
        std::string line, name;
        while (std::getline(in, line) && line.compare(0, 6, "Cycle=") != 0) {
            if (name.empty()) name = line.substr(line.find(' ') + 1);
        }
        if (line.compare(0, 6, "Cycle=") != 0) continue;
        cycle c;
        try {
            c = parse_cycle(d, line.substr(6));
        } catch (const bad_cycle&) {
            continue; // locked loads, which are not in our alphabet
        }
        CAPTURE(name, line, c.name);
        const std::string family = name.substr(0, name.find('+', name[0] == '2' ? 2 : 0));
        CHECK(c.name.compare(0, family.size() + 1, family + "+") == 0);
        ++compared;
    }
    CHECK(compared > 40);
}
