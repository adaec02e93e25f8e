// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {
exploration_result run_with_leaks(void (*program)()) {
    exploration_options options;
    options.limits.leaks = true;
    return explore(program, options);
}
} // namespace

TEST_CASE("a read of a fresh object is found") {
    fails(programs::uninitialised_new, failure_kind::uninitialised, "4 bytes");
}
TEST_CASE("a read of fresh memory is found") {
    fails(programs::uninitialised_malloc, failure_kind::uninitialised, "8 bytes");
}
TEST_CASE("memory that was written, by whomever, can be read") { holds(programs::initialised_heap, 1); }
TEST_CASE("a leak is found when asked for") {
    holds(programs::leaks, 1);
    const exploration_result r = run_with_leaks(programs::leaks);
    CHECK(r.error.kind == failure_kind::leak);
    CHECK_THAT(r.error.message, Catch::Matchers::Contains("1 allocation of 4 bytes"));
}
TEST_CASE("what is freed is no leak") { CHECK(run_with_leaks(programs::frees_all).error.message == ""); }
TEST_CASE("what is not modelled says so") {
    fails(programs::cancels, failure_kind::unsupported, "pthread_cancel is not supported");
    fails(programs::on_another_stack, failure_kind::unsupported, "another stack than its own");
}
TEST_CASE("a volatile flag is a relaxed atomic, which fences order") {
    holds(programs::volatile_flag_with_fences);
}
TEST_CASE("a volatile flag orders nothing") {
    CHECK(run(programs::volatile_flag_alone).error.kind == failure_kind::data_race);
}
TEST_CASE("volatile accesses may be delayed") {
    CHECK(run(programs::volatile_store_buffering).covered ==
          std::set<std::string>{"a0b0", "a0b1", "a1b0", "a1b1"});
    CHECK(run(programs::volatile_store_buffering, memory_model::sc).covered ==
          std::set<std::string>{"a0b1", "a1b0", "a1b1"});
}
TEST_CASE("a volatile counter loses counts") {
    fails(programs::volatile_counter_loses, failure_kind::assertion);
}
