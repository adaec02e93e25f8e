// SPDX-License-Identifier: Apache-2.0
// Static objects that threads meet at: made before the checker watches, used while it does.
#include <cassert>
#include <memory_resource>
#include <pthread.h>
#include <semaphore>
#include <thread>
#include <vector>

struct meeting {
    pthread_barrier_t barrier;
    meeting() { pthread_barrier_init(&barrier, nullptr, 2); }
    ~meeting() { pthread_barrier_destroy(&barrier); }
} meeting;
std::counting_semaphore<4> permits(1);
std::pmr::synchronized_pool_resource pool; // asks for a pthread key
#ifdef EARLY
std::thread early([] {});
#endif

struct counted {
    int uses = 0;
    ~counted() { assert(uses == 1); }
};
thread_local counted own;

int main() {
    std::pmr::vector<int> numbers(&pool);
    numbers.push_back(1);
    permits.acquire();
    assert(!permits.try_acquire());
    std::thread t([] {
        ++own.uses;
        pthread_barrier_wait(&meeting.barrier);
    });
    ++own.uses;
    pthread_barrier_wait(&meeting.barrier);
    t.join();
}
