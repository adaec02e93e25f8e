// SPDX-License-Identifier: Apache-2.0
// libperf's documented loop, whole: perf_mmap__read_done() at its end is for overwriting rings, and sets prev to the present head.

#include "ring.hpp"

namespace {

using namespace ringproof;

void documented_loop(bool done_at_the_end) {
    kernel::ring ring({.pages = 1, .watermark = 0, .backward = false, .aux_pages = 0, .aux_watermark = 0});
    std::thread writer([&] {
        ring.write(1, 1);
        ring.write(2, 1);
    });
    ring.drain();
    if (done_at_the_end) reader_done();
    writer.join();
    ring.at_rest();
}

} // namespace

VERIFY("libperf: the documented loop without perf_mmap__read_done() delivers every record",
       .models = {rc11, tso, sc}) {
    documented_loop(false);
}
/// docs/findings/libperf-read-done.md
VERIFY("libperf, as documented: read_done() skips what came after the last read_event()",
       .models = {rc11, tso, sc}, .expect = refuted) {
    documented_loop(true);
}
