// SPDX-License-Identifier: Apache-2.0
// xenium's queues, where RINGPROOF_XENIUM_INCLUDE says that its headers are. A pop looks at a slot once before it gives it up
// (pop_retries<0>): each further look is one more access, with executions of its own.

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

using looks_once = xenium::policy::pop_retries<0>;

using nikolaev = xenium::nikolaev_bounded_queue<int, looks_once>;
bool push_nikolaev(nikolaev& q, int value) { return q.try_push(value); }
bool pop_nikolaev(nikolaev& q, int& value) { return q.try_pop(value); }

using michael_scott = xenium::michael_scott_queue<int, reclaimer>;
void push_ms(michael_scott& q, int value) { q.push(value); }
bool pop_ms(michael_scott& q, int& value) { return q.try_pop(value); }

/// Slots in segments of so many.
template <unsigned Slots>
using ramalhete =
    xenium::ramalhete_queue<int*, reclaimer, xenium::policy::entries_per_node<Slots>, looks_once>;
template <unsigned Slots>
void push_ramalhete(ramalhete<Slots>& q, int value) {
    q.push(numbers + value);
}
template <unsigned Slots>
bool pop_ramalhete(ramalhete<Slots>& q, int& value) {
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
LINEARIZABLE("xenium's nikolaev_bounded_queue (SCQ), where nothing is reordered", .models = {sc},
             .synchronisations = 0, .assumes = {"spurious-failure"}) {
    object<nikolaev>(2).op("push", &push_nikolaev, fresh()).op("pop", &pop_nikolaev);
}
LINEARIZABLE("xenium's michael_scott_queue, epochs", .models = {rc11}, .synchronisations = 0) {
    object<michael_scott>().op("push", &push_ms, fresh()).op("pop", &pop_ms);
}
LINEARIZABLE("xenium's ramalhete_queue (as LCRQ), epochs, segments of four slots", .models = {rc11, sc},
             .synchronisations = 0) {
    object<ramalhete<4>>().op("push", &push_ramalhete<4>, fresh()).op("pop", &pop_ramalhete<4>);
}
LINEARIZABLE("xenium's ramalhete_queue (as LCRQ), epochs, segments of two, where nothing is reordered",
             .models = {sc, tso}, .synchronisations = 0) {
    object<ramalhete<2>>().op("push", &push_ramalhete<2>, fresh()).op("pop", &pop_ramalhete<2>);
}
// A pop that has used up a segment reads that there is no next one, though another thread has linked it.
LINEARIZABLE("xenium's ramalhete_queue (as LCRQ), epochs, segments of two, taken for linearizable",
             .models = {rc11}, .synchronisations = 0, .expect = refuted) {
    object<ramalhete<2>>().op("push", &push_ramalhete<2>, fresh()).op("pop", &pop_ramalhete<2>);
}
