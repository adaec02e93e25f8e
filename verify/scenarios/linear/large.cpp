// SPDX-License-Identifier: Apache-2.0
// Clients that take a while.

#include "../classic/michael_scott_queue.hpp"
#include "push_pop.hpp"
#include "treiber_stack.hpp"

#include <ringproof/mpsc_queue.hpp>
#include <ringproof/verify/linearizable.hpp>

using linear_scenarios::pop, linear_scenarios::push;

LINEARIZABLE("Michael and Scott's queue, three threads", .threads = 3, .synchronisations = 0) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Michael and Scott's queue, six calls in all", .models = {rc11, sc}, .in_all = 6) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
// Minutes: nine million executions.
LINEARIZABLE("Michael and Scott's queue, seven calls in all", .in_all = 7) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Treiber's stack, nine calls in all", .in_all = 9) {
    using stack = linear_scenarios::treiber_stack<>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("mpsc_queue of two slots, three threads of three calls", .models = {rc11, sc}, .threads = 3,
             .calls = 3, .synchronisations = 0) {
    using queue = ringproof::mpsc_queue<int>;
    object<queue>(2)
        .op("push", &push<queue>, fresh())
        .may_fail()
        .op("pop", &pop<queue>)
        .one_thread()
        .may_fail();
}
