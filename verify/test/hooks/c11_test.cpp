// SPDX-License-Identifier: Apache-2.0
#include "../programs/c11.h"
#include "../programs/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("C11 threads hand a value over") { holds(c11_handover); }
TEST_CASE("cnd_wait without a look at the condition is a lost wake-up") {
    fails(c11_lost_wakeup, failure_kind::deadlock, "lost wake-up");
}
TEST_CASE("a recursive mtx_t is taken twice") { holds(c11_recursive, 2); }
TEST_CASE("C11 threads that race are found") { fails(c11_race, failure_kind::data_race); }
