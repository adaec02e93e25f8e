// SPDX-License-Identifier: Apache-2.0
// Lifetimes of memory, and addresses that nothing is at.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <semaphore.h>

// What later versions of clang call where a range is copied or set.
extern "C" {
void* __tsan_memcpy(void* to, const void* from, std::size_t size);
void* __tsan_memmove(void* to, const void* from, std::size_t size);
void* __tsan_memset(void* to, int value, std::size_t size);
}

namespace programs {
namespace {

std::atomic<int*> shared;
std::atomic<int> done;

} // namespace

// Through a volatile pointer the compiler does not see what it would warn of.
void use_after_free() {
    int* volatile p = new int(1);
    delete p;
    together([&] { *static_cast<volatile int*>(p) = 2; });
}

void use_just_after_free() {
    int* volatile p = new int(1);
    delete p;
    *static_cast<volatile int*>(p) = 2;
}

void atomic_use_after_free() {
    std::atomic<int>* volatile p = new std::atomic<int>(1);
    together([&] { p->store(2); });
    delete p;
    together([&] { p->fetch_add(1); });
}

// No event of any thread stands between the first write, the end of the memory and the last write.
void atomic_use_just_after_free() {
    auto* p = new std::atomic<int>(1);
    auto* q = p;
    asm volatile("" : "+r"(q)); // no compiler knows now that it is the same
    delete p;
    q->store(2);
}

void freed_while_in_use() {
    int* volatile p = new int(1);
    std::thread other([q = p] { *q = 2; });
    delete p;
    other.join();
}

void double_free() {
    void* volatile p = std::malloc(8);
    std::free(p);
    std::free(p);
}

void freed_by_two() {
    auto* p = new int(1);
    together([p] { delete p; }, [p] { delete p; });
}

void null_read() {
    int* volatile nowhere = nullptr;
    static_cast<void>(*static_cast<volatile int*>(nowhere));
}

void null_atomic() {
    done.store(0);
    shared.store(nullptr);
    std::atomic<int>* volatile nowhere = nullptr;
    together([&] { nowhere->store(1); }, [] { done.store(1); });
}

void wild_atomic() {
    auto* volatile nowhere = reinterpret_cast<std::atomic<int>*>(0x123'4567'0000);
    together([&] { nowhere->fetch_add(1); }, [] { done.store(1); });
}

void null_mutex() {
    pthread_mutex_t* volatile nowhere = nullptr;
    pthread_mutex_lock(nowhere);
}

void allocated_elsewhere() {
    shared.store(nullptr);
    together([] { shared.store(static_cast<int*>(std::malloc(sizeof(int))), std::memory_order_relaxed); },
             [] {
                 if (int* p = shared.load(std::memory_order_relaxed)) *p = 1;
             });
    std::free(shared.load());
}

void allocated_and_handed_over() {
    shared.store(nullptr);
    together([] { shared.store(static_cast<int*>(std::malloc(sizeof(int))), std::memory_order_release); },
             [] {
                 if (int* p = shared.load(std::memory_order_acquire)) *p = 1;
             });
    std::free(shared.load());
}

void allocations_stay_in_place() {
    std::atomic<int*> box{nullptr};
    std::atomic<int> full{0};
    together(
        [&] {
            int* volatile p = new int(full.load());
            delete p;
        },
        [&] {
            box.store(new int(5));
            full.store(1);
        });
    VERIFY_THAT(*box == 5);
    delete box;
}

// After Craig, and Landin and Hagersten.
void queue_lock_of_allocated_nodes() {
    using waits = std::atomic<bool>;
    std::atomic<waits*> tail{new waits(false)};
    int count = 0;
    const auto work = [&] {
        waits* const mine = new waits(true);
        waits* const before = tail.exchange(mine, std::memory_order_acq_rel);
        if (before->load(std::memory_order_acquire))
            while (before->load(std::memory_order_acquire)) std::this_thread::yield();
        delete before;
        ++count;
        mine->store(false, std::memory_order_release);
    };
    together(work, work, work);
    VERIFY_THAT(count == 3);
    delete tail;
}

namespace {
struct node {
    int value;
    node* next;
};
std::atomic<node*> top;
/// Two threads push the node that they make, one pops.
template <class Make>
void use_stack(Make make) {
    top.store(nullptr);
    const auto push = [&](int value) {
        node* const mine = make(value);
        mine->next = top.load(std::memory_order_relaxed);
        while (!top.compare_exchange_weak(mine->next, mine, std::memory_order_release,
                                          std::memory_order_relaxed)) {
        }
    };
    together([&] { push(1); }, [&] { push(2); },
             [&] {
                 node* seen = top.load(std::memory_order_acquire);
                 while (seen && !top.compare_exchange_weak(seen, seen->next, std::memory_order_acquire,
                                                           std::memory_order_acquire)) {
                 }
             });
}
} // namespace

void stack_of_allocated_nodes() {
    use_stack([](int value) { return new node{value, nullptr}; });
}
void stack_of_static_nodes() {
    static node nodes[3];
    use_stack([](int value) {
        nodes[value].value = value;
        return &nodes[value];
    });
}

void aligned_memory() {
    void* p = nullptr;
    VERIFY_THAT(posix_memalign(&p, 64, 100) == 0 && reinterpret_cast<std::uintptr_t>(p) % 64 == 0);
    std::free(p);
    p = std::aligned_alloc(32, 64);
    VERIFY_THAT(reinterpret_cast<std::uintptr_t>(p) % 32 == 0);
    std::memset(p, 1, 64);
    std::free(p);
    struct alignas(128) wide {
        int value = 3;
    };
    const auto* w = new wide;
    VERIFY_THAT(reinterpret_cast<std::uintptr_t>(w) % 128 == 0 && w->value == 3);
    delete w;
}

void memset_races() {
    static char all[32];
    together([] { std::memset(all, 1, sizeof all); }, [] { all[17] = 2; });
}

void memcpy_reads_race() {
    static char all[32];
    together(
        [] {
            char copy[32];
            std::memcpy(copy, all, sizeof copy);
            VERIFY_THAT(copy[0] == copy[1]);
        },
        [] { all[17] = 2; });
}

void clang_sets_races() {
    static char all[32];
    together([] { VERIFY_THAT(__tsan_memset(all, 1, sizeof all) == all); }, [] { all[17] = 2; });
}

template <void* (*Copy)(void*, const void*, std::size_t)>
void copies_race() {
    static char all[32];
    together(
        [] {
            char copy[32];
            VERIFY_THAT(Copy(copy, all, sizeof copy) == copy && copy[0] == copy[1]);
        },
        [] { all[17] = 2; });
}
void clang_copies_race() { copies_race<__tsan_memcpy>(); }
void clang_moves_race() { copies_race<__tsan_memmove>(); }

void aborts() {
    done.store(0);
    together([] { done.store(1); },
             [] {
                 if (done.load() == 1) std::abort();
             });
}

void detached_threads_go_on() {
    done.store(0);
    std::thread([] { done.fetch_add(1); }).detach();
    std::thread([] { done.fetch_add(1); }).detach();
    while (done.load() != 2) std::this_thread::yield();
}

void threads_have_ids() {
    static std::thread::id ids[2];
    together([] { ids[0] = std::this_thread::get_id(); }, [] { ids[1] = std::this_thread::get_id(); });
    VERIFY_THAT(ids[0] != ids[1] && ids[0] != std::this_thread::get_id());
    VERIFY_THAT(pthread_equal(pthread_self(), pthread_self()));
}

namespace {
std::thread worker;

/// The compiler is not to know what becomes of its argument.
template <class T>
[[gnu::noinline]] T* hidden(T* p) {
    asm volatile("" : "+r"(p) : : "memory");
    return p;
}
[[gnu::noinline]] void leave_a_thread_behind() {
    std::atomic<int> local{0};
    std::atomic<int>* const known = hidden(&local);
    worker = std::thread([known] { known->store(1); });
}
[[gnu::noinline]] int sum_of(const int* from, int count) {
    int copy[16];
    for (int i = 0; i < count; ++i) hidden(copy)[i] = from[i];
    return count == 1 ? *hidden(copy) : sum_of(hidden(copy) + 1, count - 1) + *hidden(copy);
}
} // namespace

[[gnu::noinline]] static void put(volatile int* to, int value) { *to = value; }
[[gnu::noinline]] static void leave_a_volatile() {
    volatile int local[4];
    put(local, 1);
}
void volatile_local_is_written_last() {
    std::atomic<int> x{0};
    const auto each = [&] {
        leave_a_volatile();
        ++x;
        leave_a_volatile();
    };
    together(each, each);
    VERIFY_THAT(x == 2);
}

// The other thread writes to a local, and says that it is done: before it writes, or behind.
template <bool SaysSoBefore>
static void write_to_anothers_local() {
    std::atomic<int*> known{nullptr};
    together(
        [&] {
            int local = 0;
            known = &local;
            while (known != nullptr) std::this_thread::yield();
            if (!SaysSoBefore) VERIFY_THAT(local == 1);
        },
        [&] {
            int* p = nullptr;
            while ((p = known) == nullptr) std::this_thread::yield();
            if (SaysSoBefore) known = nullptr;
            *p = 1;
            if (!SaysSoBefore) known = nullptr;
        });
}
void locals_end_while_in_use() { write_to_anothers_local<true>(); }
void locals_end_when_others_are_done() { write_to_anothers_local<false>(); }

[[gnu::noinline]] static std::thread writes_to_a_local() {
    int local = 0;
    return std::thread([&local] { local = 1; });
}
void function_returns_while_its_local_is_in_use() { writes_to_a_local().join(); }

void atomic_use_after_return() {
    leave_a_thread_behind();
    worker.join();
}

void use_of_an_ended_threads_stack() {
    static std::atomic<int*> place;
    place.store(nullptr);
    together(
        [] {
            int local = 1;
            place.store(hidden(&local));
        },
        [] {
            if (int* const p = place.load()) *p = 2;
        });
}

void deep_stacks_in_use() {
    int numbers[16];
    for (int i = 0; i < 16; ++i) hidden(numbers)[i] = i;
    std::atomic<int> sum{0};
    together([&] { sum += sum_of(numbers, 16); }, [&] { sum += sum_of(numbers, 8); });
    VERIFY_THAT(sum == 120 + 28);
}

void barrier_not_initialised() {
    static pthread_barrier_t b;
    pthread_barrier_wait(&b);
}

void barrier_destroyed() {
    static pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 1);
    pthread_barrier_wait(&b);
    pthread_barrier_destroy(&b);
    pthread_barrier_wait(&b);
}

void barrier_initialised_twice() {
    static pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 1);
    pthread_barrier_init(&b, nullptr, 2);
}

} // namespace programs
