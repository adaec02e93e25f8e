// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "../../scenarios/classic/michael_scott_queue.hpp"

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

void explore_client(const char* name, unsigned client) {
    const unsigned number = linear::number_of(name);
    linear::find(number).run(linear::find(number), number, client);
}

namespace {

/// What calls return does not matter: each history is one to look at.
class anything {
  public:
    bool any(const linear::made_call&) { return true; }
};

class relaxed_variable {
  public:
    void write(int v) { value_.store(v, memory_order::relaxed); }
    int read() const { return value_.load(memory_order::relaxed); }

  private:
    std::atomic<int> value_{0};
};

/// Store buffering, when a client orders the calls.
template <memory_order Store, memory_order Load, bool Fenced = false>
class two_flags {
  public:
    void raise_left() { raise(left_); }
    void raise_right() { raise(right_); }
    bool left() const { return look(left_); }
    bool right() const { return look(right_); }

  private:
    static void raise(std::atomic<bool>& flag) {
        flag.store(true, Store);
        if (Fenced) std::atomic_thread_fence(memory_order::seq_cst);
    }
    static bool look(const std::atomic<bool>& flag) {
        if (Fenced) std::atomic_thread_fence(memory_order::seq_cst);
        return flag.load(Load);
    }
    std::atomic<bool> left_{false}, right_{false};
};
/// A call that ends with an access that psc orders. Fenced, the calls beside it begin or end with a fence.
template <memory_order Store, memory_order Load, bool Fenced>
class crossing : public two_flags<Store, Load, Fenced> {
  public:
    bool cross() {
        this->raise_left();
        return this->right();
    }
};
using crossing_in_order = crossing<memory_order::seq_cst, memory_order::seq_cst, false>;
using fenced_crossing = crossing<memory_order::relaxed, memory_order::relaxed, true>;
using released_crossing = crossing<memory_order::release, memory_order::acquire, false>;
using flags_in_order = two_flags<memory_order::seq_cst, memory_order::seq_cst>;
using fenced_flags = two_flags<memory_order::relaxed, memory_order::relaxed, true>;
using released_flags = two_flags<memory_order::release, memory_order::acquire>;

/// Two slots with turns. Several push, and see anew where a slot is free when another one was faster; one pops.
class queue_of_turns {
  public:
    queue_of_turns() { slots_[1].turn.store(1, memory_order::relaxed); }
    bool push(int value) {
        unsigned at = reserved_.load(memory_order::relaxed);
        for (;;) {
            slot& mine = slots_[at % 2];
            if (static_cast<int>(mine.turn.load(memory_order::acquire) - at) < 0) return false;
            if (!reserved_.compare_exchange_strong(at, at + 1, memory_order::relaxed, memory_order::relaxed))
                continue;
            mine.item = value;
            mine.turn.store(at + 1, memory_order::release);
            return true;
        }
    }
    bool pop(int& value) {
        slot& next = slots_[position_ % 2];
        if (next.turn.load(memory_order::acquire) != position_ + 1) return false;
        value = next.item;
        next.turn.store(position_ + 2, memory_order::release);
        ++position_;
        return true;
    }

  private:
    struct slot {
        std::atomic<unsigned> turn{0};
        int item = 0;
    };
    slot slots_[2];
    std::atomic<unsigned> reserved_{0};
    unsigned position_ = 0; ///< the popping thread's
};

class remembers_threads {
  public:
    int next() {
        static thread_local int mine = 0;
        return ++mine;
    }
};
class asks_for_threads {
  public:
    bool first() { return taken_.exchange(true) && std::this_thread::get_id() == std::thread::id(); }

  private:
    std::atomic<bool> taken_{false};
};
/// Loses an update, if a smaller value comes after a greater one.
struct looks_at_values {
    std::atomic<int> n{0}, greatest{0};
    void add(int value) {
        if (value < greatest.load()) {
            const int seen = n.load();
            n.store(seen + 1);
        } else {
            n.fetch_add(1);
            greatest.store(value);
        }
    }
    int size() { return n.load(); }
};
class frees {
  public:
    void put(int v) { delete slot_.exchange(new int(v)); }

  private:
    std::atomic<int*> slot_{nullptr};
};
class counter_of_threads {
  public:
    bool take(const linear::made_call& c) { return last_ == 0 || c.thread == 0 ? last_++ == 0 : true; }

  private:
    int last_ = 0;
};

} // namespace

// Of each structure the same clients twice: with all waits between them, and by one in which nothing orders the calls.
#define BOTH_WAYS(name, n, body)                                                                             \
    LINEARIZABLE(name ", with waits", .threads = n, .calls = 1, .synchronisations = n)                       \
    body LINEARIZABLE(name ", in threads", .threads = 2, .calls = 2, .synchronisations = 1) body             \
    LINEARIZABLE(name ", in all", .in_all = n) body

BOTH_WAYS("any stack", 3, {
    object<stack>()
        .like<anything>()
        .op("push", &stack::push, &anything::any, fresh())
        .op("pop", &stack::pop, &anything::any);
})
BOTH_WAYS("any counter", 4, {
    object<counter>()
        .like<anything>()
        .op("add", &counter::add, &anything::any)
        .op("get", &counter::get, &anything::any);
})
BOTH_WAYS("any torn counter", 3, { object<torn>().like<anything>().op("next", &torn::next, &anything::any); })
BOTH_WAYS("any relaxed variable", 3, {
    object<relaxed_variable>()
        .like<anything>()
        .op("write", &relaxed_variable::write, &anything::any, values(1, 2))
        .op("read", &relaxed_variable::read, &anything::any);
})
BOTH_WAYS("any locked queue", 3, {
    using queue = locked<std::mutex>;
    object<queue>()
        .like<anything>()
        .op("push", &queue::push, &anything::any, fresh())
        .op("pop", &queue::pop, &anything::any);
})
BOTH_WAYS("any flags", 3, {
    using flags = flags_in_order;
    object<flags>()
        .like<anything>()
        .op("raise left", &flags::raise_left, &anything::any)
        .op("raise right", &flags::raise_right, &anything::any)
        .op("left", &flags::left, &anything::any)
        .op("right", &flags::right, &anything::any);
})

#define CROSSINGS(name, flags)                                                                               \
    BOTH_WAYS(name, 3, {                                                                                     \
        object<flags>()                                                                                      \
            .like<anything>()                                                                                \
            .op("cross", &flags::cross, &anything::any)                                                      \
            .op("raise right", &flags::raise_right, &anything::any)                                          \
            .op("left", &flags::left, &anything::any);                                                       \
    })
CROSSINGS("any crossing", crossing_in_order)
CROSSINGS("any fenced crossing", fenced_crossing)
CROSSINGS("any released crossing", released_crossing)

LINEARIZABLE("any queue of turns", .threads = 3, .calls = 3) {
    using queue = queue_of_turns;
    object<queue>()
        .like<anything>()
        .op("push", &queue::push, &anything::any, fresh())
        .op("pop", &queue::pop, &anything::any)
        .one_thread();
}

#define FLAGS(name, flags)                                                                                   \
    LINEARIZABLE(name, .in_all = 4) {                                                                        \
        object<flags>()                                                                                      \
            .op("raise left", &flags::raise_left)                                                            \
            .op("raise right", &flags::raise_right)                                                          \
            .op("left", &flags::left)                                                                        \
            .op("right", &flags::right);                                                                     \
    }
FLAGS("flags in order, in all", flags_in_order)
FLAGS("fenced flags, in all", fenced_flags)
FLAGS("released flags, in all", released_flags)
LINEARIZABLE("queue that helps", .synchronisations = 0) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("remembers threads, in all", .in_all = 2) {
    object<remembers_threads>().like<anything>().op("next", &remembers_threads::next, &anything::any);
}
LINEARIZABLE("asks for threads, in all", .in_all = 2) {
    object<asks_for_threads>().op("first", &asks_for_threads::first);
}
LINEARIZABLE("looks at its values, in all", .in_all = 4) {
    object<looks_at_values>().op("add", &looks_at_values::add, fresh()).op("size", &looks_at_values::size);
}
LINEARIZABLE("frees, in all", .in_all = 2) { object<frees>().op("put", &frees::put, fresh()); }
LINEARIZABLE("throws, in all", .in_all = 2) {
    object<counter>().op(
        "get", +[](counter&) -> int { throw 1; });
}
LINEARIZABLE("lock-free, in all", .in_all = 2, .promise = lock_free) {
    object<counter>().op("add", &counter::add);
}
LINEARIZABLE("specified by threads, in all", .in_all = 2) {
    object<counter>().like<counter_of_threads>().op("add", &counter::add, &counter_of_threads::take);
}
