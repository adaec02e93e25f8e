// SPDX-License-Identifier: Apache-2.0
// The plain half of the interface that -fsanitize=thread compiles calls to: each hook is called just
// before its access. Volatile accesses arrive here too, where the compiler is told to tell them apart.

#include "../runtime/runtime.hpp"

#define RINGPROOF_HOOK extern "C" __attribute__((visibility("default")))
#define RINGPROOF_SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace rv = ringproof::verify;

namespace {

void access(void* p, std::size_t size, bool write, std::uintptr_t site) {
    if (rv::runtime::running())
        rv::runtime::active()->accesses().plain(reinterpret_cast<std::uintptr_t>(p), size, write, site);
}

void read(void* p, std::size_t size, std::uintptr_t site) {
    if (!rv::runtime::running()) return;
    rv::runtime::active()->accesses().plain(reinterpret_cast<std::uintptr_t>(p), size, false, site);
    rv::runtime::active()->addresses().check_initialised(reinterpret_cast<std::uintptr_t>(p), size, site);
    rv::runtime::active()->accesses().note_addresses(reinterpret_cast<std::uintptr_t>(p), size);
}

/// Not the last thing that its caller does: the caller's frame is looked at (see RINGPROOF_PROGRAM_FRAME).
void volatile_read(void* p, std::size_t size, std::uintptr_t site, std::uintptr_t frame) {
    if (rv::runtime::running())
        rv::runtime::active()->accesses().volatile_read(reinterpret_cast<std::uintptr_t>(p), size, site,
                                                        frame);
}

/// `frame` is the hook's, which begins with its caller's.
void volatile_write(void* p, std::size_t size, std::uintptr_t site, void* frame) {
    if (rv::runtime::running())
        rv::runtime::active()->accesses().volatile_write(reinterpret_cast<std::uintptr_t>(p), size, site,
                                                         *static_cast<const std::uintptr_t*>(frame));
}

} // namespace

#define RINGPROOF_PLAIN(size)                                                                                \
    RINGPROOF_HOOK void __tsan_read##size(void* p) { read(p, size, RINGPROOF_SITE); }                        \
    RINGPROOF_HOOK void __tsan_write##size(void* p) { access(p, size, true, RINGPROOF_SITE); }               \
    RINGPROOF_HOOK void __tsan_volatile_read##size(void* p) {                                                \
        volatile_read(p, size, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);                                     \
        asm volatile("");                                                                                    \
    }                                                                                                        \
    RINGPROOF_HOOK void __tsan_volatile_write##size(void* p) {                                               \
        volatile_write(p, size, RINGPROOF_SITE, __builtin_frame_address(0));                                 \
    }                                                                                                        \
    RINGPROOF_HOOK void __tsan_read_write##size(void* p) { access(p, size, true, RINGPROOF_SITE); }          \
    RINGPROOF_HOOK void __tsan_unaligned_read##size(void* p) { read(p, size, RINGPROOF_SITE); }              \
    RINGPROOF_HOOK void __tsan_unaligned_write##size(void* p) { access(p, size, true, RINGPROOF_SITE); }     \
    RINGPROOF_HOOK void __tsan_unaligned_read_write##size(void* p) {                                         \
        access(p, size, true, RINGPROOF_SITE);                                                               \
    }                                                                                                        \
    RINGPROOF_HOOK void __tsan_unaligned_volatile_read##size(void* p) {                                      \
        volatile_read(p, size, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);                                     \
        asm volatile("");                                                                                    \
    }                                                                                                        \
    RINGPROOF_HOOK void __tsan_unaligned_volatile_write##size(void* p) {                                     \
        volatile_write(p, size, RINGPROOF_SITE, __builtin_frame_address(0));                                 \
    }

RINGPROOF_PLAIN(1)
RINGPROOF_PLAIN(2)
RINGPROOF_PLAIN(4)
RINGPROOF_PLAIN(8)
RINGPROOF_PLAIN(16)

RINGPROOF_HOOK void __tsan_read_range(void* p, unsigned long size) {
    access(p, size, false, RINGPROOF_SITE);
    if (rv::runtime::running())
        rv::runtime::active()->accesses().note_addresses(reinterpret_cast<std::uintptr_t>(p), size);
}
RINGPROOF_HOOK void __tsan_write_range(void* p, unsigned long size) { access(p, size, true, RINGPROOF_SITE); }
RINGPROOF_HOOK void __tsan_vptr_read(void** p) { access(p, sizeof *p, false, RINGPROOF_SITE); }
RINGPROOF_HOOK void __tsan_vptr_update(void** p, void* value) {
    if (*p != value) access(p, sizeof *p, true, RINGPROOF_SITE);
}
RINGPROOF_HOOK void __tsan_init() {}
RINGPROOF_HOOK void __tsan_func_entry(void*) {}
RINGPROOF_HOOK void __tsan_func_exit() {}
RINGPROOF_HOOK void __tsan_ignore_thread_begin() {}
RINGPROOF_HOOK void __tsan_ignore_thread_end() {}

// What libraries tell race detectors that do not know fences. The memory model knows better: nothing is
// ordered because somebody says so.
RINGPROOF_HOOK void __tsan_acquire(void*) {}
RINGPROOF_HOOK void __tsan_release(void*) {}
#define RINGPROOF_ANNOTATION(name)                                                                           \
    RINGPROOF_HOOK void Annotate##name(const char*, int, const volatile void*) {}
RINGPROOF_ANNOTATION(HappensBefore)
RINGPROOF_ANNOTATION(HappensAfter)
