// SPDX-License-Identifier: Apache-2.0
#include <array> // the header does not include what it needs
#include <cassert>
#include <parlay/internal/work_stealing_deque.h>
#include <thread>

int main() {
    parlay::internal::Deque<int> jobs;
    int job = 0, none = 0;
    jobs.deq[0].job.store(&none, std::memory_order_relaxed);
    std::thread thief([&] {
        const auto [taken, last] = jobs.pop_top();
        if (taken) ++*taken;
    });
    jobs.push_bottom(&job);
    thief.join();
    assert(none == 0);
}
