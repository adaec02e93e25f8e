// SPDX-License-Identifier: Apache-2.0
// The command line that a document names.
#include <ringproof/command/typed_command.hpp>

#include <array>
#include <catch2/catch.hpp>

using namespace ringproof::command;
using words = std::vector<std::string>;

TEST_CASE("a document names the command that a user types, whatever its program was called by") {
    const std::array called{"/usr/libexec/ringproof/ringproof-litmus", "--quiet", "a b.litmus"};
    CHECK(typed_command("litmus", 3, called.data()) == words{"ringproof", "litmus", "--quiet", "a b.litmus"});
    const std::array inner{"barriers", "--json", "-"};
    CHECK(typed_command("litmus barriers", 3, inner.data()) ==
          words{"ringproof", "litmus", "barriers", "--json", "-"});
    CHECK(typed_command("bench", 1, inner.data()) == words{"ringproof", "bench"});
    CHECK(typed_command("bench", 0, nullptr) == words{"ringproof", "bench"});
}
