// SPDX-License-Identifier: Apache-2.0
// The plain half of the interface, and copies of ranges, which the linker hands over (--wrap).

#include "hooks.hpp"

#include <cstddef>

namespace ringproof::opinions {
namespace {

void read(const void* p, std::size_t size, place where) {
    const hook with;
    if (with && size != 0) with->plain(reinterpret_cast<std::uintptr_t>(p), size, false, where);
}

void write(const void* p, std::size_t size, place where) {
    const hook with;
    if (!with || size == 0) return;
    with->plain(reinterpret_cast<std::uintptr_t>(p), size, true, where);
    keep_static(reinterpret_cast<std::uintptr_t>(p), size);
    announce_write(reinterpret_cast<std::uintptr_t>(p), size, where);
}

} // namespace
} // namespace ringproof::opinions

namespace shim = ringproof::opinions;

#define RINGPROOF_PLAIN(name, size)                                                                          \
    RINGPROOF_HOOK void __tsan_##name##read##size(void* p) { shim::read(p, size, RINGPROOF_PLACE); }         \
    RINGPROOF_HOOK void __tsan_##name##write##size(void* p) { shim::write(p, size, RINGPROOF_PLACE); }       \
    RINGPROOF_HOOK void __tsan_##name##read_write##size(void* p) { shim::write(p, size, RINGPROOF_PLACE); }

// A volatile access is a plain one for other checkers, as for ISO C++.
#define RINGPROOF_PLAIN_SIZE(size)                                                                           \
    RINGPROOF_PLAIN(, size)                                                                                  \
    RINGPROOF_PLAIN(unaligned_, size)                                                                        \
    RINGPROOF_PLAIN(volatile_, size) RINGPROOF_PLAIN(unaligned_volatile_, size)

RINGPROOF_PLAIN_SIZE(1)
RINGPROOF_PLAIN_SIZE(2)
RINGPROOF_PLAIN_SIZE(4)
RINGPROOF_PLAIN_SIZE(8)
RINGPROOF_PLAIN_SIZE(16)

RINGPROOF_HOOK void __tsan_read_range(void* p, unsigned long size) { shim::read(p, size, RINGPROOF_PLACE); }
RINGPROOF_HOOK void __tsan_write_range(void* p, unsigned long size) { shim::write(p, size, RINGPROOF_PLACE); }
RINGPROOF_HOOK void __tsan_vptr_read(void** p) { shim::read(p, sizeof *p, RINGPROOF_PLACE); }
RINGPROOF_HOOK void __tsan_vptr_update(void** p, void* value) {
    if (*p != value) shim::write(p, sizeof *p, RINGPROOF_PLACE);
}
RINGPROOF_HOOK void __tsan_init() {}
RINGPROOF_HOOK void __tsan_func_entry(void*) {}
RINGPROOF_HOOK void __tsan_func_exit() {}

extern "C" {
void* __real_memcpy(void* to, const void* from, std::size_t size);
void* __real_memmove(void* to, const void* from, std::size_t size);
void* __real_memset(void* to, int value, std::size_t size);
int __real_memcmp(const void* a, const void* b, std::size_t size);
}

RINGPROOF_HOOK void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
    shim::read(from, size, RINGPROOF_PLACE);
    shim::write(to, size, RINGPROOF_PLACE);
    return __real_memcpy(to, from, size);
}
RINGPROOF_HOOK void* __wrap_memmove(void* to, const void* from, std::size_t size) {
    shim::read(from, size, RINGPROOF_PLACE);
    shim::write(to, size, RINGPROOF_PLACE);
    return __real_memmove(to, from, size);
}
RINGPROOF_HOOK void* __wrap_memset(void* to, int value, std::size_t size) {
    shim::write(to, size, RINGPROOF_PLACE);
    return __real_memset(to, value, size);
}
RINGPROOF_HOOK int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
    shim::read(a, size, RINGPROOF_PLACE);
    shim::read(b, size, RINGPROOF_PLACE);
    return __real_memcmp(a, b, size);
}
