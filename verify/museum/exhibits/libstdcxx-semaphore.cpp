// SPDX-License-Identifier: Apache-2.0
// The checker puts its own waiting in the place of libstdc++'s. Here it is libstdc++'s that is checked, down to the futex:
// the checker's headers keep it under another name.
#define RINGPROOF_LIBRARY_SEMAPHORE
#include <atomic>
#define __atomic_wait_address_bare __ringproof_library_wait_address_bare
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<2> semaphore{1};
    std::thread one([&] { semaphore.acquire(); });
    std::thread two([&] { semaphore.acquire(); });
    semaphore.release();
    one.join();
    two.join();
}
