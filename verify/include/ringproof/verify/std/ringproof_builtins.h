/* SPDX-License-Identifier: Apache-2.0 */
/* Read before all else in programs that gcc compiles for the checker. The library's own headers set and copy ranges by the
 * compiler's functions (std::array's fill() does), which gcc makes plain moves of where the size is known: no sanitizer
 * is told. Under another name they are calls, which the linker hands to the checker. */
#ifndef RINGPROOF_BUILTINS_H
#define RINGPROOF_BUILTINS_H
#pragma GCC system_header
#if defined __GNUC__ && !defined __clang__
#ifdef __cplusplus
extern "C" {
#define RINGPROOF_THROWS_NOTHING noexcept(true)
#if __cplusplus < 201103L
#undef RINGPROOF_THROWS_NOTHING
#define RINGPROOF_THROWS_NOTHING throw()
#endif
#else
#define RINGPROOF_THROWS_NOTHING
#endif
void* __ringproof_memset(void*, int, __SIZE_TYPE__) RINGPROOF_THROWS_NOTHING __asm__("memset");
void* __ringproof_memcpy(void*, const void*, __SIZE_TYPE__) RINGPROOF_THROWS_NOTHING __asm__("memcpy");
void* __ringproof_memmove(void*, const void*, __SIZE_TYPE__) RINGPROOF_THROWS_NOTHING __asm__("memmove");
#ifdef __cplusplus
}
#endif
/* With parentheses, so that __has_builtin() still finds the compiler's. */
#define __builtin_memset(...) __ringproof_memset(__VA_ARGS__)
#define __builtin_memcpy(...) __ringproof_memcpy(__VA_ARGS__)
#define __builtin_memmove(...) __ringproof_memmove(__VA_ARGS__)
#undef RINGPROOF_THROWS_NOTHING
#endif
#endif
