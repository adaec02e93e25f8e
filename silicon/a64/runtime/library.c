/* SPDX-License-Identifier: Apache-2.0 */
/* Of the C library what compiled code calls by itself, and what small programs print with. The rest comes from the real one,
 * as far as it runs without its start. */
#include "ask.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct file
    FILE; /* stdio.h declares the streams as variables, which would be read as shared memory */

const unsigned char __aarch64_have_lse_atomics = RINGPROOF_LSE;

/* By words as large as both addresses are aligned for, as the C library's own functions do where they can. */
void* memcpy(void* to, const void* from, size_t bytes) {
    typedef uint64_t __attribute__((may_alias)) eight;
    typedef uint32_t __attribute__((may_alias)) four;
    char* t = to;
    const char* f = from;
    while (bytes > 0) {
        const size_t aligned = (size_t)t | (size_t)f;
        size_t step = 1;
        if (bytes >= 8 && aligned % 8 == 0) {
            *(eight*)t = *(const eight*)f;
            step = 8;
        } else if (bytes >= 4 && aligned % 4 == 0) {
            *(four*)t = *(const four*)f;
            step = 4;
        } else {
            *t = *f;
        }
        t += step, f += step, bytes -= step;
    }
    return to;
}
void* memmove(void* to, const void* from, size_t bytes) {
    char* t = to;
    const char* f = from;
    if (t <= f) return memcpy(to, from, bytes);
    while (bytes--) t[bytes] = f[bytes];
    return to;
}
void* memset(void* to, int value, size_t bytes) {
    typedef uint64_t __attribute__((may_alias)) eight;
    for (char* t = to; bytes > 0;) {
        const size_t step = bytes >= 8 && (size_t)t % 8 == 0 ? 8 : 1;
        if (step == 8)
            *(eight*)t = (unsigned char)value * 0x0101010101010101u;
        else
            *t = (char)value;
        t += step, bytes -= step;
    }
    return to;
}
int memcmp(const void* a, const void* b, size_t bytes) {
    const unsigned char *x = a, *y = b;
    for (; bytes--; ++x, ++y)
        if (*x != *y) return *x < *y ? -1 : 1;
    return 0;
}
size_t strlen(const char* text) {
    size_t n = 0;
    while (text[n]) ++n;
    return n;
}
void* memchr(const void* in, int value, size_t bytes) {
    for (const unsigned char* at = in; bytes--; ++at)
        if (*at == (unsigned char)value) return (void*)at;
    return NULL;
}
char* strchr(const char* text, int c) {
    for (;; ++text) {
        if (*text == (char)c) return (char*)text;
        if (!*text) return NULL;
    }
}
char* strrchr(const char* text, int c) {
    char* last = NULL;
    for (;; ++text) {
        if (*text == (char)c) last = (char*)text;
        if (!*text) return last;
    }
}
/* By these names the C library calls its own. */
size_t __strlen(const char* text) { return strlen(text); }
void* __memchr(const void* in, int value, size_t bytes) { return memchr(in, value, bytes); }
int strcmp(const char* a, const char* b) {
    while (*a && *a == *b) ++a, ++b;
    return (unsigned char)*a - (unsigned char)*b;
}

/* What is printed in an execution is not shown. */
FILE *const stdin = NULL, *const stdout = NULL, *const stderr = NULL;
int printf(const char* format, ...) { return (void)format, 0; }
int fprintf(FILE* file, const char* format, ...) { return (void)file, (void)format, 0; }
int puts(const char* text) { return (void)text, 0; }
int putchar(int c) { return c; }
int fflush(FILE* file) { return (void)file, 0; }

/* What type_info objects of C++ point to; types are not looked at. */
const void* const _ZTVN10__cxxabiv117__class_type_infoE[8];
const void* const _ZTVN10__cxxabiv120__si_class_type_infoE[8];
const void* const _ZTVN10__cxxabiv121__vmi_class_type_infoE[8];
