// SPDX-License-Identifier: Apache-2.0
#include "access_history.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace ringproof::verify {
namespace {

/// A byte that other processes may change at the same time: it only ever grows to `several`.
void add(std::uint8_t& to, std::uint8_t thread) {
    std::uint8_t was = __atomic_load_n(&to, __ATOMIC_RELAXED);
    for (;;) {
        const std::uint8_t now = accessing_threads::joined(was, thread);
        if (now == was ||
            __atomic_compare_exchange_n(&to, &was, now, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            break;
    }
}

/// Whether another than `thread` made accesses that conflict with one of `kind`.
bool conflicts(const accessing_threads& noted, access_kind kind, std::uint8_t thread) {
    for (const access_kind other : all_access_kinds) {
        const std::uint8_t by = __atomic_load_n(&noted.by[static_cast<unsigned>(other)], __ATOMIC_SEQ_CST);
        if (conflict(kind, other) && by != accessing_threads::nobody &&
            (by != thread || by == accessing_threads::several))
            return true;
    }
    return false;
}

} // namespace

void access_history::map() {
    if (all_) return;
    void* const mapped = mmap(nullptr, entries * sizeof(entry), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        throw std::runtime_error(std::string("cannot map the history of accesses: ") + std::strerror(errno));
    all_ = static_cast<entry*>(mapped); // fresh pages are zero: nobody
}

access_history::~access_history() {
    if (all_) munmap(all_, entries * sizeof(entry));
}

access_history::entry& access_history::of(std::uintptr_t granule) const {
    // Neighbours are neighbours here, and heaps and stacks of threads, which lie at round distances, are apart.
    const std::uintptr_t far = granule >> 20;
    return all_[((granule >> 3) + far * 0x9e37'79b9'7f4a'7c15u) % entries];
}

bool access_history::knows(std::uintptr_t granule, access_kind kind, std::uint8_t thread) const {
    if (!all_) return true;
    const std::uint8_t by =
        __atomic_load_n(&of(granule).known.by[static_cast<unsigned>(kind)], __ATOMIC_SEQ_CST);
    return accessing_threads::joined(by, thread) == by;
}

bool access_history::note(std::uintptr_t granule, access_kind kind, std::uint8_t thread) {
    if (!all_) return false;
    entry& e = of(granule);
    add(e.known.by[static_cast<unsigned>(kind)], thread);
    return conflicts(e.dropped, kind, thread);
}

bool access_history::may_race(std::uintptr_t granule, const granule_accesses& made, std::uint8_t thread) {
    if (!all_) return true;
    const entry& e = of(granule);
    return std::any_of(all_access_kinds.begin(), all_access_kinds.end(),
                       [&](access_kind k) { return made.of(k) != 0 && conflicts(e.known, k, thread); });
}

void access_history::note_dropped(std::uintptr_t granule, const accessing_threads& who) {
    entry& e = of(granule);
    for (unsigned k = 0; k < who.by.size(); ++k) add(e.dropped.by[k], who.by[k]);
}

} // namespace ringproof::verify
