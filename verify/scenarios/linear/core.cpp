// SPDX-License-Identifier: Apache-2.0
// The queues of the core, by the threads that may call them.

#include "push_pop.hpp"

#include <ringproof/verify/linearizable.hpp>

#include <ringproof/mpsc_queue.hpp>
#include <ringproof/spsc_queue.hpp>

using namespace linear_scenarios;

// A side may see an old position of the other one: its pop of nothing and the other one's refused push can each come
// before what the other side had done, as stores that are passed by loads do. So the queue promises less than its code seems
// to, and what it promises holds.
LINEARIZABLE("core: spsc_queue of two slots, which may say full or empty while the other side works",
             .models = {rc11, tso, sc}, .calls = 3) {
    using queue = ringproof::spsc_queue<int>;
    object<queue>(2)
        .op("push", &push<queue>, fresh())
        .one_thread()
        .may_fail()
        .op("pop", &pop<queue>)
        .one_thread()
        .may_fail();
}
LINEARIZABLE("core: spsc_queue of two slots, linearizable where nothing is reordered", .models = {sc},
             .calls = 3) {
    using queue = ringproof::spsc_queue<int>;
    object<queue>(2).op("push", &push<queue>, fresh()).one_thread().op("pop", &pop<queue>).one_thread();
}
LINEARIZABLE("core: spsc_queue of two slots, taken for linearizable", .models = {rc11, tso}, .calls = 3,
             .expect = refuted) {
    using queue = ringproof::spsc_queue<int>;
    object<queue>(2).op("push", &push<queue>, fresh()).one_thread().op("pop", &pop<queue>).one_thread();
}
LINEARIZABLE("core: mpsc_queue of two slots, which may say full or empty while others work",
             .models = {rc11, sc}) {
    using queue = ringproof::mpsc_queue<int>;
    object<queue>(2)
        .op("push", &push<queue>, fresh())
        .may_fail()
        .op("pop", &pop<queue>)
        .one_thread()
        .may_fail();
}
LINEARIZABLE("core: mpsc_queue of two slots, taken for linearizable", .models = {rc11, sc},
             .expect = refuted) {
    using queue = ringproof::mpsc_queue<int>;
    object<queue>(2).op("push", &push<queue>, fresh()).op("pop", &pop<queue>).one_thread();
}
LINEARIZABLE("core: spsc_queue says empty or full where the other side is stopped", .models = {rc11, sc},
             .calls = 3, .promise = lock_free) {
    using queue = ringproof::spsc_queue<int>;
    object<queue>(2).op("push", &push<queue>, fresh()).one_thread().op("pop", &pop<queue>).one_thread();
}
LINEARIZABLE("core: mpsc_queue says empty or full where others are stopped", .models = {rc11, sc},
             .promise = lock_free) {
    using queue = ringproof::mpsc_queue<int>;
    object<queue>(2).op("push", &push<queue>, fresh()).op("pop", &pop<queue>).one_thread();
}
