// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a read of a pipe sees what was done before the write") { holds(programs::pipe_publishes, 1); }
TEST_CASE("short writes to a pipe are whole, and read in their order") {
    holds(programs::pipe_keeps_order_and_writes_whole, 2);
    covers(programs::pipe_keeps_order_and_writes_whole, {"the other order"});
}
TEST_CASE("a pipe ends when its last writer has closed it") { holds(programs::pipe_ends_with_its_writer); }
TEST_CASE("a pipe without a reader ends the program, or is an error") {
    fails(programs::pipe_without_a_reader, failure_kind::abort, "SIGPIPE");
    holds(programs::pipe_without_a_reader_ignored, 1);
}
TEST_CASE("a pipe is full after PIPE_BUF bytes") {
    holds(programs::pipe_full, 1);
    fails(programs::pipe_never_read, failure_kind::deadlock, "full pipe that no thread will read");
}
TEST_CASE("a long write to a pipe is written in parts") {
    holds(programs::pipe_long_write);
    holds(programs::pipe_long_write_without_waiting, 1);
}
TEST_CASE("each end of a pipe is set not to block on its own") { holds(programs::pipe_set_non_blocking, 1); }
TEST_CASE("a pipe is read and written at its own end") { holds(programs::pipe_wrong_end, 1); }
