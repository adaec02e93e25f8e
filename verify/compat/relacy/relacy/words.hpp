// SPDX-License-Identifier: Apache-2.0
#pragma once
// The words of Relacy's test programs that belong to no class: `$`, orders, assertions, choices, memory, yields.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <pthread.h>
#include <sched.h>
#include <sstream>
#include <string>
#include <type_traits>

extern "C" {
bool __VERIFIER_nondet_bool(void);
// <cassert> declares it only where assert() is not left out.
void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept
    __attribute__((__noreturn__));
}

/// How Windows calls a thread's function.
#define RL_STDCALL
// Each call stands where the user wrote it: a counterexample then shows that line, and an order is a constant there.
#define RINGPROOF_RELACY_INLINE __attribute__((always_inline))

/// An access's source position. The checker knows it anyway, so this holds nothing.
#define RL_INFO ::rl::debug_info()
#define $ RL_INFO

namespace rl {

struct debug_info {
    constexpr debug_info(const char* = "", const char* = "", unsigned = 0) noexcept {}
};
using debug_info_param = debug_info;

using thread_id_t = int;
using iteration_t = std::uint64_t;
using string = std::string;
using ostringstream = std::ostringstream;
using istringstream = std::istringstream;

using memory_order = std::memory_order;
inline constexpr memory_order mo_relaxed = std::memory_order_relaxed, mo_consume = std::memory_order_consume,
                              mo_acquire = std::memory_order_acquire, mo_release = std::memory_order_release,
                              mo_acq_rel = std::memory_order_acq_rel, mo_seq_cst = std::memory_order_seq_cst;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

/// The order that an access has. RL_FORCE_SEQ_CST gives all of them the strongest.
constexpr memory_order asked(memory_order order) noexcept {
#ifdef RL_FORCE_SEQ_CST
    return order = mo_seq_cst;
#else
    return order;
#endif
}

RINGPROOF_RELACY_INLINE inline void atomic_thread_fence(memory_order order, debug_info = {}) noexcept {
    std::atomic_thread_fence(order);
}
RINGPROOF_RELACY_INLINE inline void atomic_signal_fence(memory_order order, debug_info = {}) noexcept {
    std::atomic_signal_fence(order);
}

/// Marks a round of a loop that waits.
RINGPROOF_RELACY_INLINE inline void yield(unsigned = 1, debug_info = {}) { ringproof::verify::pause(); }

template <unsigned, unsigned>
struct backoff_t {
    RINGPROOF_RELACY_INLINE void yield(debug_info = {}) { ringproof::verify::pause(); }
};
using backoff = backoff_t<1, 0>;
using linear_backoff = backoff_t<1, 1>;
using exp_backoff = backoff_t<2, 0>;

/// A number below `limit`; each is explored.
inline unsigned rand(unsigned limit) {
    unsigned chosen = 0;
    while (chosen + 1 < limit && __VERIFIER_nondet_bool()) ++chosen;
    return chosen;
}

/// Which of the suite's threads this is.
inline unsigned& own_index() noexcept {
    static thread_local unsigned index = 0;
    return index;
}
inline unsigned thread_index() noexcept { return own_index(); }

/// Equal pointers have equal hashes. Others differ here by their addresses, which are the same in each execution.
inline std::size_t hash_ptr(const void* pointer, std::size_t size) {
    return reinterpret_cast<std::uintptr_t>(pointer) / alignof(std::max_align_t) % size;
}

/// Stands for the object whose functions are called by the names of Relacy's own parts.
struct context {};
inline context ctx() noexcept { return {}; }

template <class Always = void>
void systemwide_fence(debug_info = {}) {
    static_assert(
        !std::is_void_v<Always>,
        "rl::systemwide_fence (FlushProcessWriteBuffers) is not supported: C++ has no fence that one thread "
        "executes for all, and lets a compiler move relaxed accesses over the place where it would be. Put a "
        "seq_cst fence into each thread that it is to reach");
}

/// As Relacy's, but for how a failure shows: as a counterexample.
inline void* rl_malloc(std::size_t size, debug_info = {}) { return std::malloc(size); }
inline void* rl_calloc(std::size_t count, std::size_t size, debug_info = {}) {
    return std::calloc(count, size);
}
inline void* rl_realloc(void* memory, std::size_t size, debug_info = {}) {
    return std::realloc(memory, size);
}
inline void rl_free(void* memory, debug_info = {}) { std::free(memory); }

template <class T>
void delete_impl(T* object, debug_info = {}) {
    delete object;
}

} // namespace rl

inline void* operator new(std::size_t size, rl::debug_info) { return ::operator new(size); }
inline void* operator new[](std::size_t size, rl::debug_info) { return ::operator new[](size); }
inline void operator delete(void* memory, rl::debug_info) { ::operator delete(memory); }
inline void operator delete[](void* memory, rl::debug_info) { ::operator delete[](memory); }

#define RL_NEW new
#define RL_DELETE(object) delete (object)
#define RL_NEW_ARR(type, count) (new type[count])
#define RL_DELETE_ARR(array) delete[](array)
#define RL_NEW_PROXY new
#define RL_DELETE_PROXY delete

#define RL_VERIFY(...) RL_ASSERT(__VA_ARGS__)
#define RL_ASSERT(...)                                                                                       \
    (::ringproof::verify::evaluated(),                                                                       \
     static_cast<bool>(__VA_ARGS__) ? void(0)                                                                \
                                    : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__))
/// Relacy ends its search here and says so. Here it is an execution to be shown: a suite that wants it met expects
/// rl::test_result_until_condition_hit.
#define RL_UNTIL(...)                                                                                        \
    do {                                                                                                     \
        if (__VA_ARGS__)                                                                                     \
            __assert_fail("RL_UNTIL(" #__VA_ARGS__ ") is met", __FILE__, __LINE__, __PRETTY_FUNCTION__);     \
    } while (false)

// The program's own entries in Relacy's history. A counterexample shows accesses, so that these say nothing.
#define RL_LOG(text) ((void)(text))
#define RL_HIST_IMPL(history, info, type)                                                                    \
    do {                                                                                                     \
    [[maybe_unused]] type ringproof_entry =
#define RL_HIST_END()                                                                                        \
    ;                                                                                                        \
    }                                                                                                        \
    while (false)
#define RL_HIST(type) RL_HIST_IMPL(0, 0, type)
#define RL_HIST_CTX(type) RL_HIST_IMPL(0, 0, type)
#define RL_NOCOPY(name)                                                                                      \
  private:                                                                                                   \
    name(const name&);                                                                                       \
    name& operator=(const name&)
