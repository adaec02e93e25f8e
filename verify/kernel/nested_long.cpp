// SPDX-License-Identifier: Apache-2.0
// The largest of the nested scenarios: a million executions, most of a minute. A program of its own, so that only who asks waits.

#include "nested.hpp"

VERIFY("nested: three records, an interrupt, and an NMI in that", .models = {rc11},
       .covers = {"interrupted", "full"}) {
    ringproof::kernel::two_levels<3, false>();
}
VERIFY("nested, three records: with a local_cmpxchg() that can be interrupted", .models = {rc11},
       .expect = refuted) {
    ringproof::kernel::two_levels<3, false>({cmpxchg_in_two_steps});
}
