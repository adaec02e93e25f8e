// SPDX-License-Identifier: Apache-2.0
// Each word of Relacy's in a suite of its own; most have a twin that declares the error that it is to end in.
#include <relacy/relacy.hpp>

using namespace rl;

struct reads_before_a_write : test_suite<reads_before_a_write, 1, test_result_unitialized_access> {
    var<int> nothing;
    void thread(unsigned) { nothing($).load(); }
};

struct races_with_an_unused_read : test_suite<races_with_an_unused_read, 2, test_result_data_race> {
    var<int> data;
    void before() { data($) = 0; }
    void thread(unsigned index) {
        if (index)
            data($).load();
        else
            data($).store(1);
    }
};

struct forgets_memory : test_suite<forgets_memory, 1, test_result_memory_leak> {
    void thread(unsigned) {
        VAR_T(int)* kept = RL_NEW VAR_T(int)(1);
        RL_ASSERT((*kept)($) == 1);
    }
};

struct uses_freed_memory : test_suite<uses_freed_memory, 2, test_result_access_to_freed_memory> {
    rl::atomic<int*> shared;
    void before() { shared($) = RL_NEW int(7); }
    void thread(unsigned index) {
        int* const seen = shared($).load();
        if (index)
            RL_DELETE(seen);
        else
            RL_ASSERT(*seen == 7);
    }
};

template <class Suite, test_result_e Result>
struct two_mutexes : test_suite<Suite, 2, Result> {
    rl::mutex first, second;
    var<int> data;
    void before() { data($) = 0; }
    void both(rl::mutex& one, rl::mutex& other) {
        one.lock($);
        other.lock($);
        data($) += 1;
        other.unlock($);
        one.unlock($);
    }
};
struct locks_in_one_order : two_mutexes<locks_in_one_order, test_result_success> {
    void thread(unsigned) { both(first, second); }
    void after() { RL_ASSERT(data($) == 2); }
};
struct locks_in_two_orders : two_mutexes<locks_in_two_orders, test_result_deadlock> {
    void thread(unsigned index) { index ? both(first, second) : both(second, first); }
};

struct waits_for_a_condition : test_suite<waits_for_a_condition, 2> {
    rl::mutex guard;
    rl::condition_variable changed;
    var<bool> ready;
    void before() { ready($) = false; }
    void thread(unsigned index) {
        rl::unique_lock<rl::mutex> lock(guard, $);
        if (index) {
            ready($) = true;
            changed.notify_one($);
        } else {
            while (!ready($)) changed.wait(lock, $);
        }
    }
};

struct waits_unguarded : test_suite<waits_unguarded, 2, test_result_deadlock> {
    rl::mutex guard;
    rl::condition_variable changed;
    void thread(unsigned index) {
        guard.lock($);
        if (index)
            changed.notify_one($);
        else
            changed.wait(guard, $);
        guard.unlock($);
    }
};

struct hands_over_by_semaphore : test_suite<hands_over_by_semaphore, 2> {
    HANDLE filled;
    var<int> data;
    void before() { filled = CreateSemaphore(0, 0, 1, 0); }
    void after() { CloseHandle(filled); }
    void thread(unsigned index) {
        if (index) {
            data($) = 5;
            ReleaseSemaphore(filled, 1, 0);
        } else {
            RL_ASSERT(WaitForSingleObject(filled, INFINITE) == WAIT_OBJECT_0);
            RL_ASSERT(data($) == 5);
        }
    }
};

struct waits_for_both_events : test_suite<waits_for_both_events, 3> {
    HANDLE events[2];
    var<int> data[2];
    void before() {
        for (HANDLE& event : events) event = CreateEvent(0, 0, 0, 0);
    }
    void after() {
        for (HANDLE event : events) CloseHandle(event);
    }
    void thread(unsigned index) {
        if (index < 2) {
            data[index]($) = 1;
            SetEvent(events[index]);
        } else {
            WaitForMultipleObjects(2, events, 1, INFINITE);
            RL_ASSERT(data[0]($) + data[1]($) == 2);
        }
    }
};

struct takes_one_for_both : test_suite<takes_one_for_both, 3, test_result_data_race> {
    HANDLE events[2];
    var<int> data[2];
    void before() {
        for (HANDLE& event : events) event = CreateEvent(0, 1, 0, 0);
    }
    void after() {
        for (HANDLE event : events) CloseHandle(event);
    }
    void thread(unsigned index) {
        if (index < 2) {
            data[index]($) = 1;
            SetEvent(events[index]);
        } else {
            WaitForMultipleObjects(2, events, 0, INFINITE);
            data[0]($).load();
            data[1]($).load();
        }
    }
};

struct guards_by_critical_section : test_suite<guards_by_critical_section, 2> {
    CRITICAL_SECTION section;
    SRWLOCK slim;
    var<int> data;
    void before() {
        InitializeCriticalSection(&section);
        InitializeSRWLock(&slim);
        data($) = 0;
    }
    void after() { DeleteCriticalSection(&section); }
    void thread(unsigned) {
        EnterCriticalSection(&section);
        EnterCriticalSection(&section); // it is recursive
        data($) += 1;
        LeaveCriticalSection(&section);
        LeaveCriticalSection(&section);
        AcquireSRWLockShared(&slim);
        ReleaseSRWLockShared(&slim);
    }
};

struct keeps_its_own : test_suite<keeps_its_own, 2> {
    TLS_T(unsigned) own;
    unsigned long slot;
    void before() { slot = TlsAlloc(); }
    void after() { TlsFree(slot); }
    void thread(unsigned index) {
        RL_ASSERT(VAR(own) == 0 && !TlsGetValue(slot));
        VAR(own) = index + 1;
        TlsSetValue(slot, &slot);
        RL_ASSERT(VAR(own) == thread_index() + 1 && TlsGetValue(slot) == &slot);
    }
};

struct creates_threads : test_suite<creates_threads, 1> {
    static const unsigned dynamic_thread_count = 2;
    var<int> data[2];
    static void* write(void* data) {
        VAR((*static_cast<var<int>*>(data))) = 1;
        return nullptr;
    }
    static unsigned long RL_STDCALL write_on_windows(void* data) { return write(data), 0ul; }
    void thread(unsigned) {
        dyn_thread posix;
        posix.start(&write, &data[0]);
        HANDLE windows = CreateThread(0, 0, &write_on_windows, &data[1], 0, 0);
        posix.join();
        WaitForSingleObject(windows, INFINITE);
        RL_ASSERT(VAR(data[0]) + VAR(data[1]) == 2);
    }
};

struct meets_each_number : test_suite<meets_each_number, 1, test_result_until_condition_hit> {
    void thread(unsigned) { RL_UNTIL(rl::rand(4) == 3); }
};

struct fails_old_values : test_suite<fails_old_values, 2, test_result_user_assert_failed> {
    rl::atomic<int> x, y;
    void thread(unsigned index) {
        if (index) {
            x($).store(1, mo_relaxed);
            y($).store(1, mo_relaxed);
        } else if (y($).load(mo_relaxed)) {
            int expected = 5; // a compare-exchange that fails may see an old value
            RL_ASSERT(!x.compare_exchange_strong(expected, 6, mo_relaxed, mo_relaxed, $) && expected == 1);
        }
    }
};

template <class Suite, test_result_e Result>
struct futex_wait : test_suite<Suite, 2, Result> {
    rl::atomic<int> state;
    void before() { state($) = 0; }
    int wait() { return futex(&state, FUTEX_WAIT, 0, 0, 0, 0); }
    void set() {
        state.store(1, mo_release);
        futex(&state, FUTEX_WAKE, 1, 0, 0, 0);
    }
};
struct is_interrupted : futex_wait<is_interrupted, test_result_until_condition_hit> {
    void thread(unsigned index) {
        if (index)
            set();
        else
            RL_UNTIL(wait() == EINTR);
    }
};
struct takes_an_interrupt_for_a_wake_up
    : futex_wait<takes_an_interrupt_for_a_wake_up, test_result_user_assert_failed> {
    void thread(unsigned index) {
        if (index) return set();
        const int result = wait();
        RL_ASSERT(result == 0 || result == EWOULDBLOCK);
    }
};
struct looks_again_when_interrupted : futex_wait<looks_again_when_interrupted, test_result_success> {
    void thread(unsigned index) {
        if (index) return set();
        while (state.load(mo_acquire) == 0) wait();
    }
};

template <class Suite, test_result_e Result, bool Yields>
struct waits_for_a_flag : test_suite<Suite, 2, Result> {
    rl::atomic<int> flag;
    void before() { flag($) = 0; }
    void thread(unsigned index) {
        if (index) {
            flag.store(1, mo_release);
        } else {
            while (!flag.load(mo_acquire))
                if (Yields) rl::yield(1, $);
        }
    }
};
struct yields_for_ever : waits_for_a_flag<yields_for_ever, test_result_success, true> {};
struct never_yields : waits_for_a_flag<never_yields, test_result_livelock, false> {};
struct never_yields_later : waits_for_a_flag<never_yields_later, test_result_livelock, false> {};
struct never_yields_at_random : waits_for_a_flag<never_yields_at_random, test_result_success, false> {};

template <class Suite>
void simulate_by(scheduler_type_e scheduler) {
    test_params bounds;
    bounds.search_type = scheduler;
    simulate<Suite>(bounds);
}

int main() {
    simulate<is_interrupted>();
    simulate<takes_an_interrupt_for_a_wake_up>();
    simulate<looks_again_when_interrupted>();
    simulate_by<yields_for_ever>(sched_full);
    simulate_by<never_yields>(sched_bound);
    simulate_by<never_yields_later>(sched_random);
    simulate_by<never_yields_later>(sched_full);
    simulate_by<never_yields_at_random>(sched_random);
    simulate<reads_before_a_write>();
    simulate<races_with_an_unused_read>();
    simulate<forgets_memory>();
    simulate<uses_freed_memory>();
    simulate<locks_in_one_order>();
    simulate<locks_in_two_orders>();
    simulate<waits_for_a_condition>();
    simulate<waits_unguarded>();
    simulate<hands_over_by_semaphore>();
    simulate<waits_for_both_events>();
    simulate<takes_one_for_both>();
    simulate<guards_by_critical_section>();
    simulate<keeps_its_own>();
    simulate<creates_threads>();
    simulate<meets_each_number>();
    simulate<fails_old_values>();
}
