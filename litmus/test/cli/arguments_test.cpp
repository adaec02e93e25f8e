// SPDX-License-Identifier: Apache-2.0
// Options of the real binary: which exclude each other, and what --compile answers with.
#include "binary.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus::test;

namespace {

constexpr const char* store = "C T\n{ }\nP0(atomic_int* x) { atomic_store(x, 1); }\nexists (x=1)";

} // namespace

TEST_CASE("option --compile: compared with one model, without --hardware and --second-opinion") {
    const folder f;
    const std::string file = f.write("t.litmus", store);
    CHECK(run("--compile 'g++ -O2' --hardware " + file).code == 2);
    CHECK(run("--compile 'g++ -O2' --second-opinion herd7 " + file).code == 2);
    const ran two = run("--compile 'g++ -O2' -m sc -m rc11 " + file);
    CHECK(two.code == 2);
    CHECK(two.err.find("--compile compares with one model") != std::string::npos);
}

TEST_CASE("with --compile it ends with 0, with 77 for a compiler that is absent, with 2 for a test or target "
          "that is "
          "none") {
    const folder f;
    const std::string file = f.write("t.litmus", store);
    const fs::path json = f.path / "r.json";
    const ran good = run("--quiet --compile 'g++ -O2' --json '" + json.string() + "' " + file);
    CHECK(good.code == 0);
    CHECK(good.out.find("T [g++ -O2]: consistent, 1 of the source's 1 outcomes, no other\n") == 0);
    CHECK(good.out.find("\ncompiler  machine   tests consistent  refuted") != std::string::npos);
    const auto document = nlohmann::json::parse(slurp(json));
    CHECK(document["results"][0]["engine"] == "compiled");
    CHECK(document["results"][0]["compiler"]["command"] == "g++ -O2");
    CHECK(document["results"][0]["target"]["model"] == "x86-tso");
    const ran absent = run("--quiet --compile no-such-compiler --compile 'g++ -O2' " + file);
    CHECK(absent.code == 77);
    CHECK(absent.err.find("the compiler 'no-such-compiler' was not found: install it") != std::string::npos);
    CHECK(absent.out.find("consistent") != std::string::npos);
    CHECK(run("--quiet --compile 'sh' " + file).code == 2);
    CHECK(run("--quiet --compile 'g++ -O2' " +
              f.write("x.litmus", "X86 T\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)"))
              .code == 2);
}

TEST_CASE("with --compile it ends with 1 for a compiler that loses an order, and names the outcome") {
    const folder f;
    const std::string file = f.write(
        "SB.litmus",
        "C SB\n{ }\nP0(atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r0 = atomic_load(y); }\n"
        "P1(atomic_int* x, atomic_int* y) { atomic_store(y, 1); int r0 = atomic_load(x); }\n"
        "exists (0:r0=0 /\\ 1:r0=0)");
    const std::string cc =
        f.write("cc", "#!/bin/sh\ng++ \"$@\" || exit 1\nwhile [ $# -gt 2 ]; do shift; done\n"
                      "[ \"$2\" ] && sed -i 's/xchgl\\(.*\\), %\\(e.x\\)/movl %\\2, \\1/' \"$1\"\nexit 0\n");
    fs::permissions(cc, fs::perms::owner_all);
    const ran r = run("--quiet --compile '" + cc + " -O2' " + file);
    CHECK(r.code == 1);
    CHECK(r.out.find("The source forbids 0:r0=0; 1:r0=0;") != std::string::npos);
}
