// SPDX-License-Identifier: Apache-2.0
// Boost.Lockfree, with capacities that are fixed and small.

#include <ringproof/verify/linearizable.hpp>

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>

namespace {

namespace lockfree = boost::lockfree;
using ring = lockfree::spsc_queue<int, lockfree::capacity<2>>;
using small_queue = lockfree::queue<int, lockfree::capacity<2>>;
using stack = lockfree::stack<int>;

template <class Structure>
bool push(Structure& structure, int value) {
    return structure.push(value);
}
template <class Structure>
bool pop(Structure& structure, int& value) {
    return structure.pop(value);
}

} // namespace

LINEARIZABLE("Boost's spsc_queue, which may say full or empty while the other side works",
             .models = {rc11, sc}, .calls = 3) {
    object<ring>()
        .op("push", &push<ring>, fresh())
        .one_thread()
        .may_fail()
        .op("pop", &pop<ring>)
        .one_thread()
        .may_fail();
}
LINEARIZABLE("Boost's spsc_queue, taken for linearizable", .models = {rc11}, .calls = 3, .expect = refuted) {
    object<ring>().op("push", &push<ring>, fresh()).one_thread().op("pop", &pop<ring>).one_thread();
}
// A node of the free list is read while it is written: its reader finds out afterwards that it was too late. ISO C++ calls
// that a race, whatever comes of it.
LINEARIZABLE("Boost's stack, a race in its free list", .models = {rc11}, .expect = refuted) {
    object<stack>(4).op("push", &push<stack>, fresh()).op("pop", &pop<stack>);
}
LINEARIZABLE("Boost's queue of a fixed capacity, a race in its free list", .models = {rc11},
             .expect = refuted) {
    object<small_queue>().op("push", &push<small_queue>, fresh()).op("pop", &pop<small_queue>);
}
