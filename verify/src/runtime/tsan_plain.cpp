// SPDX-License-Identifier: Apache-2.0
// The plain half of the interface that -fsanitize=thread compiles calls to: each hook is called just
// before its access. Volatile accesses arrive here too, and count as plain.

#include "../explore/explorer.hpp"

#define RINGPROOF_HOOK extern "C" __attribute__((visibility("default")))
#define RINGPROOF_SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace rv = ringproof::verify;

namespace {

void access(void* p, std::size_t size, bool write, std::uintptr_t site) {
    if (rv::explorer::running())
        rv::explorer::active()->plain(reinterpret_cast<std::uintptr_t>(p), size, write, site);
}

} // namespace

#define RINGPROOF_PLAIN(size)                                                                                \
    RINGPROOF_HOOK void __tsan_read##size(void* p) { access(p, size, false, RINGPROOF_SITE); }               \
    RINGPROOF_HOOK void __tsan_write##size(void* p) { access(p, size, true, RINGPROOF_SITE); }               \
    RINGPROOF_HOOK void __tsan_volatile_read##size(void* p) { access(p, size, false, RINGPROOF_SITE); }      \
    RINGPROOF_HOOK void __tsan_volatile_write##size(void* p) { access(p, size, true, RINGPROOF_SITE); }      \
    RINGPROOF_HOOK void __tsan_read_write##size(void* p) { access(p, size, true, RINGPROOF_SITE); }          \
    RINGPROOF_HOOK void __tsan_unaligned_read##size(void* p) { access(p, size, false, RINGPROOF_SITE); }     \
    RINGPROOF_HOOK void __tsan_unaligned_write##size(void* p) { access(p, size, true, RINGPROOF_SITE); }     \
    RINGPROOF_HOOK void __tsan_unaligned_read_write##size(void* p) {                                         \
        access(p, size, true, RINGPROOF_SITE);                                                               \
    }                                                                                                        \
    RINGPROOF_HOOK void __tsan_unaligned_volatile_read##size(void* p) {                                      \
        access(p, size, false, RINGPROOF_SITE);                                                              \
    }                                                                                                        \
    RINGPROOF_HOOK void __tsan_unaligned_volatile_write##size(void* p) {                                     \
        access(p, size, true, RINGPROOF_SITE);                                                               \
    }

RINGPROOF_PLAIN(1)
RINGPROOF_PLAIN(2)
RINGPROOF_PLAIN(4)
RINGPROOF_PLAIN(8)
RINGPROOF_PLAIN(16)

RINGPROOF_HOOK void __tsan_read_range(void* p, unsigned long size) { access(p, size, false, RINGPROOF_SITE); }
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
