// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;
using ringproof::verify::memory_model;

TEST_CASE("a read of an eventfd that is not 0 sees what was done before the write") {
    holds(programs::event_publishes, 1);
}
TEST_CASE("a write to a full eventfd waits, and sees what was done before the read") {
    holds(programs::event_write_waits_for_room, 1);
}
TEST_CASE("two writes to one eventfd are ordered, two to different ones are not") {
    holds(programs::event_orders_both_ways, 4);
    needs_an_order(programs::events_order_nothing_between_them, failure_kind::assertion);
}
TEST_CASE("a read of an eventfd that fails takes its lock as well") {
    holds(programs::failed_read_takes_the_lock, 3);
    holds(programs::failed_reads_are_in_one_order, 3);
}
TEST_CASE("an eventfd adds up, and is 0 after a read") { holds(programs::event_counts, 1); }
TEST_CASE("a semaphore eventfd gives one at a time") { holds(programs::event_as_semaphore); }
TEST_CASE("an eventfd has a largest value") { holds(programs::event_full, 1); }
TEST_CASE("an eventfd refuses what it does not know") { holds(programs::event_of_wrong_size, 1); }
TEST_CASE("a read of an eventfd to which nobody writes is a lost wake-up") {
    fails(programs::event_never_written, failure_kind::deadlock,
          "lost wake-up: a thread waits for ever in read()");
}
TEST_CASE("a loop that reads until it succeeds ends") {
    holds(programs::event_read_until_it_succeeds, 2);
    holds(programs::event_read_again_at_once, 2);
}
TEST_CASE("who says that it sleeps and looks again needs a full order on both sides") {
    for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::tso})
        CHECK(run(programs::flag_and_event, model).error.message == "");
    needs_an_order(programs::flag_and_event_relaxed, failure_kind::deadlock);
    CHECK(run(programs::flag_and_event_relaxed, memory_model::tso).error.kind == failure_kind::deadlock);
}
