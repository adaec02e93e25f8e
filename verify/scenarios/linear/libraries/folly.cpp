// SPDX-License-Identifier: Apache-2.0
// folly's bounded queue, where RINGPROOF_FOLLY_INCLUDE says that its sources are. A call that finds its turn taken asks a futex's
// clock how long to spin: what time it is decides nothing.

#include <ringproof/verify/linearizable.hpp>

#include <folly/MPMCQueue.h>

namespace {

using queue = folly::MPMCQueue<int>;

bool write(queue& q, int value) { return q.write(value); }
bool read(queue& q, int& value) { return q.read(value); }

} // namespace

LINEARIZABLE("folly's MPMCQueue, which may say full or empty while others work", .models = {rc11},
             .assumes = {"clock"}) {
    object<queue>(2).op("write", &write, fresh()).may_fail().op("read", &read).may_fail();
}
LINEARIZABLE("folly's MPMCQueue, taken for linearizable", .models = {rc11}, .expect = refuted,
             .assumes = {"clock"}) {
    object<queue>(2).op("write", &write, fresh()).op("read", &read);
}
