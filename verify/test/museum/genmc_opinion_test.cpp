// SPDX-License-Identifier: Apache-2.0
// What GenMC is asked of an exhibit, and what becomes of its answer, with programs in GenMC's place.
#include "genmc_opinion.hpp"
#include "opinion.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <ringproof/command/child.hpp>
#include <ringproof/command/temporary_folder.hpp>

using namespace ringproof::verify;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

exhibit exhibit_in_c() {
    exhibit one;
    one.name = "flag";
    one.driver = "/museum/flag.c";
    one.model = "rc11";
    one.shows = "data race on flag";
    one.flags = {"-I{museum}/standin", "-Wl,--gc-sections"};
    one.before.flags = {"-I{source}/include"};
    one.before.files = {"{source}/flag.c"};
    return one;
}

showing shown_of(const exhibit& one) { return {&one, &one.before, true, {"", "/taken", "flag 1"}}; }

void write_program(const std::string& path, const std::string& script) {
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path, fs::perms::owner_all);
}

/// LLVM's programs as they are called here, which copy what they get; not every machine has the real ones.
void write_llvm(const std::string& folder) {
    const std::string last_three = "while [ $# -gt 3 ]; do shift; done\n";
    fs::create_directories(folder);
    write_program(folder + "/clang-14",
                  last_three + "grep -q 'x.h' \"$1\" && echo \"$1:1:10: fatal error: 'x.h' file not "
                               "found\" && exit 1\ncp \"$1\" \"$3\"");
    write_program(folder + "/llvm-link-14", "out=$2\nshift 2\ncat \"$@\" >\"$out\"");
    write_program(folder + "/opt-14", last_three + "cp \"$1\" \"$3\"");
}

/// A variable of the environment, for the time of a test.
struct variable {
    variable(const char* called, const std::string& value) : name(called) {
        if (const char* is = std::getenv(called)) before = is;
        setenv(called, value.c_str(), 1);
    }
    ~variable() { before.empty() ? unsetenv(name) : setenv(name, before.c_str(), 1); }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;
    const char* name;
    std::string before;
};

enum class llvm { copies, real };

/// What is said of an exhibit in C with this driver when GenMC does `then`. @param seconds after which it is stopped
ringproof::command::json said_by(const std::string& then, double seconds = 5,
                                 const std::string& driver = "int main(void) { return 0; }",
                                 llvm tools = llvm::copies) {
    const ringproof::command::temporary_folder folder("ringproof-test-genmc");
    write_program(folder / "genmc",
                  "if [ \"$1\" = --version ]; then echo 'GenMC v0.0.1 (fake)'; exit; fi\n" + then);
    write_llvm(folder / "llvm");
    fs::create_directories(folder / "include");
    fs::create_directories(folder / "standin/genmc");
    std::ofstream(folder / "include/genmc_internal.h") << "extern int of_genmc;\n";
    std::ofstream(folder / "standin/genmc/prelude.h") << "#include <genmc_internal.h>\n";
    const variable root("RINGPROOF_GENMC_ROOT", folder.path().string());
    const variable path("PATH", (tools == llvm::copies ? folder / "llvm" + ":" : "") + std::getenv("PATH"));
    exhibit one = exhibit_in_c();
    one.driver = folder / "flag.c";
    one.before.files = {"{source}/other.c"};
    std::ofstream(one.driver) << driver << "\n";
    std::ofstream(folder / "other.c") << "int unused(void) { extern int nowhere; return nowhere; }\n";
    return ask_genmc({&one, &one.before, true, {"", folder.path(), "flag 1"}}, seconds);
}

} // namespace

TEST_CASE("GenMC explores under the exhibit's model, and behind races unless it shows one") {
    exhibit one = exhibit_in_c();
    const std::vector<std::string> expected{
        "genmc", "--rc11", "--disable-estimation", "--disable-mm-detector", "--input-from-bitcode-file",
        "all.bc"};
    CHECK(genmc_command(shown_of(one), "genmc", "all.bc") == expected);
    one.model = "tso";
    one.shows = "assertion failed";
    const std::vector<std::string> words = genmc_command(shown_of(one), "genmc", "all.bc");
    CHECK(words.at(1) == "--tso");
    CHECK(words.at(5) == "--disable-race-detection");
    CHECK(genmc_model("sc") == "--sc");
    CHECK_FALSE(genmc_model("imm"));
}

TEST_CASE("GenMC's code is of all files, with the flags of the exhibit and GenMC's headers first") {
    const exhibit one = exhibit_in_c();
    const auto commands = genmc_compile_commands(shown_of(one), "/headers", "/made");
    REQUIRE(commands.size() == 4);
    const std::string first = fmt::format("{}", fmt::join(commands[0], " "));
    CHECK_THAT(first, Contains("-I/headers -include /museum/standin/genmc/prelude.h -I/museum/standin "
                               "-I/taken/include /museum/flag.c -o /made/0.bc") &&
                          !Contains("-Wl,"));
    CHECK_THAT(fmt::format("{}", fmt::join(commands[1], " ")), Contains("/taken/flag.c -o /made/1.bc"));
    CHECK_THAT(fmt::format("{}", fmt::join(commands[2], " ")),
               Contains("-o /made/linked.bc /made/0.bc /made/1.bc"));
    CHECK_THAT(fmt::format("{}", fmt::join(commands[3], " ")),
               Contains("/made/linked.bc -o /made/exhibit.bc"));
}

TEST_CASE("GenMC gets what main() reaches, and nothing else") {
    const std::string
        look = "for last; do :; done\ngrep -q nowhere \"$last\" && echo 'Error: nowhere!'\n"
               "grep -q reached \"$last\" && echo 'Error: reached!'",
        driver = "int reached(void) { return 0; }\nint main(void) { return reached() + sizeof of_genmc; }";
    CHECK(said_by(look, 5, driver).at("message") == "nowhere"); // without LLVM's programs: both files
    for (const char* tool : {"clang-14", "llvm-link-14", "opt-14"})
        if (ringproof::command::program_in_path(tool).empty()) {
            WARN("not tried with LLVM's own programs: no " << tool);
            return;
        }
    CHECK(said_by(look, 5, driver, llvm::real).at("message") == "reached");
}

TEST_CASE("GenMC's error is a bug, in its words") {
    const auto said =
        said_by("echo 'Error: Non-atomic race!'\necho 'Number of complete executions explored: 3'\nexit 42");
    CHECK(said.at("verdict") == "bug");
    CHECK(said.at("runs") == 4);
    CHECK(said_by("echo 'Error: Safety violation!'; echo 'Assertion violation: A == B'").at("message") ==
          "assertion violation");
    CHECK_THAT(opinion_text(said), Contains("genmc: non-atomic race after ") && Contains(", in run 4"));
}

TEST_CASE("GenMC that finds nothing has explored all executions, or was stopped") {
    const auto all =
        said_by("echo 'No errors were detected.'\necho 'Number of complete executions explored: 5'\n"
                "echo 'Number of blocked executions seen: 2'");
    CHECK(all.at("verdict") == "no bug");
    CHECK_THAT(opinion_text(all), Contains("genmc: no report in ") && Contains("7 runs, which are all"));
    const auto stopped = said_by("sleep 100", 0.1);
    CHECK(stopped.at("verdict") == "no bug");
    CHECK_FALSE(stopped.contains("all"));
}

TEST_CASE("what GenMC cannot run is no verdict") {
    CHECK_THAT(opinion_text(said_by("", 5, "#include <x.h>")),
               Contains("genmc: it does not compile: ") && Contains("'x.h' file not found"));
    CHECK(opinion_text(said_by("echo one; echo 'ERROR: no such function'; exit 5")) ==
          "genmc: ERROR: no such function");
    CHECK_THAT(opinion_text(said_by("kill -SEGV $$")), Contains("signal 11"));
    // All executions blocked: nothing was seen, whatever it calls that.
    CHECK(said_by("echo 'No errors were detected.'; echo 'Number of complete executions explored: 0'")
              .at("verdict") == "failed");
}

TEST_CASE("GenMC reads C and has three of our models: the rest cannot be expressed") {
    exhibit one = exhibit_in_c();
    one.model = "imm";
    CHECK(opinion_text(ask_genmc(shown_of(one), 1)) == "genmc: not expressible: GenMC has no model imm");
    one.driver = "/museum/flag.cpp";
    CHECK(opinion_text(ask_genmc(shown_of(one), 1)) ==
          "genmc: not expressible: it is C++, and GenMC reads C");
}

TEST_CASE("GenMC that is not there is named, with what to do") {
    const variable root("RINGPROOF_GENMC_ROOT", "/nowhere");
    const exhibit one = exhibit_in_c();
    CHECK_THAT(opinion_text(ask_genmc(shown_of(one), 1)),
               Contains("/nowhere, where no program genmc is: build it"));
}
