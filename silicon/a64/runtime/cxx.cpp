// SPDX-License-Identifier: Apache-2.0
// Of the C++ library what is not in its headers: threads, memory, static objects of functions; and ends for exceptions.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <pthread.h>
#include <system_error>
#include <thread>

extern "C" [[noreturn]] void __assert_fail(const char*, const char*, unsigned, const char*);

namespace {
[[noreturn]] void not_here(const char* what) { __assert_fail(what, "the program", 0, ""); }
} // namespace

void* operator new(std::size_t bytes) { return std::malloc(bytes); }
void* operator new[](std::size_t bytes) { return std::malloc(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto a = static_cast<std::size_t>(alignment);
    const auto got = reinterpret_cast<std::size_t>(std::malloc(bytes + a));
    return reinterpret_cast<void*>((got + a - 1) / a * a);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return operator new(bytes, alignment); }
void operator delete(void*) noexcept {}
void operator delete[](void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
void operator delete[](void*, std::size_t) noexcept {}
void operator delete(void*, std::align_val_t) noexcept {}
void operator delete(void*, std::size_t, std::align_val_t) noexcept {}
void operator delete[](void*, std::align_val_t) noexcept {}
void operator delete[](void*, std::size_t, std::align_val_t) noexcept {}

namespace std {
thread::_State::~_State() = default;

static void* run_state(void* state) {
    static_cast<thread::_State*>(state)->_M_run();
    return nullptr;
}
void thread::_M_start_thread(_State_ptr state, void (*)()) {
    pthread_create(&_M_id._M_thread, nullptr, run_state, state.release());
}
void thread::join() {
    if (!joinable()) not_here("join() of a thread that is not joinable");
    pthread_join(_M_id._M_thread, nullptr);
    _M_id = id();
}
void thread::detach() { _M_id = id(); }
unsigned thread::hardware_concurrency() noexcept { return 2; }

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;
void condition_variable::wait(unique_lock<mutex>& held) {
    pthread_cond_wait(native_handle(), held.mutex()->native_handle());
}
void condition_variable::notify_one() noexcept { pthread_cond_signal(native_handle()); }
void condition_variable::notify_all() noexcept { pthread_cond_broadcast(native_handle()); }

namespace chrono {
inline namespace _V2 {
steady_clock::time_point steady_clock::now() noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return time_point(seconds(t.tv_sec) + nanoseconds(t.tv_nsec));
}
system_clock::time_point system_clock::now() noexcept {
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return time_point(seconds(t.tv_sec) + nanoseconds(t.tv_nsec));
}
} // namespace _V2
} // namespace chrono

void terminate() noexcept { not_here("std::terminate()"); }
void __throw_system_error(int) { not_here("std::system_error"); }
void __throw_bad_alloc() { not_here("std::bad_alloc"); }
void __throw_bad_array_new_length() { not_here("std::bad_array_new_length"); }
void __throw_length_error(const char* what) { not_here(what); }
void __throw_logic_error(const char* what) { not_here(what); }
void __throw_out_of_range_fmt(const char* what, ...) { not_here(what); }
void __throw_bad_function_call() { not_here("std::bad_function_call"); }
} // namespace std

extern "C" {
void* __dso_handle = nullptr;
int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
void __cxa_pure_virtual() { not_here("a pure virtual function is called"); }
void* __gxx_personality_v0 = nullptr;
void _Unwind_Resume() { not_here("an exception"); }
void __cxa_throw() { not_here("an exception is thrown"); }
void __cxa_rethrow() { not_here("an exception is thrown"); }
void* __cxa_allocate_exception(std::size_t) { not_here("an exception is thrown"); }
void __cxa_free_exception(void*) {}
void* __cxa_begin_catch(void*) { not_here("an exception is caught"); }
void __cxa_end_catch() {}

// The first byte says that the object is there; the word behind it is a lock.
int __cxa_guard_acquire(unsigned char* guard) {
    pthread_mutex_lock(reinterpret_cast<pthread_mutex_t*>(guard + 4));
    if (*guard == 0) return 1;
    pthread_mutex_unlock(reinterpret_cast<pthread_mutex_t*>(guard + 4));
    return 0;
}
void __cxa_guard_release(unsigned char* guard) {
    __atomic_store_n(guard, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(reinterpret_cast<pthread_mutex_t*>(guard + 4));
}
void __cxa_guard_abort(unsigned char* guard) {
    pthread_mutex_unlock(reinterpret_cast<pthread_mutex_t*>(guard + 4));
}
}
