// SPDX-License-Identifier: Apache-2.0
// xenium's queues, where RINGPROOF_XENIUM_INCLUDE says that its headers are. Clients of one call a thread where those of two have more
// executions than a test can take.

#include <ringproof/verify/linearizable.hpp>

#include <xenium/michael_scott_queue.hpp>
#include <xenium/nikolaev_bounded_queue.hpp>
#include <xenium/policy.hpp>
#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/vyukov_bounded_queue.hpp>

namespace {

using reclaimer = xenium::policy::reclaimer<xenium::reclamation::epoch_based<>>;

/// Pointers to these are what the queues of pointers hold.
int numbers[16];

using vyukov = xenium::vyukov_bounded_queue<int>;
bool push_vyukov(vyukov& q, int value) { return q.try_push(value); }
bool pop_vyukov(vyukov& q, int& value) { return q.try_pop(value); }

using nikolaev = xenium::nikolaev_bounded_queue<int>;
bool push_nikolaev(nikolaev& q, int value) { return q.try_push(value); }
bool pop_nikolaev(nikolaev& q, int& value) { return q.try_pop(value); }

using michael_scott = xenium::michael_scott_queue<int, reclaimer>;
void push_ms(michael_scott& q, int value) { q.push(value); }
bool pop_ms(michael_scott& q, int& value) { return q.try_pop(value); }

using ramalhete = xenium::ramalhete_queue<int*, reclaimer, xenium::policy::entries_per_node<2>>;
void push_ramalhete(ramalhete& q, int value) { q.push(numbers + value); }
bool pop_ramalhete(ramalhete& q, int& value) {
    int* taken = nullptr;
    if (!q.try_pop(taken)) return false;
    value = static_cast<int>(taken - numbers);
    return true;
}

} // namespace

LINEARIZABLE("xenium's vyukov_bounded_queue, which may say full or empty while others work",
             .models = {rc11}) {
    object<vyukov>(2).op("push", &push_vyukov, fresh()).may_fail().op("pop", &pop_vyukov).may_fail();
}
LINEARIZABLE("xenium's vyukov_bounded_queue, taken for linearizable", .models = {rc11}, .expect = refuted) {
    object<vyukov>(2).op("push", &push_vyukov, fresh()).op("pop", &pop_vyukov);
}
LINEARIZABLE("xenium's nikolaev_bounded_queue (SCQ)", .models = {rc11}, .calls = 1, .synchronisations = 0) {
    object<nikolaev>(2).op("push", &push_nikolaev, fresh()).op("pop", &pop_nikolaev);
}
LINEARIZABLE("xenium's michael_scott_queue, epochs", .models = {rc11}, .synchronisations = 0) {
    object<michael_scott>().op("push", &push_ms, fresh()).op("pop", &pop_ms);
}
LINEARIZABLE("xenium's ramalhete_queue (as LCRQ), epochs", .models = {rc11}, .calls = 1,
             .synchronisations = 0) {
    object<ramalhete>().op("push", &push_ramalhete, fresh()).op("pop", &pop_ramalhete);
}
