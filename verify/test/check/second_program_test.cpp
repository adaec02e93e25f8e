// SPDX-License-Identifier: Apache-2.0
// Two programs given together: --with.
#include "run_binary.hpp"

#include <catch2/catch.hpp>

namespace {

using Catch::Matchers::Contains;

const std::string folder = RINGPROOF_TEST_PROGRAMS;
const std::string writer = folder + "/shared_writer.cpp", reader = folder + "/shared_reader.cpp";

program_run check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_CHECK);
    return run_binary(arguments);
}

} // namespace

TEST_CASE("two programs share memory by its name, and nothing else") {
    const program_run run = check({writer, "--with", reader, "--model", "all"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("shared_writer.cpp with ") && Contains("verified"));
}
TEST_CASE("what is wrong between two programs is found") {
    const program_run races = check({writer, "--with", reader, "--", "-DORDER=std::memory_order_relaxed"});
    CHECK(races.code == 1);
    CHECK_THAT(races.out, Contains("data race"));
    // The memory has a name before it has a size.
    const program_run hasty = check({writer, "--with", reader, "--", "-DHASTY"});
    CHECK(hasty.code == 1);
    CHECK_THAT(hasty.out, Contains("memory that thread 0 mapped, which is not ordered before"));
}
TEST_CASE("the exit code of the second program counts") {
    const program_run run = check({writer, "--with", reader, "--", "-DEXITS=3"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("the second program exits with code 3"));
}
TEST_CASE("a second program that is no file, or has no main(), is refused") {
    CHECK(check({writer, "--with", folder + "/none.cpp"}).code == 2);
    CHECK(check({writer, "--with", folder + "/shared_mailbox.hpp"}).code == 2);
}
