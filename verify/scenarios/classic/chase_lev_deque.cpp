// SPDX-License-Identifier: Apache-2.0
// Chase and Lev's work-stealing deque: the owner works at the bottom without a compare-and-swap, thieves at the top.
// D. Chase, Y. Lev: Dynamic circular work-stealing deque. SPAA 2005.
// In C11: N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli: Correct and efficient work-stealing for weak memory models.
// PPoPP 2013. (Without growing; B. Norris and B. Demsky found a bug in that part of it with CDSChecker, OOPSLA 2013.)
//
// For the last item, owner and thief each store (bottom; the thief's store is its compare-and-swap of top) and then
// look at the other's. The two full fences see to it that one of them notices.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <thread>

namespace {

using std::memory_order;

struct task {
    int number; ///< plain: written before the push, read by whoever gets the task
};

/// @tparam Take whether the owner's fence is there @tparam Steal the thief's @tparam Push the release before bottom
template <bool Take = true, bool Steal = true, bool Push = true>
class chase_lev_deque {
  public:
    void push(task* item) {
        const long bottom = bottom_.load(memory_order::relaxed);
        at(bottom).store(item, memory_order::relaxed);
        if (Push) std::atomic_thread_fence(memory_order::release);
        bottom_.store(bottom + 1, memory_order::relaxed);
    }
    task* take() {
        const long bottom = bottom_.load(memory_order::relaxed) - 1;
        bottom_.store(bottom, memory_order::relaxed);
        if (Take) std::atomic_thread_fence(memory_order::seq_cst);
        long top = top_.load(memory_order::relaxed);
        task* item = nullptr;
        if (top <= bottom) {
            item = at(bottom).load(memory_order::relaxed);
            if (top < bottom) return item;
            if (!top_.compare_exchange_strong(top, top + 1, memory_order::seq_cst, memory_order::relaxed))
                item = nullptr; // a thief was faster
        }
        bottom_.store(bottom + 1, memory_order::relaxed);
        return item;
    }
    task* steal() {
        long top = top_.load(memory_order::acquire);
        if (Steal) std::atomic_thread_fence(memory_order::seq_cst);
        const long bottom = bottom_.load(memory_order::acquire);
        if (top >= bottom) return nullptr;
        task* const item = at(top).load(memory_order::relaxed);
        if (!top_.compare_exchange_strong(top, top + 1, memory_order::seq_cst, memory_order::relaxed))
            return nullptr;
        return item;
    }

  private:
    std::atomic<task*>& at(long place) { return items_[place % 2]; }

    std::atomic<long> top_{0}, bottom_{0};
    std::atomic<task*> items_[2]{};
};

/// Two tasks; two thieves, or one that tries twice. Each task is done once.
template <class Deque>
void every_task_is_done_once(bool two_thieves) {
    Deque deque;
    task tasks[2] = {{0}, {0}};
    std::atomic<int> done[2]{};
    const auto work = [&](task* item) {
        if (item != nullptr) done[item->number - 1].fetch_add(1, memory_order::relaxed);
    };
    std::thread thief([&] {
        work(deque.steal());
        if (!two_thieves) work(deque.steal());
    });
    std::thread second;
    if (two_thieves) second = std::thread([&] { work(deque.steal()); });
    for (int i = 0; i != 2; ++i) {
        tasks[i].number = i + 1;
        deque.push(&tasks[i]);
    }
    work(deque.take());
    work(deque.take());
    thief.join();
    if (two_thieves) second.join();
    VERIFY_THAT(done[0].load(memory_order::relaxed) == 1);
    VERIFY_THAT(done[1].load(memory_order::relaxed) == 1);
}

} // namespace

VERIFY("Chase and Lev's deque: a thief that tries twice", .models = {rc11, tso, sc}) {
    every_task_is_done_once<chase_lev_deque<>>(false);
}
VERIFY("Chase and Lev's deque: two thieves", .models = {rc11, tso, sc}) {
    every_task_is_done_once<chase_lev_deque<>>(true);
}
VERIFY("Chase and Lev's deque, mutant: no full fence in take", .models = {rc11, tso}, .expect = refuted) {
    every_task_is_done_once<chase_lev_deque<false>>(false);
}
VERIFY("Chase and Lev's deque, mutant: no full fence in steal", .expect = refuted) {
    every_task_is_done_once<chase_lev_deque<true, false>>(false);
}
VERIFY("Chase and Lev's deque, mutant: pushed without release", .expect = refuted) {
    every_task_is_done_once<chase_lev_deque<true, true, false>>(false);
}
