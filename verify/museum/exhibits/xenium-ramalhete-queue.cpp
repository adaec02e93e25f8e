// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <thread>
#include <xenium/policy.hpp>
#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>

int main() {
    xenium::ramalhete_queue<int*, xenium::policy::reclaimer<xenium::reclamation::epoch_based<>>> queue;
    int one = 1, two = 2;
    queue.push(&one);
    std::thread other([&] {
        int* taken;
        queue.push(&two);
        queue.try_pop(taken);
    });
    int* taken;
    assert(queue.try_pop(taken)); // there is an item at each moment until then
    other.join();
}
