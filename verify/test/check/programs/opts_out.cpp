// SPDX-License-Identifier: Apache-2.0
// A library that hides from the thread sanitizer what the sanitizer does not understand, as libraries do.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

#ifdef __SANITIZE_THREAD__
#define HIDDEN __attribute__((no_sanitize("thread"), noinline))
#else
#define HIDDEN __attribute__((noinline))
#endif

extern "C" void AnnotateHappensBefore(const char* file, int line, const volatile void* address);

int data;
std::atomic<bool> ready{false};

HIDDEN void publish() {
    std::atomic_thread_fence(ORDER);
    AnnotateHappensBefore(__FILE__, __LINE__, &ready);
    ready.store(true, std::memory_order_relaxed);
}
HIDDEN bool published() {
    if (!ready.load(std::memory_order_relaxed)) return false;
    std::atomic_thread_fence(std::memory_order_acquire);
    return true;
}

int main() {
    std::thread writer([] {
        data = 42;
        publish();
    });
    if (published()) assert(data == 42);
    writer.join();
}
