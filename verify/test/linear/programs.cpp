// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

#include <mutex>
#include <thread>

namespace linear = ringproof::verify::linear;

namespace {

using std::memory_order;

template <class Lock>
class locked {
  public:
    void push(int v) {
        const std::lock_guard<Lock> guard(lock_);
        items_[last_++] = v;
    }
    std::optional<int> pop() {
        const std::lock_guard<Lock> guard(lock_);
        if (first_ == last_) return std::nullopt;
        return items_[first_++];
    }

  private:
    Lock lock_;
    int items_[16] = {}, first_ = 0, last_ = 0;
};

/// Its loop is one that reductions leave iterations of out.
class spin_lock {
  public:
    void lock() {
        while (taken_.exchange(true, memory_order::acq_rel))
            while (taken_.load(memory_order::acquire)) std::this_thread::yield();
    }
    void unlock() { taken_.store(false, memory_order::release); }

  private:
    std::atomic<bool> taken_{false};
};

/// A call of `take` fails after it has acquired what another call published: attempts carry an order.
class attempts {
  public:
    void give() { count_.fetch_add(1, memory_order::release); }
    int take() {
        int n = count_.load(memory_order::acquire);
        while (n > 0 &&
               !count_.compare_exchange_strong(n, n - 1, memory_order::acq_rel, memory_order::acquire)) {
        }
        return n;
    }

  private:
    std::atomic<int> count_{0};
};

class stack {
  public:
    void push(int value) {
        node* const fresh = new node{value, head_.load(memory_order::relaxed)};
        while (
            !head_.compare_exchange_weak(fresh->next, fresh, memory_order::release, memory_order::relaxed)) {
        }
    }
    std::optional<int> pop() {
        node* top = head_.load(memory_order::acquire);
        while (top != nullptr &&
               !head_.compare_exchange_weak(top, top->next, memory_order::acquire, memory_order::acquire)) {
        }
        if (top == nullptr) return std::nullopt;
        return top->value;
    }

  private:
    struct node {
        int value;
        node* next;
    };
    std::atomic<node*> head_{nullptr};
};

class counter {
  public:
    void add() { n_.fetch_add(1, memory_order::release); }
    int get() const { return n_.load(memory_order::acquire); }

  private:
    std::atomic<int> n_{0};
};

class torn {
  public:
    int next() {
        const int n = n_.load(memory_order::acquire);
        n_.store(n + 1, memory_order::release);
        return n;
    }

  private:
    std::atomic<int> n_{0};
};

/// Waits for an item.
class hanging {
  public:
    void push(int v) { item_.store(v, memory_order::release); }
    int pop() {
        int v = 0;
        while ((v = item_.load(memory_order::acquire)) == 0) std::this_thread::yield();
        return v;
    }

  private:
    std::atomic<int> item_{0};
};

/// A lock that is tried for, and given back where another thread was faster: two threads can hinder each other for ever.
/// None of them is ever held up by one that has not announced itself.
class polite {
  public:
    void add() {
        while (tries_.fetch_add(1, memory_order::acq_rel) != 0) tries_.fetch_sub(1, memory_order::acq_rel);
        tries_.fetch_sub(1, memory_order::acq_rel);
    }

  private:
    std::atomic<int> tries_{0};
};

/// Each thread takes the word from the other one before it changes it: alone it is done in two steps.
class thieves {
  public:
    void add() {
        for (unsigned seen = word_.load(memory_order::acquire);;) {
            const unsigned mine = seen + 1;
            if (!word_.compare_exchange_strong(seen, mine, memory_order::acq_rel, memory_order::acquire))
                continue;
            if (seen = mine;
                word_.compare_exchange_strong(seen, mine + 1, memory_order::acq_rel, memory_order::acquire))
                return;
        }
    }

  private:
    std::atomic<unsigned> word_{0};
};

/// A thread that is stopped at its second write holds up the others; at the first one it does not.
class late_lock {
  public:
    void add() {
        calls_.fetch_add(1, memory_order::acq_rel);
        if (taken_.exchange(true, memory_order::acq_rel))
            while (taken_.load(memory_order::acquire)) std::this_thread::yield();
        taken_.store(false, memory_order::release);
    }

  private:
    std::atomic<int> calls_{0};
    std::atomic<bool> taken_{false};
};

} // namespace

LINEARIZABLE("locked queue") {
    using queue = locked<std::mutex>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("spinning queue") {
    using queue = locked<spin_lock>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("attempts", .threads = 3, .calls = 1) {
    object<attempts>().op("give", &attempts::give).op("take", &attempts::take);
}
LINEARIZABLE("locked queue, compared with a specification") {
    using queue = locked<std::mutex>;
    using fifo = linear::spec::fifo<>;
    object<queue>()
        .like<fifo>()
        .op("push", &queue::push, &fifo::push, fresh())
        .op("pop", &queue::pop, &fifo::pop);
}
LINEARIZABLE("stack") { object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop); }
LINEARIZABLE("counter", .threads = 3) { object<counter>().op("add", &counter::add).op("get", &counter::get); }
LINEARIZABLE("torn counter", .threads = 3) { object<torn>().op("next", &torn::next); }
LINEARIZABLE("hanging queue") {
    object<hanging>().op("push", &hanging::push, fresh()).op("pop", &hanging::pop);
}

LINEARIZABLE("stack, lock-free", .promise = lock_free) {
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("stack, obstruction-free", .promise = obstruction_free) {
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("counter, lock-free", .threads = 3, .promise = lock_free) {
    object<counter>().op("add", &counter::add);
}
LINEARIZABLE("locked queue, lock-free", .promise = lock_free) {
    using queue = locked<std::mutex>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("spinning queue, lock-free", .promise = lock_free) {
    using queue = locked<spin_lock>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("late lock, lock-free", .calls = 1, .promise = lock_free) {
    object<late_lock>().op("add", &late_lock::add);
}
LINEARIZABLE("polite, lock-free", .calls = 1, .promise = lock_free) {
    object<polite>().op("add", &polite::add);
}
LINEARIZABLE("thieves, lock-free", .calls = 1, .promise = lock_free) {
    object<thieves>().op("add", &thieves::add);
}
LINEARIZABLE("thieves, obstruction-free", .calls = 1, .promise = obstruction_free, .writes = 4) {
    object<thieves>().op("add", &thieves::add);
}

void explore_client(const char* name) {
    const unsigned number = linear::number_of(name);
    const linear::test& t = linear::find(number);
    t.run(t, number, linear::any_client(number));
}
