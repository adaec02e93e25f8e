// SPDX-License-Identifier: Apache-2.0
// Every client of a number of calls, however its threads make and order them: what docs/guarantees.md promises of the core,
// and structures in which a step is missing.

#include "../classic/michael_scott_queue.hpp"
#include "push_pop.hpp"
#include "queues.hpp"
#include "treiber_stack.hpp"
#include "two_flags.hpp"

#include <ringproof/mpsc_queue.hpp>
#include <ringproof/spsc_queue.hpp>
#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

using namespace linear_scenarios;
namespace linear = ringproof::verify::linear;
using fifo_of_two = linear::spec::fifo<2>;

namespace {

/// Pushed to and popped from; pops by one thread.
template <class Queue>
void with_one_consumer(linear::structure<Queue, fifo_of_two> s, bool one_producer, bool may_fail) {
    s.op("push", &push<Queue>, &fifo_of_two::push, linear::fresh());
    if (one_producer) s.one_thread();
    if (may_fail) s.may_fail();
    s.op("pop", &pop<Queue>, &fifo_of_two::pop).one_thread();
    if (may_fail) s.may_fail();
}

} // namespace

LINEARIZABLE("core: spsc_queue of two slots, in all: full or empty while the other side works",
             .models = {rc11, ra, sc}, .in_all = 8) {
    with_one_consumer(object<ringproof::spsc_queue<int>>(2).like<fifo_of_two>(), true, true);
}
LINEARIZABLE("core: spsc_queue of two slots, in all: linearizable where nothing is reordered", .models = {sc},
             .in_all = 8) {
    with_one_consumer(object<ringproof::spsc_queue<int>>(2).like<fifo_of_two>(), true, false);
}
LINEARIZABLE("core: spsc_queue of two slots, in all: taken for linearizable", .models = {rc11, ra},
             .in_all = 8, .expect = refuted) {
    with_one_consumer(object<ringproof::spsc_queue<int>>(2).like<fifo_of_two>(), true, false);
}
LINEARIZABLE("core: mpsc_queue of two slots, in all: full or empty while others work", .models = {rc11, sc},
             .in_all = 7) {
    with_one_consumer(object<ringproof::mpsc_queue<int>>(2).like<fifo_of_two>(), false, true);
}
LINEARIZABLE("core: mpsc_queue of two slots, in all: taken for linearizable", .models = {rc11, sc},
             .in_all = 7, .expect = refuted) {
    with_one_consumer(object<ringproof::mpsc_queue<int>>(2).like<fifo_of_two>(), false, false);
}

LINEARIZABLE("Michael and Scott's queue, in all", .models = {rc11, sc}, .in_all = 5) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Michael and Scott's queue, in all, mutant: a pop overwrites the head", .models = {rc11, sc},
             .in_all = 5, .expect = refuted) {
    using queue = classic::michael_scott_queue<std::memory_order::release, false, false>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Treiber's stack, in all", .models = {rc11, sc}, .in_all = 5) {
    using stack = treiber_stack<>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("Treiber's stack, in all, mutant: a pop overwrites the head", .models = {rc11, sc}, .in_all = 6,
             .expect = refuted) {
    using stack = treiber_stack<true, false>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("two flags, seq_cst, in all", .models = {rc11, sc}, .in_all = 5) {
    using flags = strong_flags;
    object<flags>()
        .op("raise_left", &flags::raise_left)
        .op("raise_right", &flags::raise_right)
        .op("left", &flags::left)
        .op("right", &flags::right);
}
LINEARIZABLE("two flags, in all, mutant: released and acquired", .models = {rc11, ra}, .in_all = 5,
             .expect = refuted) {
    using flags = weak_flags;
    object<flags>()
        .op("raise_left", &flags::raise_left)
        .op("raise_right", &flags::raise_right)
        .op("left", &flags::left)
        .op("right", &flags::right);
}
