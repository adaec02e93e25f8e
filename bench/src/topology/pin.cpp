// SPDX-License-Identifier: Apache-2.0
#include "pin.hpp"

#include <pthread.h>
#include <sched.h>

namespace ringproof::bench {

bool pin_this_thread(int cpu) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

bool make_this_thread_realtime() {
    sched_param parameters{};
    parameters.sched_priority = sched_get_priority_min(SCHED_FIFO);
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
}

} // namespace ringproof::bench
