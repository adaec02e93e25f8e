// SPDX-License-Identifier: Apache-2.0
#pragma once
// Relacy's words of Win32: handles and what is waited for by them, critical sections, locks and condition variables.

#include "mutex.hpp"
#include "waitable.hpp"

#include <condition_variable>
#include <shared_mutex>

namespace rl {

using rl_HANDLE = win_object*;
using DWORD = unsigned long;

inline unsigned long rl_WaitForSingleObject(rl_HANDLE object, unsigned long milliseconds, debug_info = {}) {
    auto* const awaited = static_cast<win_waitable_object*>(object);
    return comes_in_time(milliseconds, [awaited] { return awaited->take(); }) ? rl_WAIT_OBJECT_0
                                                                              : rl_WAIT_TIMEOUT;
}
inline unsigned long rl_WaitForMultipleObjects(unsigned long count, rl_HANDLE* objects, int all,
                                               unsigned long milliseconds, debug_info = {}) {
    unsigned long which = 0;
    const bool came = comes_in_time(milliseconds, [&] {
        if (all) return take_all(count, objects);
        for (which = 0; which < count; ++which)
            if (static_cast<win_waitable_object*>(objects[which])->take()) return true;
        return false;
    });
    return came ? rl_WAIT_OBJECT_0 + (all ? 0 : which) : rl_WAIT_TIMEOUT;
}
inline unsigned long rl_SignalObjectAndWait(rl_HANDLE to_signal, rl_HANDLE to_wait,
                                            unsigned long milliseconds, int, debug_info = {}) {
    static_cast<win_waitable_object*>(to_signal)->signal();
    return rl_WaitForSingleObject(to_wait, milliseconds);
}
inline int rl_CloseHandle(rl_HANDLE object, debug_info = {}) {
    object->close();
    return 1;
}
inline int rl_SwitchToThread(debug_info = {}) {
    ringproof::verify::pause();
    return 1;
}

inline rl_HANDLE rl_CreateSemaphore(const void*, long initial, long most, const void*, debug_info = {}) {
    return new counting_semaphore(static_cast<unsigned>(initial), static_cast<unsigned>(most));
}
inline int rl_ReleaseSemaphore(rl_HANDLE semaphore, long count, long* before, debug_info = {}) {
    unsigned had = 0;
    const bool posted = static_cast<counting_semaphore*>(semaphore)->post(static_cast<unsigned>(count), had);
    if (before) *before = static_cast<long>(had);
    return posted;
}
inline rl_HANDLE rl_CreateEvent(const void*, int manual_reset, int set, const void*, debug_info = {}) {
    return new event_object(manual_reset != 0, set != 0);
}
inline int rl_SetEvent(rl_HANDLE event, debug_info = {}) {
    return static_cast<event_object*>(event)->signal();
}
inline int rl_ResetEvent(rl_HANDLE event, debug_info = {}) {
    static_cast<event_object*>(event)->reset();
    return 1;
}
inline rl_HANDLE rl_CreateMutex(const void*, int owned, const void*, debug_info = {}) {
    return new mutex_object(owned != 0);
}
inline int rl_ReleaseMutex(rl_HANDLE mutex, debug_info = {}) {
    return static_cast<mutex_object*>(mutex)->signal();
}
template <class Result>
rl_HANDLE rl_CreateThread(const void*, unsigned, Result (*function)(void*), void* argument, unsigned long,
                          void*, debug_info = {}) {
    thread_object& thread = thread_object::next();
    thread.start(function, argument);
    return &thread;
}

/// As Windows documents it, a thread that waits may miss it.
inline int rl_PulseEvent(rl_HANDLE event, debug_info = {}) {
    rl_SetEvent(event);
    return rl_ResetEvent(event);
}
template <class Always = void>
unsigned long rl_SuspendThread(rl_HANDLE, debug_info = {}) {
    static_assert(!std::is_void_v<Always>,
                  "SuspendThread and ResumeThread are not supported: the checker stops no "
                  "thread from outside. Let the thread wait for an event");
    return 0;
}

/// A critical section, a slim lock and a condition variable lie uninitialised until they are asked not to.
template <class Of>
class on_demand {
  public:
    on_demand() = default;
    on_demand(const on_demand&) = delete;
    on_demand& operator=(const on_demand&) = delete;
    ~on_demand() { remove(); }
    void make() {
        RL_ASSERT(!of_);
        of_ = new Of;
    }
    void remove() {
        delete of_;
        of_ = nullptr;
    }
    Of& get() {
        if (!of_) ringproof::verify::fail("it is initialised before it is used", __FILE__, __LINE__);
        return *of_;
    }
    void lock() { get().lock(); }
    void unlock() { get().unlock(); }

  private:
    Of* of_ = nullptr;
};

using rl_CRITICAL_SECTION = on_demand<ringproof_recursive_mutex>;
using rl_SRWLOCK = on_demand<std::shared_mutex>;
using rl_CONDITION_VARIABLE = on_demand<std::condition_variable_any>;
inline constexpr unsigned long rl_CONDITION_VARIABLE_LOCKMODE_SHARED = 1;

/// A slim lock that is held for reading.
struct shared_side {
    std::shared_mutex& lock_;
    void lock() { lock_.lock_shared(); }
    void unlock() { lock_.unlock_shared(); }
};

inline int rl_SleepConditionVariableCS(rl_CONDITION_VARIABLE* variable, rl_CRITICAL_SECTION* section,
                                       unsigned long milliseconds, debug_info = {}) {
    if (milliseconds != rl_INFINITE && __VERIFIER_nondet_bool()) return 0;
    variable->get().wait(*section);
    return 1;
}
inline int rl_SleepConditionVariableSRW(rl_CONDITION_VARIABLE* variable, rl_SRWLOCK* lock,
                                        unsigned long milliseconds, unsigned long flags, debug_info = {}) {
    if (milliseconds != rl_INFINITE && __VERIFIER_nondet_bool()) return 0;
    shared_side shared{lock->get()};
    if (flags & rl_CONDITION_VARIABLE_LOCKMODE_SHARED)
        variable->get().wait(shared);
    else
        variable->get().wait(*lock);
    return 1;
}
inline int rl_TryEnterCriticalSection(rl_CRITICAL_SECTION* section, debug_info = {}) {
    return section->get().try_lock();
}

} // namespace rl

#define HANDLE ::rl::rl_HANDLE
#define INFINITE ::rl::rl_INFINITE
#define WAIT_FAILED ::rl::rl_WAIT_FAILED
#define WAIT_OBJECT_0 ::rl::rl_WAIT_OBJECT_0
#define WAIT_TIMEOUT ::rl::rl_WAIT_TIMEOUT
#define WAIT_IO_COMPLETION ::rl::rl_WAIT_IO_COMPLETION
#define MAXIMUM_WAIT_OBJECTS ::rl::rl_MAXIMUM_WAIT_OBJECTS
#define SwitchToThread() ::rl::rl_SwitchToThread()
#define Sleep(milliseconds) ((void)(milliseconds), (void)::rl::rl_SwitchToThread())
#define CloseHandle(object) ::rl::rl_CloseHandle(object)
#define WaitForSingleObject(object, time) ::rl::rl_WaitForSingleObject(object, time)
#define WaitForSingleObjectEx(object, time, alertable) ::rl::rl_WaitForSingleObject(object, time)
#define WaitForMultipleObjects(count, objects, all, time)                                                    \
    ::rl::rl_WaitForMultipleObjects(count, objects, all, time)
#define WaitForMultipleObjectsEx(count, objects, all, time, alertable)                                       \
    ::rl::rl_WaitForMultipleObjects(count, objects, all, time)
#define SignalObjectAndWait(to_signal, to_wait, time, alertable)                                             \
    ::rl::rl_SignalObjectAndWait(to_signal, to_wait, time, alertable)
#define CreateSemaphore(security, initial, most, name) ::rl::rl_CreateSemaphore(security, initial, most, name)
#define CreateSemaphoreA CreateSemaphore
#define CreateSemaphoreW CreateSemaphore
#define ReleaseSemaphore(semaphore, count, before) ::rl::rl_ReleaseSemaphore(semaphore, count, before)
#define CreateEvent(security, manual_reset, set, name) ::rl::rl_CreateEvent(security, manual_reset, set, name)
#define CreateEventA CreateEvent
#define CreateEventW CreateEvent
#define SetEvent(event) ::rl::rl_SetEvent(event)
#define ResetEvent(event) ::rl::rl_ResetEvent(event)
#define PulseEvent(event) ::rl::rl_PulseEvent(event)
#define CreateMutex(security, owned, name) ::rl::rl_CreateMutex(security, owned, name)
#define CreateMutexA CreateMutex
#define CreateMutexW CreateMutex
#define ReleaseMutex(mutex) ::rl::rl_ReleaseMutex(mutex)
#define CreateThread(security, stack, function, argument, flags, id)                                         \
    ::rl::rl_CreateThread(security, stack, function, argument, flags, id)
#define _beginthreadex(security, stack, function, argument, flags, id)                                       \
    ((std::uintptr_t)::rl::rl_CreateThread(security, stack, function, argument, flags, id))
#define SetThreadAffinityMask(thread, mask) ((void)(thread), (void)(mask))
#define SuspendThread(thread) ::rl::rl_SuspendThread<>(thread)
#define ResumeThread(thread) ::rl::rl_SuspendThread<>(thread)
#define FlushProcessWriteBuffers() ::rl::systemwide_fence<>()

#define CRITICAL_SECTION ::rl::rl_CRITICAL_SECTION
#define InitializeCriticalSection(section) ((section)->make())
#define InitializeCriticalSectionAndSpinCount(section, spins) ((void)(spins), (section)->make(), 1)
#define InitializeCriticalSectionEx(section, spins, flags)                                                   \
    ((void)(spins), (void)(flags), (section)->make(), 1)
#define DeleteCriticalSection(section) ((section)->remove())
#define EnterCriticalSection(section) ((section)->lock())
#define TryEnterCriticalSection(section) ::rl::rl_TryEnterCriticalSection(section)
#define LeaveCriticalSection(section) ((section)->unlock())

#define SRWLOCK ::rl::rl_SRWLOCK
#define InitializeSRWLock(slim) ((slim)->make())
#define DeleteSRWLock(slim) ((slim)->remove())
#define AcquireSRWLockExclusive(slim) ((slim)->get().lock())
#define AcquireSRWLockShared(slim) ((slim)->get().lock_shared())
#define ReleaseSRWLockExclusive(slim) ((slim)->get().unlock())
#define ReleaseSRWLockShared(slim) ((slim)->get().unlock_shared())

#define CONDITION_VARIABLE ::rl::rl_CONDITION_VARIABLE
#define CONDITION_VARIABLE_LOCKMODE_SHARED ::rl::rl_CONDITION_VARIABLE_LOCKMODE_SHARED
#define InitializeConditionVariable(variable) ((variable)->make())
#define DeleteConditionVariable(variable) ((variable)->remove())
#define SleepConditionVariableCS(variable, section, time)                                                    \
    ::rl::rl_SleepConditionVariableCS(variable, section, time)
#define SleepConditionVariableSRW(variable, lock, time, flags)                                               \
    ::rl::rl_SleepConditionVariableSRW(variable, lock, time, flags)
#define WakeConditionVariable(variable) ((variable)->get().notify_one())
#define WakeAllConditionVariable(variable) ((variable)->get().notify_all())
