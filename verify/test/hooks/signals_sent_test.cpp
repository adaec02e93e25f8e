// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a signal that would run a handler is refused") {
    fails(programs::signal_not_blocked, failure_kind::unsupported, "some thread does not block");
    fails(programs::signal_raised, failure_kind::unsupported, "raise()");
    fails(programs::signal_unblocked_while_pending, failure_kind::unsupported,
          "unblocking a signal that is pending");
    const auto r = run(programs::signal_unblocked_by_a_thread);
    CHECK(r.error.kind == failure_kind::unsupported);
}
TEST_CASE("a thread blocks what its creator did") { holds(programs::masks_are_inherited); }
TEST_CASE("sigwait takes a signal, or waits for one") {
    holds(programs::signal_waited_for);
    fails(programs::signal_waited_for_in_vain, failure_kind::deadlock, "sigwait()");
    covers(programs::signal_waited_for_a_while, {"sent", "timed out"});
}
