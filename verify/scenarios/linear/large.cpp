// SPDX-License-Identifier: Apache-2.0
// Clients that take a while.

#include "../classic/michael_scott_queue.hpp"

#include <ringproof/verify/linearizable.hpp>

LINEARIZABLE("Michael and Scott's queue, three threads", .threads = 3, .synchronisations = 0) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Michael and Scott's queue, six calls in all", .models = {rc11, sc}, .in_all = 6) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
