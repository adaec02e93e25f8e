// SPDX-License-Identifier: Apache-2.0
// The life of rings: who may still use one, and who takes it down. Small state machines, from kernel/events/core.c.

#include "property.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace {

using namespace ringproof::zoo;

/// L1. Symptom: events write into a ring that nobody can reach. Cause: the last unmap detaches its own event, not those
/// that were redirected to the same ring. Source: Linux 26cb63ad11e0, 9bb5d40cd93c (2013).
template <bool All>
void the_last_unmap_detaches() {
    auto ring = std::make_unique<std::atomic<int>>(0);
    std::array<std::atomic<int>*, 2> events{ring.get(), ring.get()};
    for (std::size_t i = 0; i != (All ? events.size() : 1); ++i) events[i] = nullptr;
    ring.reset();
    // On a thread, so that no compiler knows enough to leave the allocation out.
    std::thread([&] {
        for (std::atomic<int>* event : events)
            if (event)
                event->store(1, std::memory_order_relaxed);
            else
                ringproof::verify::cover("detached");
    }).join();
}

/// L2. Symptom: an event is stuck on a dead ring. Cause: it is attached after the one that closes has walked the list.
/// Source: Linux 68e3c69803da (2022).
template <bool ChecksUnderLock>
void nobody_attaches_to_a_dead_ring() {
    std::mutex lock;
    int mapped = 1;
    bool attached = false;
    std::thread closing([&] {
        const std::lock_guard guard(lock);
        mapped = 0;
        attached = false;
    });
    {
        const std::lock_guard guard(lock);
        if (!ChecksUnderLock || mapped > 0)
            attached = true;
        else
            ringproof::verify::cover("too late");
    }
    closing.join();
    RINGPROOF_HOLDS(life, !attached || mapped > 0);
}

/// L3. Symptom: two take a ring down, or nobody. Cause: a count is lowered, and looked at again. Source: CVE-2020-14351.
template <bool AtOnce>
void one_takes_it_down() {
    std::atomic<int> mappings{2}, taken_down{0};
    const auto unmap = [&] {
        const int before = mappings.fetch_sub(1, std::memory_order_acq_rel);
        if (AtOnce ? before == 1 : mappings.load(std::memory_order_acquire) == 0)
            taken_down.fetch_add(1, std::memory_order_relaxed);
    };
    std::thread other(unmap);
    unmap();
    if (taken_down.load(std::memory_order_relaxed) == 0) ringproof::verify::cover("the other takes it down");
    other.join();
    RINGPROOF_HOLDS(life, taken_down.load(std::memory_order_relaxed) == 1);
}

/// L6. Symptom: an area is allocated twice, and one is freed under its user. Cause: two events of one ring have a mutex
/// each. Source: CVE-2024-46713, Linux 2ab9d830262c (2024).
template <bool OneForTheRing>
void one_area() {
    std::array<std::mutex, 2> mutexes;
    std::unique_ptr<int> area;
    const auto map = [&](unsigned event) {
        const std::lock_guard guard(mutexes[OneForTheRing ? 0 : event]);
        if (area) return ringproof::verify::cover("there already");
        area = std::make_unique<int>(0);
    };
    std::thread other([&] { map(1); });
    map(0);
    other.join();
}

/// L8. Symptom: a count that was zero is raised, and falls to zero twice. Cause: a redirected event maps a ring that its
/// owner has unmapped. Source: Linux, January 2026: such a mapping is refused.
template <bool Refuses>
void nothing_is_raised_from_zero() {
    int mappings = 1, taken_down = 0;
    const auto unmap = [&] { taken_down += --mappings == 0; };
    unmap();
    if (!Refuses || mappings > 0) {
        ++mappings;
        unmap();
    }
    RINGPROOF_HOLDS(life, taken_down == 1);
}

/// L9. Symptom: hardware writes into pages that were freed. Cause: an area's unmap stops the event, not its children.
/// Source: Linux f3a519e4add9 (2019).
template <bool ChildrenToo>
void everybody_who_writes_is_stopped() {
    auto pages = std::make_unique<int>(0);
    std::thread child([area = pages.get()] { *area = 1; });
    if (ChildrenToo) child.join(); // it runs no more
    pages.reset();
    if (!ChildrenToo) child.join();
}

/// L10. Symptom: a write into no pages. Cause: a ring without pages is one that is paused for ever, and resuming clears
/// that too.
template <bool ForEver>
void no_pages_no_writes() {
    const std::size_t pages = 0;
    bool paused = true;
    const auto resume = [&] { paused = ForEver && pages == 0; };
    resume();
    RINGPROOF_HOLDS(bounds, paused || pages > 0);
}

/// T6. Symptom: use after free. Cause: a wake-up is still on its way when its ring is freed. Source: ftrace, "sync IRQ
/// works before buffer destruction".
template <bool Waits>
void wake_ups_arrive_before_the_end() {
    auto ring = std::make_unique<std::atomic<int>>(0);
    std::thread work([flag = ring.get()] { flag->store(1, std::memory_order_release); });
    if (Waits) work.join();
    ring.reset();
    if (!Waits) work.join();
}

} // namespace

/// What follows is what an execution of the right one must have met.
#define RINGPROOF_PAIR(bad_name, good_name, function, ...)                                                   \
    VERIFY(bad_name, .models = {sc}, .expect = refuted) { function<false>(); }                               \
    VERIFY(good_name, .models = {rc11, sc}, .covers = {__VA_ARGS__}) { function<true>(); }

RINGPROOF_PAIR("L1: the last unmap detaches one event", "L1, right: the last unmap detaches all",
               the_last_unmap_detaches, "detached")
RINGPROOF_PAIR("L2: an event is attached unchecked",
               "L2, right: an event is attached while the ring is mapped", nobody_attaches_to_a_dead_ring,
               "too late")
RINGPROOF_PAIR("L3: a count is lowered, and then looked at",
               "L3, right: the thread that lowers a count to zero knows it", one_takes_it_down)
RINGPROOF_PAIR("L6: each event has a mutex", "L6, right: the ring has the mutex", one_area, "there already")
RINGPROOF_PAIR("L8: a ring that was unmapped is mapped again", "L8, right: a ring that was unmapped stays so",
               nothing_is_raised_from_zero)
RINGPROOF_PAIR("L9: children go on writing", "L9, right: children are stopped too",
               everybody_who_writes_is_stopped)
RINGPROOF_PAIR("L10: resuming clears more than a pause", "L10, right: a ring without pages stays paused",
               no_pages_no_writes)
RINGPROOF_PAIR("T6: a ring is freed under a wake-up", "T6, right: a ring waits for its wake-ups",
               wake_ups_arrive_before_the_end)
