// SPDX-License-Identifier: Apache-2.0
// Writers inside each other: a task, an interrupt, an NMI.

#include "nested.hpp"

using ringproof::kernel::interrupted;
using ringproof::kernel::two_levels;

VERIFY("nested: two records and an interrupt that writes one", .models = {rc11, tso, sc},
       .covers = {"interrupted"}) {
    interrupted<2, 1, 1>();
}
VERIFY("nested: three records and an interrupt that writes one", .models = {rc11, tso, sc},
       .covers = {"interrupted", "full"}) {
    interrupted<3, 1, 1>();
}
VERIFY("nested: one record and two interrupts, one after the other", .models = {rc11, tso, sc},
       .covers = {"interrupted"}) {
    interrupted<1, 1, 2>();
}
VERIFY("nested: one record, an interrupt, and an NMI in either", .models = {rc11, tso, sc},
       .covers = {"interrupted"}) {
    two_levels<1, true>();
}
VERIFY("nested, without B", .models = {rc11}, .expect = refuted) {
    interrupted<1, 1, 1>({write_barrier_taken});
}
VERIFY("nested, without C", .models = {rc11}, .expect = refuted) {
    interrupted<1, 1, 1>({head_acquire_taken});
}
VERIFY("nested, with a local_cmpxchg() that can be interrupted", .models = {rc11, tso, sc},
       .expect = refuted) {
    interrupted<1, 1, 1>({cmpxchg_in_two_steps});
}
VERIFY("nested, without barrier()", .models = {rc11}) { interrupted<2, 1, 1>({compiler_barrier_taken}); }
