// SPDX-License-Identifier: Apache-2.0
// oneTBB's concurrent_queue. A pop reads the number of pushes relaxed: it may say "nothing" while another thread, of whose
// push it has not heard, has taken this thread's own item.

#include <ringproof/verify/linearizable.hpp>

#include <oneapi/tbb/concurrent_queue.h>

namespace {
using queue = oneapi::tbb::concurrent_queue<int>;

void push(queue& q, int value) { q.push(value); }
bool pop(queue& q, int& value) { return q.try_pop(value); }
} // namespace

LINEARIZABLE("oneTBB's concurrent_queue, whose pop may say empty while others work", .models = {rc11},
             .synchronisations = 0) {
    object<queue>().op("push", &push, fresh()).op("pop", &pop).may_fail();
}
LINEARIZABLE("oneTBB's concurrent_queue, linearizable where nothing is reordered", .models = {sc},
             .synchronisations = 0) {
    object<queue>().op("push", &push, fresh()).op("pop", &pop);
}
LINEARIZABLE("oneTBB's concurrent_queue, taken for linearizable", .models = {rc11}, .synchronisations = 0,
             .expect = refuted) {
    object<queue>().op("push", &push, fresh()).op("pop", &pop);
}
