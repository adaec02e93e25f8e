// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

#include <ringproof/verify/sampling.hpp>

using namespace ringproof::verify;
using namespace ringproof::verify::test;

namespace {

constexpr auto reuse = &exploration_limits::reuse;

} // namespace

TEST_CASE("an allocation may get the address of freed memory") {
    fails(programs::freed_and_allocated, failure_kind::assertion);
}
TEST_CASE("an allocation may get the address of what a joined thread freed") {
    fails(programs::freed_by_a_joined_thread, failure_kind::assertion);
}
TEST_CASE("of two freed blocks the last comes again by itself, the other one on request") {
    holds(programs::freed_before_another, 2);
    CHECK(entered(run(programs::freed_before_another), assumption::last_freed) > 0);
    CHECK(run_with(programs::freed_before_another, reuse, exploring::always).error.kind ==
          failure_kind::assertion);
}
TEST_CASE("without, the ledger says that the program could tell") {
    const exploration_result r = run_with(programs::freed_and_allocated, reuse, exploring::never);
    CHECK(r.error.message == "");
    CHECK(r.executions == 1);
    CHECK(entered(r, assumption::address_reuse) > 0);
}
TEST_CASE("memory to which no pointer is left is not used again") {
    const exploration_result r = run(programs::freed_and_forgotten);
    CHECK(r.error.message == "");
    CHECK(r.executions == 1);
    CHECK(entered(r, assumption::forgotten_address) > 0);
    CHECK(entered(r, assumption::address_reuse) == 0);
    CHECK(run_with(programs::freed_and_forgotten, reuse, exploring::always).executions == 5);
}
TEST_CASE("memory of another size is not used again") { holds(programs::another_size, 1); }
TEST_CASE("memory that is used again holds nothing of what it held") {
    fails(programs::reused_memory_is_not_initialised, failure_kind::uninitialised);
}
TEST_CASE("a stale pointer to memory that is in use again races with its new owner") {
    const exploration_result r = run_with(programs::stale_pointer_to_memory_in_use, reuse, exploring::always);
    CHECK((r.error.kind == failure_kind::data_race || r.error.kind == failure_kind::use_after_free));
}
TEST_CASE("a stack that compares addresses alone takes a node twice") {
    fails(programs::stack_with_aba, failure_kind::assertion);
    CHECK(run_with(programs::stack_with_aba, reuse, exploring::never).error.message == "");
}
TEST_CASE("a stack that shifts its addresses takes a node twice") {
    fails(programs::stack_with_marks_below, failure_kind::assertion);
    fails(programs::stack_without_low_bits, failure_kind::assertion);
}
TEST_CASE("a stack that has its address in the second of two words takes a node twice") {
    fails(programs::stack_with_marks_before, failure_kind::assertion);
}
TEST_CASE("a stack with tags does not") {
    holds(programs::stack_with_tags);
    CHECK(entered(run(programs::stack_with_tags), assumption::reused_addresses) > 0);
}
TEST_CASE("several processes begin anew with addresses that come again") {
    CHECK(run_with(programs::stack_with_tags, reuse, exploring::when_told, 2).executions ==
          run(programs::stack_with_tags).executions);
    CHECK(run_with(programs::stack_with_aba, reuse, exploring::when_told, 2).error.kind ==
          failure_kind::assertion);
}
TEST_CASE("random executions meet addresses that come again") {
    CHECK(explore_randomly(programs::freed_and_allocated, 200, 1, {}).error.kind == failure_kind::assertion);
    CHECK(explore_by_priorities(programs::freed_and_allocated, 200, 3, 1, {}).error.kind ==
          failure_kind::assertion);
}
