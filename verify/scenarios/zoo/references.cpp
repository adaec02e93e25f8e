// SPDX-License-Identifier: Apache-2.0
// Who holds what: lists that are walked without a lock, references of an AUX area, and an event that has to be disabled
// where it runs. Small models of kernel/events/core.c and ring_buffer.c: which CPU, which count, in which order.

#include "property.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <thread>

namespace {

using namespace ringproof::zoo;
using ringproof::verify::cover;

/// A6. Symptom: an event that was to be disabled goes on writing, on another CPU, into an area that is given back. Cause:
/// that it is to be disabled is a flag; the deferred work finds it, though it was set elsewhere meanwhile, and disables
/// where it happens to run. Source: Linux 1d54ad944074 (2019), where the flag became the number of the CPU.
template <bool ByCpu>
class event {
  public:
    /// In an interrupt on `cpu`, which may only ask for it.
    void disable_later(int cpu) {
        pending_.store(cpu, std::memory_order_seq_cst);
        if (!queued_.exchange(true, std::memory_order_seq_cst))
            work_[cpu].store(true, std::memory_order_seq_cst);
    }
    /// The deferred work, if there is any for this CPU.
    void deferred(int cpu) {
        if (!work_[cpu].exchange(false, std::memory_order_seq_cst)) return;
        queued_.store(false, std::memory_order_seq_cst);
        int wanted = pending_.load(std::memory_order_seq_cst);
        if (wanted == none) return;
        if (ByCpu && wanted != cpu) {
            cover("sent on");
            if (!queued_.exchange(true, std::memory_order_seq_cst))
                work_[wanted].store(true, std::memory_order_seq_cst);
            return;
        }
        if (!pending_.compare_exchange_strong(wanted, none, std::memory_order_seq_cst)) return;
        runs_[cpu].store(false, std::memory_order_relaxed);
    }
    /// Scheduled out: what is pending for this CPU is done at once.
    void out(int cpu) {
        pending_.store(none, std::memory_order_seq_cst);
        runs_[cpu].store(false, std::memory_order_relaxed);
    }
    void in(int cpu) { runs_[cpu].store(true, std::memory_order_relaxed); }
    bool runs(int cpu) const { return runs_[cpu].load(std::memory_order_relaxed); }

  private:
    static constexpr int none = -1;
    std::atomic<int> pending_{none};
    std::atomic<bool> queued_{false};
    std::array<std::atomic<bool>, 2> work_{}, runs_{};
};

template <bool ByCpu>
void disabled_where_it_runs() {
    event<ByCpu> one;
    one.in(0);
    std::atomic<bool> moved{false};
    std::thread first([&] {
        one.disable_later(0);
        one.out(0);
        moved.store(true, std::memory_order_release);
        one.deferred(0); // late: the event is elsewhere by now
    });
    while (!moved.load(std::memory_order_acquire)) ringproof::verify::pause();
    one.in(1); // enabled again, on the other CPU
    one.disable_later(1);
    one.deferred(1);
    first.join();
    one.deferred(1);
    RINGPROOF_HOLDS(life, !one.runs(1)); // the area is given back now
}

/// L4. Symptom: a wake-up that never ends, or events that are not woken. Cause: an event leaves one ring's list and joins
/// another's while somebody walks the first without a lock: the walker follows the event, and never comes to the end of
/// the list that it began. Source: Linux b69cf53640da and 2f993cf09364 (2013, 2014): a grace period comes first.
struct node {
    std::atomic<node*> next{nullptr};
};
template <bool WaitsForWalkers>
void a_walker_stays_in_its_list() {
    node here, there, moves, stays; // two lists, circular: here -> moves -> stays -> here
    here.next = &moves, moves.next = &stays, stays.next = &here, there.next = &there;
    std::atomic<int> walking{0};
    bool met = false;
    std::thread walker([&] {
        walking.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        int steps = 0;
        for (const node* at = here.next.load(std::memory_order_acquire); at != &here;
             at = at->next.load(std::memory_order_acquire)) {
            RINGPROOF_HOLDS(live, ++steps <= 2);
            met = met || at == &stays;
        }
        walking.store(0, std::memory_order_release);
        if (steps == 2) cover("met before it left");
        if (steps == 1) cover("left before it was met");
    });
    here.next.store(&stays, std::memory_order_release); // leaves; what it points to stays, for who is there
    if (WaitsForWalkers) {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        while (walking.load(std::memory_order_acquire) != 0) ringproof::verify::pause();
    }
    moves.next.store(&there, std::memory_order_relaxed);
    there.next.store(&moves, std::memory_order_release);
    walker.join();
    RINGPROOF_HOLDS(woken, met);
}

/// L5. Symptom: an AUX area is freed by a transaction, where nobody may free. Cause: a transaction takes its reference and
/// then asks whether the area is still mapped; the unmap has set that to no, has stopped whoever was running, and dropped
/// its own reference: the transaction's is the last. Source: Linux b79ccadd6bb1 and dcb10a967ce8: first ask, then take.
template <bool AsksFirst>
void a_transaction_never_has_the_last_reference() {
    std::atomic<int> mapped{1}, references{1}, running{0};
    const auto take = [&] {
        for (int now = references.load(std::memory_order_relaxed); now != 0;)
            if (references.compare_exchange_strong(now, now + 1, std::memory_order_acq_rel)) return true;
        return false;
    };
    const auto drop = [&] { return references.fetch_sub(1, std::memory_order_acq_rel) == 1; };
    std::thread unmapper([&] {
        mapped.store(0, std::memory_order_seq_cst);
        while (running.load(std::memory_order_seq_cst) != 0) { // stops whoever runs
            cover("stopped");
            ringproof::verify::pause();
        }
        static_cast<void>(drop());
    });
    running.store(1, std::memory_order_seq_cst);
    const auto is_mapped = [&] { return mapped.load(std::memory_order_seq_cst) != 0; };
    bool begun = false;
    if (AsksFirst) {
        begun = is_mapped() && take();
        if (!begun) cover("turned away");
    } else if (take()) {
        begun = is_mapped();
        if (!begun) RINGPROOF_HOLDS(life, !drop());
    }
    if (begun) RINGPROOF_HOLDS(life, !drop());
    running.store(0, std::memory_order_seq_cst);
    unmapper.join();
    RINGPROOF_HOLDS(life, references.load(std::memory_order_relaxed) == 0);
}

/// L7. Symptom: a source writes into an area that is not there (a); an area is freed of which a part is still mapped (b).
/// Cause: the count of mappings is raised before the allocation, and stays when it fails; the unmap of any piece is taken
/// for the unmap of all. Source: Linux, 2025: the count is set when there are pages, and mappings cannot be split.
template <bool CountsPages>
void a_failed_mapping_leaves_no_count() {
    std::atomic<int> mapped{0};
    std::unique_ptr<int> pages;
    const auto map = [&](bool memory) {
        if (!CountsPages) mapped.store(1, std::memory_order_release);
        if (!memory) return;
        pages = std::make_unique<int>(0);
        if (CountsPages) mapped.store(1, std::memory_order_release);
    };
    std::thread source([&] {
        if (mapped.load(std::memory_order_acquire) == 0) return;
        cover("mapped");
        RINGPROOF_HOLDS(life, pages != nullptr);
        *pages = 1;
    });
    map(false); // no memory
    map(true);
    source.join();
}
template <bool CannotBeSplit>
void a_piece_is_not_the_whole() {
    auto pages = std::make_unique<std::array<std::atomic<int>, 2>>();
    const auto unmap = [&](std::size_t count) {
        if (CannotBeSplit && count < pages->size()) return cover("refused");
        pages.reset();
    };
    std::thread source([area = pages.get()] { (*area)[0].store(1, std::memory_order_relaxed); });
    unmap(1); // the second page
    source.join();
}

} // namespace

#define RINGPROOF_PAIR(bad_name, good_name, function, ...)                                                   \
    VERIFY(bad_name, .models = {sc}, .expect = refuted) { function<false>(); }                               \
    VERIFY(good_name, .models = {rc11, tso, sc}, .covers = {__VA_ARGS__}) { function<true>(); }

RINGPROOF_PAIR("A6: an event is disabled where the work happens to run",
               "A6, right: an event is disabled on the CPU that asked for it", disabled_where_it_runs,
               "sent on")
RINGPROOF_PAIR("L4: an event joins another list while the first is walked",
               "L4, right: an event joins another list when no thread walks the first",
               a_walker_stays_in_its_list, "met before it left", "left before it was met")
RINGPROOF_PAIR("L5: a transaction takes its reference, and then asks", "L5, right: a transaction asks first",
               a_transaction_never_has_the_last_reference, "stopped", "turned away")
RINGPROOF_PAIR("L7a: an area is counted as mapped before it has pages",
               "L7a, right: an area is counted as mapped when it has pages", a_failed_mapping_leaves_no_count,
               "mapped")
RINGPROOF_PAIR("L7b: the unmap of a piece is taken for that of the whole",
               "L7b, right: a mapping is not taken down in pieces", a_piece_is_not_the_whole, "refused")
