// SPDX-License-Identifier: Apache-2.0
#pragma once
// The queues of the core, as LINEARIZABLE calls them.

namespace linear_scenarios {

template <class Queue>
bool push(Queue& queue, int value) {
    return queue.try_push(value);
}
template <class Queue>
bool pop(Queue& queue, int& value) {
    return queue.try_pop(value);
}

} // namespace linear_scenarios
