// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::exploration_limits;
using ringproof::verify::exploring;
using ringproof::verify::failure_kind;

TEST_CASE("a file that another thread may have closed is refused") {
    fails(programs::event_used_after_close, failure_kind::use_after_free, "after close()");
    fails(programs::event_closed_in_a_wait, failure_kind::use_after_free, "after close()");
}
TEST_CASE("other waits are interrupted where all is explored") {
    CHECK(run_with(programs::event_publishes, &exploration_limits::spurious, exploring::always).error.kind ==
          failure_kind::assertion);
    CHECK(run_with(programs::poll_publishes, &exploration_limits::spurious, exploring::always).error.kind ==
          failure_kind::assertion);
}
