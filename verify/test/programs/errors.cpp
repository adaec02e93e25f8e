// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <string>
#include <ucontext.h>
#include <vector>

namespace programs {

void uninitialised_new() {
    std::unique_ptr<int> p(new int);
    if (*p == 3) ringproof::verify::cover("three");
}

namespace {
__attribute__((noinline)) long sum(const long* p) { return p[0] + p[1]; }
} // namespace

void uninitialised_malloc() {
    auto* p = static_cast<long*>(std::malloc(4 * sizeof(long)));
    p[0] = 1;
    if (sum(p) == 3) ringproof::verify::cover("three");
    std::free(p);
}

void initialised_heap() {
    auto* a = static_cast<int*>(std::calloc(4, sizeof(int)));
    VERIFY_THAT(a[3] == 0);
    a = static_cast<int*>(std::realloc(a, 8 * sizeof(int)));
    VERIFY_THAT(a[3] == 0);
    std::memset(a, 0xcb, 8 * sizeof(int));
    VERIFY_THAT(a[7] == static_cast<int>(0xcbcbcbcb)); // as fresh memory holds, but written
    std::free(a);
    const std::vector<std::string> words(3, "longer than what fits into the object");
    VERIFY_THAT(words[2][5] == 'r');
    const auto made = std::make_unique<std::atomic<int>>(4);
    VERIFY_THAT(made->load() == 4);
}

namespace {
std::atomic<int>* forgotten;
}

void leaks() {
    forgotten = new std::atomic<int>(1);
    forgotten->store(2);
}

void frees_all() {
    std::vector<std::unique_ptr<int>> all;
    for (int i = 0; i < 4; ++i) all.push_back(std::make_unique<int>(i));
    together([&] { all[1].reset(); }, [&] { all[2].reset(); });
}

void cancels() {
    std::thread t([] {});
    pthread_cancel(t.native_handle());
    t.join();
}

namespace {

std::atomic<int> seen_in_context;
ucontext_t caller, task;

void store_and_leave() {
    seen_in_context.store(1);
    swapcontext(&task, &caller);
}

} // namespace

void on_another_stack() {
    static char stack[1 << 15];
    std::thread t([] { seen_in_context.store(2); });
    getcontext(&task);
    task.uc_stack.ss_sp = stack;
    task.uc_stack.ss_size = sizeof stack;
    makecontext(&task, store_and_leave, 0);
    swapcontext(&caller, &task);
    t.join();
    VERIFY_THAT(seen_in_context.load() != 0); // otherwise clang leaves the stores out
}

namespace {
void volatile_message(bool fence) {
    static volatile int flag;
    static int data;
    flag = 0;
    data = 0;
    together(
        [fence] {
            data = 1;
            if (fence) std::atomic_thread_fence(std::memory_order_release);
            flag = 1;
        },
        [fence] {
            while (flag == 0) std::this_thread::yield();
            if (fence) std::atomic_thread_fence(std::memory_order_acquire);
            VERIFY_THAT(data == 1);
        });
}
} // namespace

void volatile_flag_with_fences() { volatile_message(true); }
void volatile_flag_alone() { volatile_message(false); }

void volatile_store_buffering() {
    volatile int x = 0, y = 0;
    int a = 2, b = 2;
    together([&] { x = 1, a = y; }, [&] { y = 1, b = x; });
    ringproof::verify::cover(("a" + std::to_string(a) + "b" + std::to_string(b)).c_str());
}

void volatile_counter_loses() {
    volatile int count = 0;
    const auto add = [&] { count = count + 1; };
    together(add, add);
    VERIFY_THAT(count == 2);
}

} // namespace programs
