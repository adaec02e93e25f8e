// SPDX-License-Identifier: Apache-2.0
// The command line that checks an exhibit.
#include "run.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

exhibit described() {
    exhibit one;
    one.name = "flag";
    one.driver = "/museum/flag.cpp";
    one.model = "tso";
    one.options = {"--assume", "clock"};
    one.flags = {"-I{museum}/standin"};
    one.before.flags = {"-I{source}/include"};
    one.before.files = {"{source}/flag.c"};
    return one;
}

} // namespace

TEST_CASE("the command names the driver, the source's files and flags with their folders") {
    const exhibit one = described();
    const showing shown{&one, &one.before, true, {"", "/taken", "flag 1"}};
    const std::vector<std::string> expected{"ringproof",
                                            "check",
                                            "/museum/flag.cpp",
                                            "/taken/flag.c",
                                            "--model",
                                            "tso",
                                            "--time",
                                            "7",
                                            "--assume",
                                            "clock",
                                            "--",
                                            "-w",
                                            "-I/museum/standin",
                                            "-I/taken/include"};
    CHECK(check_command(shown, 7) == expected);
    CHECK(name_of(shown) == "flag, before the fix");
}

TEST_CASE("a source that is absent is skipped, with what it needs") {
    const exhibit one = described();
    const auto result = run_showing({&one, &one.before, false, {"needs package x", {}, {}}}, "", 1).result;
    CHECK(result.at("verdict") == "skipped");
    CHECK(result.at("message") == "needs package x");
    CHECK(result.at("name") == "flag, after the fix");
    CHECK_FALSE(result.contains("ok"));
}
