// SPDX-License-Identifier: Apache-2.0
#include "access_history.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace ringproof::verify {
namespace {

/// Of two kinds of access, whether two threads that make them without an order race.
constexpr bool conflict(unsigned a, unsigned b) {
    const bool plain_a = a < 2, plain_b = b < 2, write_a = a % 2 == 1, write_b = b % 2 == 1;
    return (plain_a || plain_b) && (write_a || write_b);
}

/// A byte that other processes may change at the same time: it only ever grows to `several`.
void add(std::uint8_t& to, std::uint8_t thread) {
    std::uint8_t was = __atomic_load_n(&to, __ATOMIC_RELAXED);
    while (was != thread && was != access_history::several) {
        const std::uint8_t now = was == 0 ? thread : access_history::several;
        if (__atomic_compare_exchange_n(&to, &was, now, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) break;
    }
}

bool is_another(const std::uint8_t& noted, std::uint8_t thread) {
    const std::uint8_t now = __atomic_load_n(&noted, __ATOMIC_SEQ_CST);
    return now != 0 && (now != thread || now == access_history::several);
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

bool access_history::note(std::uintptr_t granule, access_kind kind, std::uint8_t thread) {
    if (!all_) return false;
    entry& e = of(granule);
    const auto k = static_cast<unsigned>(kind);
    add(e.by[k], thread);
    bool races = false;
    for (unsigned other = 0; other < kinds; ++other)
        races = races || (conflict(k, other) && is_another(e.dropped[other], thread));
    return races;
}

bool access_history::may_race(std::uintptr_t granule, const granule_accesses& made, std::uint8_t thread) {
    if (!all_) return true;
    const entry& e = of(granule);
    for (unsigned k = 0; k < kinds; ++k)
        for (unsigned other = 0; made.bytes[k] != 0 && other < kinds; ++other)
            if (conflict(k, other) && is_another(e.by[other], thread)) return true;
    return false;
}

void access_history::note_dropped(std::uintptr_t granule, const granule_accesses& made, std::uint8_t thread) {
    entry& e = of(granule);
    for (unsigned k = 0; k < kinds; ++k)
        if (made.bytes[k] != 0) add(e.dropped[k], thread);
}

} // namespace ringproof::verify
