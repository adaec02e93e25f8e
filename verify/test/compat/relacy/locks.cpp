// SPDX-License-Identifier: Apache-2.0
// A ticket lock and a two-thread lock in Relacy's words, each with a broken twin.
#include <relacy/relacy_std.hpp>

template <std::memory_order Release>
class ticket_lock {
  public:
    void lock() {
        const unsigned own = next_($).fetch_add(1, std::memory_order_relaxed);
        rl::backoff pause;
        while (served_.load(std::memory_order_acquire, $) != own) pause.yield($);
    }
    void unlock() { served_($).store(served_($).load(std::memory_order_relaxed) + 1, Release); }

  private:
    std::atomic<unsigned> next_{0}, served_{0};
};

template <class Suite, std::memory_order Release, rl::test_result_e Result>
struct counts : rl::test_suite<Suite, 3, Result> {
    ticket_lock<Release> lock;
    VAR_T(int) count;

    void before() { VAR(count) = 0; }
    void thread(unsigned) {
        lock.lock();
        VAR(count) += 1;
        lock.unlock();
    }
    void after() { RL_ASSERT(VAR(count) == 3); }
};

struct ticket_lock_counts : counts<ticket_lock_counts, rl::memory_order_release, rl::test_result_success> {};
struct relaxed_ticket_lock
    : counts<relaxed_ticket_lock, rl::memory_order_relaxed, rl::test_result_data_race> {};

/// Peterson's: each says that it wants to, gives way, and waits while the other wants to and was not given way.
template <class Suite, rl::test_result_e Result>
struct petersons : rl::test_suite<Suite, 2, Result> {
    std::atomic<int> wants[2];
    std::atomic<unsigned> turn;
    rl::var<unsigned> inside;

    void before() {
        wants[0]($) = 0;
        wants[1]($) = 0;
        turn($) = 0;
    }
    void enter(unsigned own, rl::memory_order announce, rl::memory_order look) {
        wants[own].store(1, announce, $);
        turn.store(1 - own, announce, $);
        while (wants[1 - own].load(look, $) && turn.load(look, $) == 1 - own) rl::yield(1, $);
        inside($) = own;
        RL_ASSERT(inside($) == own);
        wants[own].store(0, rl::mo_release, $);
    }
};

struct petersons_lock : petersons<petersons_lock, rl::test_result_success> {
    void thread(unsigned own) { enter(own, rl::mo_seq_cst, rl::mo_seq_cst); }
};
/// A store may be delayed past the look at what the other wants.
struct petersons_lock_without_seq_cst : petersons<petersons_lock_without_seq_cst, rl::test_result_data_race> {
    void thread(unsigned own) { enter(own, rl::mo_release, rl::mo_acquire); }
};

int main() {
    rl::test_params bounds;
    bounds.search_type = rl::sched_bound;
    bounds.iteration_count = 100000;
    rl::simulate_f suites[] = {&rl::simulate<ticket_lock_counts>, &rl::simulate<relaxed_ticket_lock>,
                               &rl::simulate<petersons_lock>, &rl::simulate<petersons_lock_without_seq_cst>};
    for (const rl::simulate_f suite : suites)
        if (!suite(bounds)) return 1;
    return rl::simulate<petersons_lock>() ? 0 : 1; // the same again, with other bounds
}
