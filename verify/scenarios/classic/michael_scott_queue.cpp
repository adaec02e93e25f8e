// SPDX-License-Identifier: Apache-2.0
#include "michael_scott_queue.hpp"

#include <ringproof/verify/verify.hpp>

#include <thread>

namespace {

using std::memory_order;

using classic::michael_scott_queue;

/// 0 when there is nothing.
template <class Queue>
int pop(Queue& queue) {
    return queue.pop().value_or(0);
}

/// Two threads push, and pop what is there.
template <class Queue>
void what_is_pushed_is_popped_once_and_in_order() {
    Queue queue;
    int popped = 0;
    std::thread other([&] {
        queue.push(1);
        popped = pop(queue);
    });
    queue.push(2);
    other.join();
    VERIFY_THAT(popped == 1 || popped == 2);
    VERIFY_THAT(pop(queue) == 3 - popped);
    VERIFY_THAT(pop(queue) == 0);
}

template <class Queue>
void two_take_what_two_pushed() {
    Queue queue;
    queue.push(1);
    queue.push(2);
    int popped = 0;
    std::thread other([&] { popped = pop(queue); });
    const int here = pop(queue);
    other.join();
    VERIFY_THAT(popped + here == 3 && popped != here);
}

} // namespace

VERIFY("Michael and Scott's queue: two push, one pops", .models = {rc11, tso, sc}) {
    what_is_pushed_is_popped_once_and_in_order<michael_scott_queue<memory_order::release>>();
}
VERIFY("Michael and Scott's queue: two pop", .models = {rc11, tso, sc}) {
    two_take_what_two_pushed<michael_scott_queue<memory_order::release>>();
}
VERIFY("Michael and Scott's queue, mutant: linked in relaxed", .expect = refuted) {
    what_is_pushed_is_popped_once_and_in_order<michael_scott_queue<memory_order::relaxed>>();
}
VERIFY("Michael and Scott's queue, mutant: the old dummy is freed at once", .models = {rc11, tso, sc},
       .expect = refuted) {
    two_take_what_two_pushed<michael_scott_queue<memory_order::release, true>>();
}
