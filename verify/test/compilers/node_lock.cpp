// SPDX-License-Identifier: Apache-2.0
// MCS's lock: each thread waits at a node on its own stack.
#include <atomic>
#include <thread>
#include <vector>

struct node {
    std::atomic<bool> waits{false};
    std::atomic<node*> next{nullptr};
};
std::atomic<node*> last{nullptr};
int guarded = 0;

void with_lock(int value) {
    node own;
    if (node* const before = last.exchange(&own, std::memory_order_acq_rel)) {
        own.waits.store(true, std::memory_order_relaxed);
        before->next.store(&own, std::memory_order_release);
        while (own.waits.load(std::memory_order_acquire)) std::this_thread::yield();
    }
    guarded = value;
    node* expected = &own;
    node* next = own.next.load(std::memory_order_acquire);
    if (!next) {
        if (last.compare_exchange_strong(expected, nullptr, std::memory_order_release)) return;
        while (!(next = own.next.load(std::memory_order_acquire))) std::this_thread::yield();
    }
    next->waits.store(false, std::memory_order_release);
}

int main() {
    std::vector<std::thread> all;
    for (int i = 0; i < 3; ++i) all.emplace_back([i] { with_lock(i); });
    for (std::thread& t : all) t.join();
}
