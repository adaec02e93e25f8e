// SPDX-License-Identifier: Apache-2.0
#include "reduction_set.hpp"

namespace ringproof::verify {

thread_status reduction_set::await(thread_state& t) {
    if (t.what.frame == 0) return thread_status::ready;
    if (const thread_status waits = idle.before_read(t); waits != thread_status::ready) return waits;
    if (const thread_status waits = allocating.before_read(t); waits != thread_status::ready) return waits;
    if (const thread_status again = retried.retries(t); again != thread_status::ready)
        return facts_.take_for_granted(assumption::retried_iteration, t.what.site), again;
    if (const thread_status stops = retried.without_effect(t); stops != thread_status::ready) return stops;
    return counted.counted(t);
}

bool reduction_set::waits_at(thread_state& t, value_t seen) {
    const bool fails = undone.attempts(t.what.address) && undone.amid_attempts(t, seen);
    if (!fails && !idle.spins(t, seen)) return false;
    facts_.take_for_granted(fails ? assumption::undone_attempt : assumption::idle_iteration, t.what.site);
    return true;
}

} // namespace ringproof::verify
