// SPDX-License-Identifier: Apache-2.0
// What a thread that is stopped for ever in the middle of a call does to others: nothing, or they wait for it.

#include "../classic/michael_scott_queue.hpp"
#include "queues.hpp"
#include "treiber_stack.hpp"

#include <ringproof/verify/linearizable.hpp>

#include <thread>

using namespace linear_scenarios;

namespace {

/// A stack whose threads wait for each other.
class spinning_stack {
  public:
    void push(int value) {
        lock();
        items_[size_++] = value;
        unlock();
    }
    std::optional<int> pop() {
        lock();
        std::optional<int> value;
        if (size_ != 0) value = items_[--size_];
        unlock();
        return value;
    }

  private:
    void lock() {
        while (taken_.exchange(true, memory_order::acquire)) std::this_thread::yield();
    }
    void unlock() { taken_.store(false, memory_order::release); }

    std::atomic<bool> taken_{false};
    int items_[8] = {}, size_ = 0;
};

/// Pushes an item and takes one, which there is: each thread pushes before it pops.
template <class Queue>
void pass_through(Queue& queue, int value) {
    queue.push(value);
    while (!queue.pop()) std::this_thread::yield();
}

/// A number with an owner, who alone may change it. @tparam Steals whether others take it from its owner, or wait
template <bool Steals>
class owned_number {
  public:
    void add(int by) {
        for (unsigned seen = word_.load(memory_order::acquire);;) {
            if (!Steals && (seen & owned) != 0) {
                std::this_thread::yield();
                seen = word_.load(memory_order::acquire);
                continue;
            }
            // The version tells one owner from another.
            const unsigned mine = ((seen & ~owned) + version) | owned;
            if (!word_.compare_exchange_strong(seen, mine, memory_order::acq_rel, memory_order::acquire))
                continue;
            seen = mine;
            if (word_.compare_exchange_strong(seen, (mine & ~owned) + static_cast<unsigned>(by),
                                              memory_order::acq_rel, memory_order::acquire))
                return;
        }
    }

  private:
    static constexpr unsigned owned = 0x80, version = 0x100;
    std::atomic<unsigned> word_{0};
};

} // namespace

LINEARIZABLE("Treiber's stack is lock-free", .models = {rc11, sc}, .promise = lock_free) {
    using stack = treiber_stack<>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("stack with a spin lock, taken for lock-free", .models = {rc11, sc}, .expect = refuted,
             .promise = lock_free) {
    object<spinning_stack>().op("push", &spinning_stack::push, fresh()).op("pop", &spinning_stack::pop);
}
LINEARIZABLE("stack with a spin lock, taken for obstruction-free", .models = {rc11, sc}, .expect = refuted,
             .promise = obstruction_free) {
    object<spinning_stack>().op("push", &spinning_stack::push, fresh()).op("pop", &spinning_stack::pop);
}

LINEARIZABLE("Michael and Scott's queue is lock-free", .models = {rc11, sc}, .promise = lock_free) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Michael and Scott's queue, mutant: waits where it has to help", .models = {rc11, sc},
             .expect = refuted, .promise = lock_free) {
    using queue = classic::michael_scott_queue<memory_order::release, false, true, false>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("queue with a mutex, taken for lock-free", .models = {rc11, sc}, .expect = refuted,
             .promise = lock_free) {
    object<locked_queue<>>().op("push", &locked_queue<>::push, fresh()).op("pop", &locked_queue<>::pop);
}

// A thread that is stopped with a cell claimed hides the items behind it: each call returns, and says "nothing".
LINEARIZABLE("Vyukov's queue says empty or full where others are stopped", .models = {rc11, sc},
             .promise = lock_free) {
    using queue = bounded_queue<2>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Vyukov's queue, a pop for each push: taken for lock-free", .models = {rc11, sc}, .calls = 1,
             .expect = refuted, .promise = lock_free) {
    object<bounded_queue<4>>().op("push and pop", &pass_through<bounded_queue<4>>, fresh());
}
LINEARIZABLE("Michael and Scott's queue, a pop for each push: lock-free", .models = {rc11, sc}, .calls = 1,
             .promise = lock_free) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push and pop", &pass_through<queue>, fresh());
}
LINEARIZABLE("Herlihy and Wing's queue, a pop for each push: lock-free", .models = {rc11, sc}, .calls = 1,
             .promise = lock_free) {
    object<array_queue<>>().op("push and pop", &pass_through<array_queue<>>, fresh());
}

LINEARIZABLE("owned number, taken over: obstruction-free", .models = {rc11, sc}, .calls = 1,
             .promise = obstruction_free, .writes = 4) {
    object<owned_number<true>>().op("add", &owned_number<true>::add, values(1));
}
LINEARIZABLE("owned number, mutant: waits for the owner", .models = {rc11, sc}, .calls = 1, .expect = refuted,
             .promise = obstruction_free, .writes = 4) {
    object<owned_number<false>>().op("add", &owned_number<false>::add, values(1));
}
