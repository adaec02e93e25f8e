// SPDX-License-Identifier: Apache-2.0
// perf_output_begin(), perf_output_copy() and perf_output_end() forward: a ring of one or two pages of 64 bytes, and libperf's
// reader looking at it while it is written and again at the end.

#include "ring.hpp"

namespace {

using namespace ringproof;

/// Records of 16 bytes: four end where the page ends, and the first three fill the ring (one byte stays free).
/// Of 24 bytes: the third is split at the ring's end and lies over the first. Of 40 bytes in two pages: the second is split
/// between pages, the fourth at the end.
template <int Records, int Words, int Pages = 1, int Looks = 1>
void stream(std::initializer_list<kernel_change> changes = {}) {
    kernel::ring ring({.pages = Pages, .watermark = 0, .backward = false, .aux_pages = 0, .aux_watermark = 0},
                      changes);
    std::thread writer([&] {
        for (int i = 1; i <= Records; ++i) ring.write(static_cast<std::uint64_t>(i), Words);
    });
    for (int look = 0; look < Looks; ++look)
        if (ring.drain() != 0) verify::cover("seen early");
    writer.join();
    ring.at_rest();
    if (kernel_data_head(ring.event()) > 64 * Pages) verify::cover("reused");
}

} // namespace

VERIFY("forward: four records of 16 bytes arrive once, whole and in order", .models = {rc11, tso, sc},
       .covers = {"full", "seen early"}) {
    stream<4, 1>();
}
VERIFY("forward: three of 24 bytes, the last split at the end and over the first", .models = {rc11, tso, sc},
       .covers = {"full", "seen early", "reused"}) {
    stream<3, 2>();
}
VERIFY("forward: four of 40 bytes in two pages, split between pages and at the end",
       .models = {rc11, tso, sc}, .covers = {"full", "seen early", "reused"}) {
    stream<4, 4, 2>();
}
VERIFY("forward: six of 24 bytes, the ring filled twice", .models = {rc11, tso, sc},
       .covers = {"full", "LOST", "reused"}) {
    stream<6, 2>();
}

VERIFY("forward, without A: the branch on data_tail orders nothing", .models = {rc11}, .expect = refuted) {
    stream<3, 2>({tail_dependency_taken});
}
VERIFY("forward, without B: smp_wmb() is nothing", .models = {rc11}, .expect = refuted) {
    stream<4, 1>({write_barrier_taken});
}
VERIFY("forward, without C: data_head is loaded relaxed", .models = {rc11}, .expect = refuted) {
    stream<4, 1>({head_acquire_taken});
}
VERIFY("forward, without D: data_tail is stored relaxed", .models = {rc11}, .expect = refuted) {
    stream<3, 2>({tail_release_taken});
}
VERIFY("forward, on a machine that needs no barrier but the compiler's", .models = {tso, sc}) {
    stream<3, 2>({tail_dependency_taken, write_barrier_taken, head_acquire_taken, tail_release_taken});
}
