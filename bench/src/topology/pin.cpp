// SPDX-License-Identifier: Apache-2.0
#include "pin.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ringproof::bench {

bool pin_this_thread(int cpu) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

urgency set_urgency(urgency wanted, bool above) {
    sched_param parameters{};
    if (wanted == urgency::realtime) {
        parameters.sched_priority = sched_get_priority_min(SCHED_FIFO) + (above ? 1 : 0);
        if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0) return urgency::realtime;
    }
    if (wanted == urgency::normal) return urgency::normal;
    // A thread may have inherited real time from the one that made it.
    parameters.sched_priority = 0;
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters);
    return setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), -20) == 0 ? urgency::high : urgency::normal;
}

} // namespace ringproof::bench
