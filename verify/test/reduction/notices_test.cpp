// SPDX-License-Identifier: Apache-2.0
// What a thread does behind an iteration that others have noticed depends on them: no execution is lost where that decides what is
// seen, in whatever order the threads come.
#include "../programs/expect.hpp"
#include "../programs/notices.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

void fails_in_each_order(void (*program)()) {
    in_models_and_orders([&](const exploration_options& options) {
        const exploration_result r = explore(program, options);
        CHECK(r.error.kind == failure_kind::assertion);
    });
}

} // namespace

TEST_CASE("who notices a poll may have come before what the poller tells behind it") {
    fails_in_each_order(programs::polls_and_is_noticed_late);
}
TEST_CASE("who notices a wait may have come before what its thread tells behind it") {
    fails_in_each_order(programs::waits_and_is_noticed_late);
}
TEST_CASE("who notices a wait came before all that its thread tells, also where the first of it is read by a "
          "revisit") {
    fails_in_each_order(programs::waits_and_is_noticed_before_it_tells_twice);
}
TEST_CASE("two may notice polls that come behind each other") {
    fails_in_each_order(programs::polls_and_is_noticed_by_two);
}
TEST_CASE("who notices a poll may be noticed himself") {
    fails_in_each_order(programs::polls_and_is_noticed_by_who_is_noticed);
}
TEST_CASE("who fails to get a lock may leave for what its holder tells later") {
    fails_in_each_order(programs::takes_two_locks_and_tells_who_noticed);
}
TEST_CASE("who notices a poll in a loop may leave it for what the poller tells behind") {
    fails_in_each_order(programs::polls_and_is_noticed_by_who_looks_behind);
    fails_in_each_order(programs::polls_and_is_noticed_by_who_reads_behind);
    fails_in_each_order(programs::polls_and_is_noticed_by_an_exchange_and_a_look);
}
