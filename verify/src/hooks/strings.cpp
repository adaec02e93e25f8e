// SPDX-License-Identifier: Apache-2.0
// What functions of <string.h>, <stdlib.h> and <stdio.h> read and write of the program's memory. libc is not compiled for the
// checker, so a race with strlen() would be out of sight. The linker's --wrap sends the executable's calls here,
// and no library's (RINGPROOF_WRAPPED in verify/CMakeLists.txt has the list). Each access is noted before it is
// made; where a function ends depends on what it finds, as C says: no byte counts that it need not look at.

#include "hook.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <strings.h>

namespace ringproof::verify::hook {
namespace {

constexpr std::size_t all = SIZE_MAX;

void reads(const void* p, std::size_t size, std::uintptr_t site) {
    if (size != 0) engine().accesses().plain(address_of(p), size, false, site);
}
void writes(const void* p, std::size_t size, std::uintptr_t site) {
    if (size != 0) engine().accesses().plain(address_of(p), size, true, site);
}

/// A string is read up to its end, or `most` bytes of it. @return its length
std::size_t reads_string(const char* s, std::uintptr_t site, std::size_t most = all) {
    reads(s, most == 0 ? 0 : 1, site); // an address that nothing can be at is an error here
    const std::size_t length = strnlen(s, most);
    reads(s, length < most ? length + 1 : most, site);
    return length;
}

/// Two strings are read up to the first place at which `differ` says so, or the end.
template <class Function>
void reads_both(const char* a, const char* b, std::size_t most, std::uintptr_t site, Function differ) {
    reads(a, most == 0 ? 0 : 1, site);
    reads(b, most == 0 ? 0 : 1, site);
    std::size_t n = 0;
    while (n < most && a[n] != 0 && !differ(a[n], b[n])) ++n;
    reads(a, n < most ? n + 1 : most, site);
    reads(b, n < most ? n + 1 : most, site);
}

bool differ(char a, char b) { return a != b; }
bool differ_in_letter(char a, char b) {
    const char one[] = {a, 0}, other[] = {b, 0};
    return strcasecmp(one, other) != 0;
}

/// A string is read up to what was found, or to its end.
void reads_up_to(const char* s, const char* found, std::uintptr_t site) {
    reads(s, found ? static_cast<std::size_t>(found - s) + 1 : std::strlen(s) + 1, site);
}

void reads_needle(const char* s, const char* needle, std::uintptr_t site) {
    const std::size_t length = reads_string(needle, site);
    reads(s, 1, site);
    const char* const found = std::strstr(s, needle);
    reads(s,
          found ? static_cast<std::size_t>(found - s) + std::max<std::size_t>(length, 1) : std::strlen(s) + 1,
          site);
}

/// What strtol() and the like have looked at: up to the first byte that is no part of the number.
void reads_number(const char* s, std::uintptr_t site) {
    reads(s, 1, site);
    char* end = nullptr;
    const int before = errno;
    std::strtod(s, &end); // takes each number that strtol() takes
    errno = before;
    const std::size_t blanks = std::strspn(s, " \t\n\v\f\r");
    reads(s, std::max(static_cast<std::size_t>(end - s), blanks) + 1, site);
}

/// What a printf() writes to `to`, of `size` bytes.
void writes_text(char* to, std::size_t size, const char* format, va_list values, std::uintptr_t site) {
    reads_string(format, site);
    va_list copy;
    va_copy(copy, values);
    const int length = std::vsnprintf(nullptr, 0, format, copy);
    va_end(copy);
    if (length >= 0) writes(to, std::min(size, static_cast<std::size_t>(length) + 1), site);
}

} // namespace
} // namespace ringproof::verify::hook

using namespace ringproof::verify::hook;

// The function as the program's calls have it, which first notes `__VA_ARGS__` while the program runs.
#define RINGPROOF_WRAPPED(result, function, parameters, arguments, ...)                                      \
    RINGPROOF_HOOK result __wrap_##function parameters {                                                     \
        const std::uintptr_t site = RINGPROOF_SITE;                                                          \
        if (running()) {                                                                                     \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
        return (result)(function arguments); /* C++ has the pointers const, C not */                         \
    }

RINGPROOF_WRAPPED(std::size_t, strlen, (const char* s), (s), reads_string(s, site))
RINGPROOF_WRAPPED(std::size_t, strnlen, (const char* s, std::size_t n), (s, n), reads_string(s, site, n))
RINGPROOF_WRAPPED(int, strcmp, (const char* a, const char* b), (a, b), reads_both(a, b, all, site, differ))
RINGPROOF_WRAPPED(int, strncmp, (const char* a, const char* b, std::size_t n), (a, b, n),
                  reads_both(a, b, n, site, differ))
RINGPROOF_WRAPPED(int, strcasecmp, (const char* a, const char* b), (a, b),
                  reads_both(a, b, all, site, differ_in_letter))
RINGPROOF_WRAPPED(int, strncasecmp, (const char* a, const char* b, std::size_t n), (a, b, n),
                  reads_both(a, b, n, site, differ_in_letter))
RINGPROOF_WRAPPED(std::size_t, strspn, (const char* s, const char* of), (s, of), reads_string(of, site);
                  reads(s, 1, site); reads(s, std::strspn(s, of) + 1, site))
RINGPROOF_WRAPPED(std::size_t, strcspn, (const char* s, const char* of), (s, of), reads_string(of, site);
                  reads(s, 1, site); reads(s, std::strcspn(s, of) + 1, site))
RINGPROOF_WRAPPED(char*, strchr, (const char* s, int c), (s, c), reads(s, 1, site);
                  reads_up_to(s, std::strchr(s, c), site))
RINGPROOF_WRAPPED(char*, strrchr, (const char* s, int c), (s, c), reads_string(s, site))
RINGPROOF_WRAPPED(char*, strpbrk, (const char* s, const char* of), (s, of), reads_string(of, site);
                  reads(s, 1, site); reads_up_to(s, std::strpbrk(s, of), site))
RINGPROOF_WRAPPED(char*, strstr, (const char* s, const char* needle), (s, needle),
                  reads_needle(s, needle, site))
RINGPROOF_WRAPPED(
    void*, memchr, (const void* p, int c, std::size_t n), (p, c, n), if (n != 0) {
        reads(p, 1, site);
        const void* const found = std::memchr(p, c, n);
        reads(p, found ? address_of(found) - address_of(p) + 1 : n, site);
    })

RINGPROOF_WRAPPED(char*, strcpy, (char* to, const char* from), (to, from),
                  writes(to, reads_string(from, site) + 1, site))
RINGPROOF_WRAPPED(char*, stpcpy, (char* to, const char* from), (to, from),
                  writes(to, reads_string(from, site) + 1, site))
RINGPROOF_WRAPPED(char*, strncpy, (char* to, const char* from, std::size_t n), (to, from, n),
                  reads_string(from, site, n);
                  writes(to, n, site))
RINGPROOF_WRAPPED(char*, strcat, (char* to, const char* from), (to, from),
                  const std::size_t before = reads_string(to, site);
                  writes(to + before, reads_string(from, site) + 1, site))
RINGPROOF_WRAPPED(char*, strncat, (char* to, const char* from, std::size_t n), (to, from, n),
                  const std::size_t before = reads_string(to, site);
                  writes(to + before, reads_string(from, site, n) + 1, site))

RINGPROOF_WRAPPED(int, atoi, (const char* s), (s), reads_number(s, site))
RINGPROOF_WRAPPED(long, atol, (const char* s), (s), reads_number(s, site))
RINGPROOF_WRAPPED(long long, atoll, (const char* s), (s), reads_number(s, site))
RINGPROOF_WRAPPED(double, atof, (const char* s), (s), reads_number(s, site))
#define RINGPROOF_TO_NUMBER(result, function)                                                                \
    RINGPROOF_WRAPPED(result, function, (const char* s, char** end, int base), (s, end, base),               \
                      reads_number(s, site);                                                                 \
                      writes(end, end ? sizeof *end : 0, site))
RINGPROOF_TO_NUMBER(long, strtol)
RINGPROOF_TO_NUMBER(unsigned long, strtoul)
RINGPROOF_TO_NUMBER(long long, strtoll)
RINGPROOF_TO_NUMBER(unsigned long long, strtoull)
RINGPROOF_WRAPPED(double, strtod, (const char* s, char** end), (s, end), reads_number(s, site);
                  writes(end, end ? sizeof *end : 0, site))

RINGPROOF_WRAPPED(int, puts, (const char* s), (s), reads_string(s, site))
RINGPROOF_WRAPPED(int, fputs, (const char* s, std::FILE* to), (s, to), reads_string(s, site))
RINGPROOF_WRAPPED(std::size_t, fwrite, (const void* from, std::size_t size, std::size_t n, std::FILE* to),
                  (from, size, n, to), reads(from, size* n, site))

RINGPROOF_WRAPPED(int, vsnprintf, (char* to, std::size_t size, const char* format, va_list values),
                  (to, size, format, values), writes_text(to, size, format, values, site))
RINGPROOF_WRAPPED(int, vsprintf, (char* to, const char* format, va_list values), (to, format, values),
                  writes_text(to, all, format, values, site))
RINGPROOF_HOOK int __wrap_snprintf(char* to, std::size_t size, const char* format, ...) {
    va_list values;
    va_start(values, format);
    if (running()) writes_text(to, size, format, values, RINGPROOF_SITE);
    const int length = std::vsnprintf(to, size, format, values);
    va_end(values);
    return length;
}
RINGPROOF_HOOK int __wrap_sprintf(char* to, const char* format, ...) {
    va_list values;
    va_start(values, format);
    if (running()) writes_text(to, all, format, values, RINGPROOF_SITE);
    const int length = std::vsprintf(to, format, values);
    va_end(values);
    return length;
}
RINGPROOF_HOOK void __wrap_qsort(void* first, std::size_t n, std::size_t size,
                                 int (*compare)(const void*, const void*)) {
    if (running()) writes(first, n * size, RINGPROOF_SITE);
    std::qsort(first, n, size, compare);
}
