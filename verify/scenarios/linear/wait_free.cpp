// SPDX-License-Identifier: Apache-2.0
// How many steps a call takes, whatever the others do: one that is bounded alone may go round for each call of another thread.

#include "push_pop.hpp"

#include <ringproof/mpsc_queue.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/recorder.hpp>
#include <ringproof/spsc_queue.hpp>
#include <ringproof/verify/linearizable.hpp>

#include <atomic>
#include <span>

using namespace linear_scenarios;

namespace {

enum class adding { at_once, until_it_works, behind_a_flag };

/// A number that threads add to.
template <adding How>
class tally {
  public:
    void add(int by) {
        if constexpr (How == adding::at_once) {
            value_.fetch_add(by);
        } else if constexpr (How == adding::until_it_works) {
            int seen = value_.load();
            while (!value_.compare_exchange_strong(seen, seen + by)) {
            }
        } else {
            while (taken_.exchange(true)) {
            }
            value_.store(value_.load() + by);
            taken_.store(false);
        }
    }

  private:
    std::atomic<int> value_{0};
    std::atomic<bool> taken_{false};
};

template <class Ring>
bool write(Ring& ring, int value) {
    const auto number = static_cast<std::uint64_t>(value);
    return ring.write(std::as_bytes(std::span(&number, 1)));
}
template <class Ring>
bool read(Ring& ring, int& value) {
    return ring.consume([&](const auto& record) { value = static_cast<int>(record.size()); }, 1) == 1;
}

} // namespace

LINEARIZABLE("number, added to at once: wait-free", .models = {rc11, sc}, .promise = wait_free, .steps = 1) {
    using sums = tally<adding::at_once>;
    object<sums>().op("add", &sums::add, values(1));
}
LINEARIZABLE("number, added to until it works: lock-free", .models = {rc11, sc}, .promise = lock_free) {
    using sums = tally<adding::until_it_works>;
    object<sums>().op("add", &sums::add, values(1));
}
LINEARIZABLE("number, added to until it works: taken for wait-free", .models = {rc11, sc}, .expect = refuted,
             .promise = wait_free, .steps = 2) {
    using sums = tally<adding::until_it_works>;
    object<sums>().op("add", &sums::add, values(1));
}
LINEARIZABLE("number behind a flag, taken for wait-free", .models = {rc11, sc}, .expect = refuted,
             .promise = wait_free, .steps = 6) {
    using sums = tally<adding::behind_a_flag>;
    object<sums>().op("add", &sums::add, values(1));
}
LINEARIZABLE("core: spsc_queue is wait-free, three steps a call", .models = {rc11, sc}, .calls = 3,
             .promise = wait_free, .steps = 3) {
    using queue = ringproof::spsc_queue<int>;
    object<queue>(2).op("push", &push<queue>, fresh()).one_thread().op("pop", &pop<queue>).one_thread();
}
LINEARIZABLE("core: mpsc_queue, taken for wait-free, five steps a call", .models = {rc11, sc},
             .expect = refuted, .promise = wait_free, .steps = 5) {
    using queue = ringproof::mpsc_queue<int>;
    object<queue>(4).op("push", &push<queue>, fresh()).op("pop", &pop<queue>).one_thread();
}
LINEARIZABLE("core: record_ring, single, is wait-free, six steps a call", .models = {rc11, sc}, .calls = 3,
             .promise = wait_free, .steps = 6) {
    using ring = ringproof::record_ring<ringproof::single>;
    object<ring>(64).op("write", &write<ring>, fresh()).one_thread().op("read", &read<ring>).one_thread();
}
LINEARIZABLE("core: record_ring, shared, taken for wait-free, seven steps a call", .models = {rc11, sc},
             .expect = refuted, .promise = wait_free, .steps = 7) {
    using ring = ringproof::record_ring<ringproof::shared>;
    object<ring>(64).op("write", &write<ring>, fresh()).op("read", &read<ring>).one_thread();
}
