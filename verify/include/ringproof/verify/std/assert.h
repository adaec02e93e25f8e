/* SPDX-License-Identifier: Apache-2.0 */
/* <assert.h> of checked programs: as the standard's, and each assertion tells the checker that it was evaluated, so
 * that a verdict can say when none was. No include guard: NDEBUG counts anew each time this is included. */
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#ifdef __cplusplus
extern "C" {
void __ringproof_evaluated() noexcept;
[[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                const char* function) noexcept;
}
/* Within a constant expression the checker has nothing to see. */
#define assert(...)                                                                                          \
    (__builtin_is_constant_evaluated() ? void(0) : __ringproof_evaluated(),                                  \
     static_cast<bool>(__VA_ARGS__) ? void(0)                                                                \
                                    : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#else
void __ringproof_evaluated(void);
void __assert_fail(const char* expression, const char* file, unsigned line, const char* function)
    __attribute__((__noreturn__));
#define assert(...)                                                                                          \
    (__ringproof_evaluated(),                                                                                \
     (__VA_ARGS__) ? (void)0 : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __func__))
#endif
#endif
#if !defined __cplusplus && !defined static_assert && __STDC_VERSION__ < 202311L
#define static_assert _Static_assert
#endif
