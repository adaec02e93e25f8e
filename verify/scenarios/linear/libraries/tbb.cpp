// SPDX-License-Identifier: Apache-2.0
// oneTBB's concurrent_queue. Before 2021.9 a pop reads the number of pops relaxed, as that of pushes: it may say "nothing" while
// another thread, of whose push it has not heard, has taken this thread's own item.

#include <ringproof/verify/linearizable.hpp>

#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/version.h>

namespace {
using queue = oneapi::tbb::concurrent_queue<int>;

constexpr bool is_repaired = TBB_VERSION_MAJOR * 100 + TBB_VERSION_MINOR >= 202109;

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
LINEARIZABLE("oneTBB's concurrent_queue, linearizable since 2021.9", .models = {rc11}, .synchronisations = 0,
             .expect = is_repaired ? verified : refuted) {
    object<queue>().op("push", &push, fresh()).op("pop", &pop);
}
