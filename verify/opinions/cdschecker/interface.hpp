// SPDX-License-Identifier: Apache-2.0
#pragma once
// What libmodel.so has for programs. Its own headers replace <atomic> and <mutex>, so they stay outside; its orders
// are numbers: relaxed 0, acquire 1, release 2, acq_rel 3, seq_cst 4.

#include <cstdint>

extern "C" {
struct thrd_t {
    void* thread;
};
int thrd_create(thrd_t* made, void (*body)(void*), void* argument);
int thrd_join(thrd_t which);
void thrd_yield();

std::uint64_t model_read_action(void* at, int order);
void model_write_action(void* at, int order, std::uint64_t value);
void model_init_action(void* at, std::uint64_t value);
std::uint64_t model_rmwr_action(void* at, int order);
void model_rmw_action(void* at, int order, std::uint64_t value);
void model_rmwc_action(void* at, int order);
void model_fence_action(int order);

void store_8(void* at, std::uint8_t value);
std::uint8_t load_8(const void* at);

void model_assert(bool holds, const char* file, int line);
}
