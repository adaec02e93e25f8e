// SPDX-License-Identifier: Apache-2.0
// The heap, and the ways in which a program gives up. Allocations of the program under test come from
// its own heap; libc's own (a stdio buffer, say) outlive an execution and stay with libc.

#include "../program/base.hpp"
#include "../program/callers.hpp"
#include "../program/early_heap.hpp"
#include "../runtime/runtime.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <malloc.h>
#include <new>

#define RINGPROOF_HOOK extern "C" __attribute__((visibility("default")))
#define RINGPROOF_SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace rv = ringproof::verify;

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

using rv::callers::for_program;
using rv::callers::for_static_object;

/// Either of them.
bool is_programs(std::uintptr_t site) { return for_program(site) || for_static_object(site); }

std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

bool of_program(void* p) {
    return rv::early_heap::contains(address_of(p)) ||
           (rv::runtime::active() && rv::runtime::active()->memory().in_heap(address_of(p)));
}

bool is_power_of_two(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

void* allocate(std::size_t size, std::size_t alignment, std::uintptr_t site, std::uintptr_t frame) {
    if (size > PTRDIFF_MAX && is_programs(site)) { // as libc says, whatever memory there is
        errno = ENOMEM;
        return nullptr;
    }
    if (for_program(site)) return rv::runtime::active()->heap().allocate(size, alignment, site, frame);
    if (for_static_object(site)) return reinterpret_cast<void*>(rv::early_heap::allocate(size, alignment));
    return alignment <= 16 ? __libc_malloc(size) : __libc_memalign(alignment, size);
}

/// The standard leaves open what these functions do with other alignments, and libraries differ.
void check_alignment(const char* function, std::size_t alignment, std::uintptr_t site) {
    if (is_power_of_two(alignment) || !for_program(site)) return;
    rv::runtime::active()->fail_here(rv::failure_kind::wild_access,
                                     std::string(function) + ": the alignment " + std::to_string(alignment) +
                                         " is not a power of two",
                                     site, 0);
}

/// What libc allocated for the program stays, as another execution may free it again.
void refuse_unless_allocated(void* p, std::uintptr_t site) {
    const rv::program_memory& memory = rv::runtime::active()->memory();
    const std::uintptr_t a = address_of(p);
    if (memory.stack_owner(a) < 0 && !memory.in_data(a) && !rv::in_executable(a)) return;
    rv::runtime::active()->fail_here(rv::failure_kind::wild_access,
                                     "free of a variable, which no allocation has given", site, a);
}

void release(void* p, std::uintptr_t site) {
    if (!of_program(p)) return for_program(site) ? refuse_unless_allocated(p, site) : __libc_free(p);
    if (rv::runtime::running()) return rv::runtime::active()->heap().release(p, site);
    if (rv::early_heap::contains(address_of(p))) rv::early_heap::release(address_of(p));
}

void* reallocate(void* old, std::size_t size, std::uintptr_t site, std::uintptr_t frame) {
    if (old && size == 0) { // as glibc has it
        release(old, site);
        return nullptr;
    }
    void* fresh = allocate(size, 16, site, frame);
    if (old && fresh) {
        std::memcpy(fresh, old, std::min(size, rv::program_memory::allocation_size(address_of(old))));
        release(old, 0);
    }
    return fresh;
}

} // namespace

RINGPROOF_HOOK void* malloc(std::size_t size) {
    return allocate(size, 16, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);
}
RINGPROOF_HOOK void* calloc(std::size_t count, std::size_t size) {
    if (!is_programs(RINGPROOF_SITE)) return __libc_calloc(count, size);
    std::size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
    void* p = allocate(bytes, 16, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);
    return p ? std::memset(p, 0, bytes) : p;
}
RINGPROOF_HOOK void* realloc(void* p, std::size_t size) {
    if (of_program(p) || (!p && is_programs(RINGPROOF_SITE)))
        return reallocate(p, size, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);
    return __libc_realloc(p, size);
}
RINGPROOF_HOOK void* memalign(std::size_t alignment, std::size_t size) {
    check_alignment("memalign", alignment, RINGPROOF_SITE);
    return allocate(size, alignment, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);
}
RINGPROOF_HOOK void* aligned_alloc(std::size_t alignment, std::size_t size) {
    check_alignment("aligned_alloc", alignment, RINGPROOF_SITE);
    return allocate(size, alignment, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);
}
RINGPROOF_HOOK int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
    if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
    void* const p = allocate(size, alignment, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);
    if (!p) return ENOMEM;
    if (for_program(RINGPROOF_SITE))
        rv::runtime::active()->accesses().plain(address_of(out), sizeof *out, true, RINGPROOF_SITE);
    *out = p;
    return 0;
}
RINGPROOF_HOOK std::size_t malloc_usable_size(void* p) {
    if (of_program(p)) return rv::program_memory::allocation_size(address_of(p));
    return reinterpret_cast<std::size_t (*)(void*)>(dlsym(RTLD_NEXT, "malloc_usable_size"))(p);
}
RINGPROOF_HOOK void free(void* p) {
    if (p) release(p, RINGPROOF_SITE);
}

// <assert.h> of checked programs calls it before each assertion.
RINGPROOF_HOOK void __ringproof_evaluated() noexcept { rv::evaluated(); }
namespace {
char* duplicate(const char* text, std::size_t size, std::uintptr_t site) {
    if (rv::runtime::running())
        rv::runtime::active()->accesses().plain(address_of(const_cast<char*>(text)), size, false, site);
    auto* const copy = static_cast<char*>(allocate(size + 1, 16, site, 0));
    if (!copy) return nullptr;
    std::memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

void note_copy(void* to, const void* from, std::size_t size, std::uintptr_t site) {
    if (!rv::runtime::running() || size == 0) return;
    rv::memory_accesses& accesses = rv::runtime::active()->accesses();
    accesses.plain(address_of(from), size, false, site);
    accesses.plain(address_of(to), size, true, site);
    accesses.note_addresses(address_of(from), size);
}

} // namespace
// As libc itself would ask for the memory, which would not be the execution's then.
RINGPROOF_HOOK char* strdup(const char* text) noexcept {
    return duplicate(text, std::strlen(text), RINGPROOF_SITE);
}
RINGPROOF_HOOK char* strndup(const char* text, std::size_t most) noexcept {
    return duplicate(text, strnlen(text, most), RINGPROOF_SITE);
}

// A failed assertion, abort() and std::terminate() are findings while the program runs.
RINGPROOF_HOOK void __assert_fail(const char* expression, const char* file, unsigned line,
                                  const char* function) {
    if (rv::runtime::running())
        rv::runtime::active()->fail_here(rv::failure_kind::assertion,
                                         std::string("assertion failed: ") + expression, RINGPROOF_SITE, 0);
    std::fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, function, expression);
    std::abort();
}
RINGPROOF_HOOK void abort() noexcept {
    if (rv::runtime::running())
        rv::runtime::active()->fail_here(rv::failure_kind::abort, "abort or std::terminate was called",
                                         RINGPROOF_SITE, 0);
    reinterpret_cast<void (*)()>(dlsym(RTLD_NEXT, "abort"))();
    __builtin_unreachable();
}

// Deletes of a type made in the program and freed in libstdc++, or the reverse, meet in free() too.
// The standard's other forms of new and delete call these.
__attribute__((visibility("default"))) void* operator new(std::size_t size) {
    void* p = allocate(size, 16, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);
    if (!p) throw std::bad_alloc();
    return p;
}
__attribute__((visibility("default"))) void* operator new(std::size_t size, std::align_val_t alignment) {
    void* p = allocate(size, static_cast<std::size_t>(alignment), RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);
    if (!p) throw std::bad_alloc();
    return p;
}
#define RINGPROOF_DELETE(...)                                                                                \
    __attribute__((visibility("default"))) void operator delete(void* p __VA_OPT__(, )                       \
                                                                    __VA_ARGS__) noexcept {                  \
        if (p) release(p, RINGPROOF_SITE);                                                                   \
    }
RINGPROOF_DELETE()
RINGPROOF_DELETE(std::size_t)
RINGPROOF_DELETE(std::align_val_t)
RINGPROOF_DELETE(std::size_t, std::align_val_t)

// Ranges: the linker's --wrap sends the executable's calls here, and no library's. Where the compiler itself
// copies or sets a range, later versions of clang call names of their own, earlier ones the plain names.
#define RINGPROOF_RANGES(prefix)                                                                             \
    RINGPROOF_HOOK void* prefix##memcpy(void* to, const void* from, std::size_t size) {                      \
        note_copy(to, from, size, RINGPROOF_SITE);                                                           \
        return std::memcpy(to, from, size);                                                                  \
    }                                                                                                        \
    RINGPROOF_HOOK void* prefix##memmove(void* to, const void* from, std::size_t size) {                     \
        note_copy(to, from, size, RINGPROOF_SITE);                                                           \
        return std::memmove(to, from, size);                                                                 \
    }                                                                                                        \
    RINGPROOF_HOOK void* prefix##memset(void* to, int value, std::size_t size) {                             \
        if (rv::runtime::running() && size != 0)                                                             \
            rv::runtime::active()->accesses().plain(reinterpret_cast<std::uintptr_t>(to), size, true,        \
                                                    RINGPROOF_SITE);                                         \
        return std::memset(to, value, size);                                                                 \
    }
RINGPROOF_RANGES(__wrap_)
RINGPROOF_RANGES(__tsan_)
RINGPROOF_HOOK int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
    if (rv::runtime::running() && size != 0) {
        rv::runtime::active()->accesses().plain(reinterpret_cast<std::uintptr_t>(a), size, false,
                                                RINGPROOF_SITE);
        rv::runtime::active()->accesses().plain(reinterpret_cast<std::uintptr_t>(b), size, false,
                                                RINGPROOF_SITE);
    }
    return std::memcmp(a, b, size);
}
