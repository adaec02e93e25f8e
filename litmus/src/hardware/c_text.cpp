// SPDX-License-Identifier: Apache-2.0
#include "c_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace ringproof::litmus {

// What the macros are on each machine: Documentation/memory-barriers.txt and arch/*/include/asm/barrier.h.
static constexpr const char* words_of_the_kernel = R"code(
typedef int atomic_t, spinlock_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define barrier() __asm__ volatile("" : : : "memory")
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#if defined(__x86_64__)
#define smp_rmb() barrier()
#define smp_wmb() barrier()
#elif defined(__aarch64__)
#define smp_rmb() __asm__ volatile("dmb ishld" : : : "memory")
#define smp_wmb() __asm__ volatile("dmb ishst" : : : "memory")
#elif defined(__riscv)
#define smp_rmb() __asm__ volatile("fence r,r" : : : "memory")
#define smp_wmb() __asm__ volatile("fence w,w" : : : "memory")
#else
#define smp_rmb() smp_mb()
#define smp_wmb() smp_mb()
#endif
#define READ_ONCE(x) (*(const volatile __typeof__(x)*)&(x))
#define WRITE_ONCE(x, v) ((void)(*(volatile __typeof__(x)*)&(x) = (v)))
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define smp_store_mb(x, v) do { WRITE_ONCE(x, v); smp_mb(); } while (0)
#define smp_mb__before_atomic() smp_mb()
#define smp_mb__after_atomic() smp_mb()
#define smp_mb__after_spinlock() smp_mb()
#define RP_FULL(e) ({ smp_mb(); __typeof__(e) rp_was = (e); smp_mb(); rp_was; })
static inline int rp_cas(int* p, int old, int to, int order) {
    __atomic_compare_exchange_n(p, &old, to, 0, order, __ATOMIC_RELAXED);
    return old;
}
#define xchg_relaxed(p, v) __atomic_exchange_n(p, v, __ATOMIC_RELAXED)
#define xchg_acquire(p, v) __atomic_exchange_n(p, v, __ATOMIC_ACQUIRE)
#define xchg_release(p, v) __atomic_exchange_n(p, v, __ATOMIC_RELEASE)
#define xchg(p, v) RP_FULL(xchg_relaxed(p, v))
#define cmpxchg_relaxed(p, a, b) rp_cas(p, a, b, __ATOMIC_RELAXED)
#define cmpxchg_acquire(p, a, b) rp_cas(p, a, b, __ATOMIC_ACQUIRE)
#define cmpxchg_release(p, a, b) rp_cas(p, a, b, __ATOMIC_RELEASE)
#define cmpxchg(p, a, b) RP_FULL(cmpxchg_relaxed(p, a, b))
#define atomic_read(p) READ_ONCE(*(p))
#define atomic_set(p, v) WRITE_ONCE(*(p), v)
#define atomic_read_acquire(p) smp_load_acquire(p)
#define atomic_set_release(p, v) smp_store_release(p, v)
#define atomic_xchg(p, v) xchg(p, v)
#define atomic_cmpxchg(p, a, b) cmpxchg(p, a, b)
#define atomic_add(v, p) ((void)__atomic_fetch_add(p, v, __ATOMIC_RELAXED))
#define atomic_sub(v, p) ((void)__atomic_fetch_sub(p, v, __ATOMIC_RELAXED))
#define atomic_inc(p) atomic_add(1, p)
#define atomic_dec(p) atomic_sub(1, p)
#define atomic_add_return_relaxed(v, p) __atomic_add_fetch(p, v, __ATOMIC_RELAXED)
#define atomic_add_return_acquire(v, p) __atomic_add_fetch(p, v, __ATOMIC_ACQUIRE)
#define atomic_add_return_release(v, p) __atomic_add_fetch(p, v, __ATOMIC_RELEASE)
#define atomic_add_return(v, p) RP_FULL(atomic_add_return_relaxed(v, p))
#define atomic_sub_return(v, p) atomic_add_return(-(v), p)
#define atomic_inc_return(p) atomic_add_return(1, p)
#define atomic_dec_return(p) atomic_sub_return(1, p)
#define atomic_fetch_add_relaxed(v, p) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define atomic_fetch_add(v, p) RP_FULL(atomic_fetch_add_relaxed(v, p))
#define atomic_dec_and_test(p) (atomic_dec_return(p) == 0)
static inline void spin_lock(int* l) {
    while (__atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE)) barrier();
}
static inline int spin_trylock(int* l) { return !__atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE); }
#define spin_is_locked(l) (READ_ONCE(*(l)) != 0)
static inline int atomic_add_unless(int* p, int v, int unless) {
    smp_mb();
    for (int was = __atomic_load_n(p, __ATOMIC_RELAXED); was != unless;)
        if (__atomic_compare_exchange_n(p, &was, was + v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            smp_mb();
            return 1;
        }
    return 0;
}
static inline void spin_unlock(int* l) { __atomic_store_n(l, 0, __ATOMIC_RELEASE); }
)code";

const char* kernel_words() { return words_of_the_kernel; }

bool is_wide(const std::string& type) {
    return type.find("long") != std::string::npos || type.find("64") != std::string::npos ||
           type.find("ptr") != std::string::npos;
}

static std::string trimmed(std::string s) {
    const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
    s.erase(s.begin(), std::find_if_not(s.begin(), s.end(), blank));
    s.erase(std::find_if_not(s.rbegin(), s.rend(), blank).base(), s.end());
    return s;
}

std::string last_word(const std::string& s) {
    std::size_t end = s.size();
    while (end > 0 && !(std::isalnum(static_cast<unsigned char>(s[end - 1])) || s[end - 1] == '_')) --end;
    std::size_t begin = end;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(s[begin - 1])) || s[begin - 1] == '_'))
        --begin;
    return s.substr(begin, end - begin);
}

thread_text read_thread(const test& t, std::size_t index) {
    const cell where = t.threads[index].at(0);
    const std::string text = t.from.text.substr(where.begin, where.end - where.begin);
    const std::size_t open = text.find('('), close = text.find(')', open), begin = text.find('{', close),
                      end = text.rfind('}');
    if (end == std::string::npos || begin == std::string::npos || begin >= end)
        throw syntax_error(t.from, where.begin, "expected '(parameters) { statements }'");
    thread_text out;
    const std::string list = text.substr(open + 1, close - open - 1);
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        std::string one = trimmed(list.substr(at, comma - at));
        if (!one.empty() && one != "void") out.parameters.push_back(std::move(one));
        at = comma + 1;
    }
    // A local variable that no path assigned is 0 for the models.
    static const std::regex declared(
        R"(\b((?:unsigned\s+)?(?:int|long|short|char|u?int(?:8|16|32|64|ptr)_t|intptr_t|uintptr_t))\s+(\w+)\s*;)");
    out.body = std::regex_replace(text.substr(begin + 1, end - begin - 1), declared, "$1 $2 = 0;");
    return out;
}

} // namespace ringproof::litmus
