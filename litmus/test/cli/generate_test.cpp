// SPDX-License-Identifier: Apache-2.0
// `ringproof litmus generate`, as a user meets it.
#include "binary.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus::test;

TEST_CASE("a cycle becomes a test on stdout, which the simulator reads") {
    const ran r = run("generate --arch X86 --cycle 'PodWW Rfe PodRR Fre'");
    CHECK(r.code == 0);
    CHECK(r.out.find("X86 MP+po+po\n\"PodWW Rfe PodRR Fre\"\n") == 0);
    CHECK(r.out.find("exists (1:EAX=1 /\\ 1:EBX=0)\n") != std::string::npos);
    const folder f;
    CHECK(run("--quiet " + f.write("mp.litmus", r.out)).out.find("Observation MP+po+po Never 0 3") !=
          std::string::npos);
}

TEST_CASE("a seed writes the same files each time, one per test, and every model reads them") {
    const folder f;
    const auto files = [&](const std::string& into) {
        const ran r =
            run("generate --arch C --marks all --size 6 --seed 3 --count 25 -o " + (f.path / into).string());
        CHECK(r.code == 0);
        CHECK(r.out == "25 tests in " + (f.path / into).string() + "\n");
        std::map<std::string, std::string> all;
        for (const fs::directory_entry& e : fs::directory_iterator(f.path / into))
            all[e.path().filename().string()] = slurp(e.path());
        return all;
    };
    const auto one = files("one");
    CHECK(one.size() == 25);
    CHECK(one == files("two"));
    const ran r = run("--quiet -m sc -m rc11 -m c11 " + (f.path / "one").string());
    CHECK(r.code == 0);
    CHECK(r.err == "");
}

TEST_CASE("what cannot be generated ends with 2 and a reason, nothing to generate with 5") {
    CHECK(run("generate --arch PowerPC").code == 2);
    CHECK(run("generate --cycle 'PodWW Fre'")
              .err.find("'PodWW' ends in a store, but 'Fre' starts from a load") != std::string::npos);
    CHECK(run("generate --cycle Nonsense").code == 2);
    CHECK(run("generate --marks Z").code == 2);
    CHECK(run("generate --no-such-option").code == 2);
    CHECK(run("generate --edges Rfe").code == 5);
    CHECK(run("generate --arch X86 -c 'PodWW Rfe PodRR Fre' -o /dev/null/x").code == 2);
    const ran help = run("generate --help");
    CHECK(help.code == 0);
    CHECK(help.out.find("Examples:") != std::string::npos);
}

TEST_CASE("fewer cycles than asked for are all written, and it says so") {
    const ran r = run("generate --arch X86 --edges 'PodWR Fre' --count 9");
    CHECK(r.code == 0);
    CHECK(r.out.find("X86 SB+po+po\n") == 0);
    CHECK(r.err.find("no more than 1 such cycles") != std::string::npos);
}
