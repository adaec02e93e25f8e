// SPDX-License-Identifier: Apache-2.0
#pragma once
// Mutexes, for those who take them in other names: condition variables and C11.

#include <cstdint>
#include <pthread.h>
#include <span>

namespace ringproof::verify::hook {

int lock(pthread_mutex_t* m, std::uintptr_t site);
/// @return 0, or `busy` when it is taken
int try_lock(pthread_mutex_t* m, int busy, std::uintptr_t site);
/// Takes mutexes of which the caller has none, as std::lock() does. @return false: it took none, and has to try
bool lock_together(std::span<pthread_mutex_t* const> mutexes, std::uintptr_t site);
int unlock(pthread_mutex_t* m, std::uintptr_t site);
void destroy(pthread_mutex_t* m, std::uintptr_t site);
bool held(const pthread_mutex_t* m);

/// Lets go of a mutex that the caller holds, however often. @return how often, for take_again()
unsigned let_go(pthread_mutex_t* m, std::uintptr_t site);
void take_again(pthread_mutex_t* m, unsigned depth, std::uintptr_t site);

void wait(pthread_cond_t* c, pthread_mutex_t* m, std::uintptr_t site);
int timed_wait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until, clockid_t clock,
               std::uintptr_t site);
void signal(pthread_cond_t* c, std::uintptr_t site);
void broadcast(pthread_cond_t* c, std::uintptr_t site);
int once(int* flag, void (*function)(), std::uintptr_t site);

} // namespace ringproof::verify::hook
