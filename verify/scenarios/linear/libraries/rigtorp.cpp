// SPDX-License-Identifier: Apache-2.0
// rigtorp's queues, where RINGPROOF_RIGTORP_MPMC_INCLUDE and RINGPROOF_RIGTORP_SPSC_INCLUDE say that their headers are.

#include <ringproof/verify/linearizable.hpp>

#include <rigtorp/MPMCQueue.h>
#include <rigtorp/SPSCQueue.h>

namespace {

using many = rigtorp::MPMCQueue<int>;
using ring = rigtorp::SPSCQueue<int>;

bool push_many(many& q, int value) { return q.try_push(value); }
bool pop_many(many& q, int& value) { return q.try_pop(value); }
bool push_one(ring& q, int value) { return q.try_push(value); }
bool pop_one(ring& q, int& value) {
    const int* const front = q.front();
    if (!front) return false;
    value = *front;
    q.pop();
    return true;
}

} // namespace

LINEARIZABLE("rigtorp's MPMCQueue, which may say full or empty while others work", .models = {rc11}) {
    object<many>(2).op("push", &push_many, fresh()).may_fail().op("pop", &pop_many).may_fail();
}
LINEARIZABLE("rigtorp's MPMCQueue, taken for linearizable", .models = {rc11}, .expect = refuted) {
    object<many>(2).op("push", &push_many, fresh()).op("pop", &pop_many);
}
LINEARIZABLE("rigtorp's SPSCQueue, which may say full or empty while the other side works", .models = {rc11},
             .calls = 3) {
    object<ring>(2)
        .op("push", &push_one, fresh())
        .one_thread()
        .may_fail()
        .op("pop", &pop_one)
        .one_thread()
        .may_fail();
}
LINEARIZABLE("rigtorp's SPSCQueue, taken for linearizable", .models = {rc11}, .calls = 3, .expect = refuted) {
    object<ring>(2).op("push", &push_one, fresh()).one_thread().op("pop", &pop_one).one_thread();
}
