// SPDX-License-Identifier: Apache-2.0
// `ringproof litmus witness`, as a user meets it.
#include "binary.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus::test;

TEST_CASE("both engines find the same final states, and a test that cannot run says why") {
    const folder f;
    const std::string mp = f.write("mp.litmus", run("generate --arch C -c 'PodWWRlxRel Rfe PodRR Fre'").out);
    const ran r = run("witness --verbose " + mp);
    CHECK(r.code == 0);
    CHECK(r.out.find("MP+poxr+po rc11: agree, 4 states, 4 executions\n") != std::string::npos);
    const std::string arm =
        f.write("arm.litmus", run("generate --arch AArch64 -c 'PodWW Rfe PodRR Fre'").out);
    const ran other = run("witness " + arm);
    CHECK(other.code == 5);
    CHECK(other.out.find("skipped: only C11 and X86 tests can be run as programs") != std::string::npos);
    CHECK(run("witness /no/such/file.litmus").code == 2);
}
