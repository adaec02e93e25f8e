// SPDX-License-Identifier: Apache-2.0
// Programs that pretend to be compilers; the compilers of this machine are tested by campaign_test.cpp.
#include "compile/compiler.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace ringproof::litmus;
using namespace ringproof::litmus::compiled;

namespace {

std::string script(const scratch_folder& folder, const std::string& text) {
    const std::string file = folder.path() + "/cc";
    std::ofstream(file) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
}

} // namespace

TEST_CASE("a command is a program, its flags, and the machine that it compiles for") {
    const scratch_folder folder;
    const std::string cc = script(
        folder,
        "case \"$*\" in *-dumpmachine) echo riscv64-linux-gnu ;; *) echo 'cc 1.0'; echo more ;; esac\n");
    const compiler c = find_compiler(cc + " -O2  -march=rv64gc");
    CHECK(c.program == std::vector<std::string>{cc});
    CHECK(c.flags == std::vector<std::string>{"-O2", "-march=rv64gc"});
    CHECK(c.target->dialect == "RISCV");
    CHECK(c.version == "cc 1.0");
}

TEST_CASE("a compiler that is absent, or for another machine, is refused with what to do") {
    CHECK_THROWS_AS(find_compiler("ringproof-no-such-compiler -O2"), no_compiler);
    CHECK_THROWS_WITH(
        find_compiler("ringproof-no-such-compiler -O2"),
        "the compiler 'ringproof-no-such-compiler' was not found: install it (Debian: apt-get install "
        "ringproof-no-such-compiler), or name another");
    CHECK_THROWS_WITH(find_compiler("-O2"), Catch::Contains("names no compiler"));
    const scratch_folder folder;
    CHECK_THROWS_WITH(find_compiler(script(folder, "echo s390x-linux-gnu\n")),
                      Catch::Contains("compiles for 's390x-linux-gnu': expected aarch64, riscv64 or x86_64"));
    CHECK_THROWS_WITH(find_compiler(script(folder, "exit 1\n")), Catch::Contains("prints no target"));
}

TEST_CASE("assembly, or the compiler's first error") {
    const scratch_folder folder;
    compiler c;
    c.target = find_machine("aarch64");
    c.command = "cc";
    // The last two arguments are the file for the assembly and the C.
    c.program = {script(folder, "while [ $# -gt 2 ]; do shift; done\ncat \"$2\" > \"$1\"\n")};
    CHECK(translate(c, "int x;\n", folder).assembly == "int x;\n");
    c.program = {script(folder, "echo 'unit.c: note' >&2\necho 'unit.c:1: error: no' >&2\nexit 1\n")};
    const translation t = translate(c, "int x;\n", folder);
    CHECK(t.assembly.empty());
    CHECK(t.complaint == "unit.c:1: error: no");
    c.program = {script(folder, "exit 3\n")};
    CHECK(translate(c, "", folder).complaint == "'cc' ended with exit code 3");
}
