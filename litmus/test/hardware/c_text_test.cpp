// SPDX-License-Identifier: Apache-2.0
#include "hardware/c_text.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("a thread's parameters and body are told apart, and variables begin with 0") {
    const test t =
        parse_test({"t.litmus", "C T\n{ }\nP0(atomic_int *x, int* const y) {\n int r0;\n r0 = *x;\n}\n"
                                "P1(void) { ; }\nexists (x=1)"});
    const thread_text first = read_thread(t, 0);
    CHECK(first.parameters == std::vector<std::string>{"atomic_int *x", "int* const y"});
    CHECK(first.body == "\n int r0 = 0;\n r0 = *x;\n");
    CHECK(read_thread(t, 1).parameters.empty());
    CHECK(last_word("int* const y") == "y");
    CHECK(last_word("atomic_int *x ") == "x");
    CHECK(is_wide("uint64_t"));
    CHECK(is_wide("intptr_t"));
    CHECK_FALSE(is_wide("atomic_int"));
}

TEST_CASE("the kernel's words have the barriers of each machine") {
    const std::string words = kernel_words();
    for (const char* word : {"dmb ishld", "dmb ishst", "fence r,r", "smp_load_acquire", "spin_trylock"})
        CHECK(words.find(word) != std::string::npos);
}
