// SPDX-License-Identifier: Apache-2.0
// Structures that promise less than to be linearizable, each beside one that does not keep the promise either.

#include "two_flags.hpp"

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

#include <atomic>
#include <mutex>
#include <optional>

namespace {

using linear_scenarios::strong_flags, linear_scenarios::weak_flags;

using std::memory_order;
namespace spec = ringproof::verify::linear::spec;

/// A number of which each thread has seen as much as it needs for its own calls: what get() says is old, but no older
/// than what this thread did itself. @tparam Notes whether it keeps what add() made of the number
template <bool Notes>
class remembered_number {
  public:
    void add() {
        const int now = number_.fetch_add(1, memory_order::acq_rel) + 1;
        seen_ = Notes ? now : seen_ + 1;
    }
    int get() const { return seen_; }

  private:
    static inline thread_local int seen_ = 0; // threads are new in each execution, and there is one number
    std::atomic<int> number_{0};
};

/// A short queue with a lock, which a push need not wait for.
class part {
  public:
    void push(int value) {
        const std::lock_guard<std::mutex> guard(mutex_);
        items_[last_++] = value;
    }
    bool try_push(int value) {
        const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
        if (lock) items_[last_++] = value;
        return lock.owns_lock();
    }
    std::optional<int> pop() {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (first_ == last_) return std::nullopt;
        return items_[first_++];
    }

  private:
    std::mutex mutex_;
    int items_[4] = {}, first_ = 0, last_ = 0;
};

/// Two queues, which are popped from one after the other, the later one first. @tparam OwnPart whether a thread pushes to a
/// part of its own, or to the first one unless another thread is at it
template <bool OwnPart>
class queue_of_parts {
  public:
    void push(int value) {
        if (OwnPart) {
            if (own_ == none) own_ = given_.fetch_add(1, memory_order::relaxed);
            parts_[own_].push(value);
        } else if (!parts_[0].try_push(value)) {
            parts_[1].push(value);
        }
    }
    std::optional<int> pop() {
        if (const auto value = parts_[1].pop()) return value;
        return parts_[0].pop();
    }

  private:
    static constexpr unsigned none = ~0u;
    static inline thread_local unsigned own_ = none;
    std::atomic<unsigned> given_{0};
    part parts_[2];
};

} // namespace

LINEARIZABLE("number that each thread remembers: sequentially consistent", .models = {rc11, sc},
             .promise = sequentially_consistent) {
    using memory = remembered_number<true>;
    object<memory>()
        .like<spec::counter>()
        .op("add", &memory::add, &spec::counter::increment)
        .op("get", &memory::get, &spec::counter::get);
}
LINEARIZABLE("number that each thread remembers, taken for linearizable", .models = {rc11, sc},
             .expect = refuted) {
    using memory = remembered_number<true>;
    object<memory>()
        .like<spec::counter>()
        .op("add", &memory::add, &spec::counter::increment)
        .op("get", &memory::get, &spec::counter::get);
}
LINEARIZABLE("number that each thread remembers, mutant: of its own calls alone", .models = {rc11, sc},
             .expect = refuted, .promise = sequentially_consistent) {
    using memory = remembered_number<false>;
    object<memory>()
        .like<spec::counter>()
        .op("add", &memory::add, &spec::counter::increment)
        .op("get", &memory::get, &spec::counter::get);
}
LINEARIZABLE("two flags, seq_cst: sequentially consistent", .models = {rc11, tso, sc}, .synchronisations = 0,
             .promise = sequentially_consistent) {
    object<strong_flags>()
        .op("raise_left", &strong_flags::raise_left)
        .op("raise_right", &strong_flags::raise_right)
        .op("left", &strong_flags::left)
        .op("right", &strong_flags::right);
}
LINEARIZABLE("two flags, released and acquired, taken for sequentially consistent", .models = {rc11, tso},
             .synchronisations = 0, .expect = refuted, .promise = sequentially_consistent) {
    object<weak_flags>()
        .op("raise_left", &weak_flags::raise_left)
        .op("raise_right", &weak_flags::raise_right)
        .op("left", &weak_flags::left)
        .op("right", &weak_flags::right);
}

LINEARIZABLE("queue of parts, each thread's own: first in, first out of each producer",
             .models = {rc11, sc}) {
    using queue = queue_of_parts<true>;
    using fifo = spec::fifo_of_each_producer;
    object<queue>()
        .like<fifo>()
        .op("push", &queue::push, &fifo::push, fresh())
        .op("pop", &queue::pop, &fifo::pop)
        .may_fail();
}
LINEARIZABLE("queue of parts, each thread's own, taken for one queue", .models = {rc11, sc},
             .expect = refuted) {
    using queue = queue_of_parts<true>;
    using fifo = spec::fifo<>;
    object<queue>()
        .like<fifo>()
        .op("push", &queue::push, &fifo::push, fresh())
        .op("pop", &queue::pop, &fifo::pop)
        .may_fail();
}
LINEARIZABLE("queue of parts, mutant: pushed to where no other thread is", .models = {rc11, sc},
             .expect = refuted) {
    using queue = queue_of_parts<false>;
    using fifo = spec::fifo_of_each_producer;
    object<queue>()
        .like<fifo>()
        .op("push", &queue::push, &fifo::push, fresh())
        .op("pop", &queue::pop, &fifo::pop)
        .may_fail();
}
