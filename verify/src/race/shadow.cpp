// SPDX-License-Identifier: Apache-2.0
#include "shadow.hpp"

#include "../program/floating_point.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace ringproof::verify {
namespace {

shadow_memory::cell* map_cells(std::size_t bytes_covered) {
    const std::size_t size = (bytes_covered / 8 + 2) * sizeof(shadow_memory::cell);
    void* mapped =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        throw std::runtime_error(std::string("cannot map the shadow memory: ") + std::strerror(errno));
    return static_cast<shadow_memory::cell*>(mapped); // fresh pages are zero: empty cells
}

void unmap_cells(shadow_memory::cell* cells, std::size_t bytes_covered) {
    munmap(cells, (bytes_covered / 8 + 2) * sizeof(shadow_memory::cell));
}

} // namespace

bool shadow_memory::ordered_before(const plain_access& a, thread_id thread, thread_clock hb) const {
    // It happened after its thread's event `index`, so only a later event can have published it.
    if (a.thread == thread) return true;
    if (hb[a.thread] <= static_cast<int>(a.index)) return false;
    if (!graph_ || !a.interruptible) return true;
    // A handler that came in after it, with nothing in between, may as well have come in before it: then the
    // handler's events have not published it.
    const std::size_t size = graph_->thread_size(a.thread);
    const auto at = [&](unsigned i) -> const event& { return graph_->at(graph_->in_thread(a.thread, i)); };
    unsigned i = a.index + 1u;
    while (i <= size && at(i).kind == event_kind::interrupt && at(i).depth == a.depth && at(i).value != 0) do
            ++i;
        while (i <= size && at(i).depth > a.depth);
    return hb[a.thread] >= static_cast<int>(i);
}

shadow_memory::shadow_memory(const program_memory& memory) : memory_(memory) {
    region_ = map_cells(memory.region().size());
    cover_new_data();
}

void shadow_memory::cover_new_data() {
    while (data_.size() < memory_.data().size())
        data_.push_back(map_cells(memory_.data()[data_.size()].size()));
}

shadow_memory::~shadow_memory() {
    unmap_cells(region_, memory_.region().size());
    for (std::size_t i = 0; i < data_.size(); ++i) unmap_cells(data_[i], memory_.data()[i].size());
}

shadow_memory::cell& shadow_memory::beyond_region(std::uintptr_t address) {
    const auto& ranges = memory_.data();
    for (std::size_t i = 0; i < ranges.size(); ++i)
        if (ranges[i].contains(address)) return data_[i][address / 8 - ranges[i].begin / 8];
    if (const auto known = elsewhere_.find(address / 8); known != elsewhere_.end()) return known->second;
    const floating_point::kept of_program; // a table that grows computes
    return elsewhere_[address / 8];
}

/// The granule of a cell, or 0 where that isn't known.
std::uintptr_t shadow_memory::address_of(const cell* c) const {
    const auto within = [c](const cell* cells, const memory_range& range) {
        const std::uintptr_t first = range.begin / 8;
        const auto size = static_cast<std::ptrdiff_t>((range.end + 7) / 8 - first);
        return c >= cells && c < cells + size ? (first + static_cast<std::uintptr_t>(c - cells)) * 8 : 0;
    };
    if (const std::uintptr_t a = within(region_, memory_.region())) return a;
    for (std::size_t i = 0; i < data_.size(); ++i)
        if (const std::uintptr_t a = within(data_[i], memory_.data()[i])) return a;
    return 0;
}

/// The same, of memory anywhere.
std::uintptr_t shadow_memory::granule_of(const cell* c) const {
    if (const std::uintptr_t known = address_of(c)) return known;
    const auto at =
        std::find_if(elsewhere_.begin(), elsewhere_.end(), [c](const auto& one) { return &one.second == c; });
    return at == elsewhere_.end() ? 0 : at->first * 8;
}

/// @return `a` if `by` races with it and the race counts; a race that is ignored is noted
const plain_access* shadow_memory::conflict_of(const plain_access& a, const plain_access& by, bool before) {
    if ((a.mask & by.mask) == 0) return nullptr;
    if (a.freed) return &a;
    if (before || (!a.write && !by.write)) return nullptr;
    if (!ignores(a, by)) return &a;
    ignored_ = a;
    return nullptr;
}

const plain_access* shadow_memory::access_granule(std::uintptr_t granule, plain_access by, thread_clock hb,
                                                  const contexts& within) {
    cell& c = at(granule);
    const auto append = [&](std::uint32_t rest) {
        by.next = rest;
        pool_.push_back(by);
        cell changed = c;
        changed.accesses = static_cast<std::uint32_t>(pool_.size());
        set(c, changed);
    };
    if (c.accesses == 0) return append(0), nullptr;
    const plain_access& head = pool_[c.accesses - 1];
    if (head.next == 0 && head.thread == by.thread && !head.freed) {
        // The same access again, with nothing in between that another thread could order itself by.
        if (head.index == by.index && (head.mask & by.mask) == by.mask && (head.write || !by.write) &&
            !by.freed && head.released == by.released)
            return nullptr;
        // Its own, and nobody else's.
        const bool covered = (head.mask & by.mask) == head.mask && (by.write || !head.write);
        if (head.run == by.run) return append(covered ? 0 : c.accesses), nullptr;
    }
    const plain_access* conflict = nullptr;
    std::uint32_t kept = 0; // the new list: accesses that `by` does not dominate
    bool rebuilt = false;   // one of those stood before one that `by` dominates
    survivors_.shrink(0);
    for (std::uint32_t i = c.accesses; i != 0; i = pool_[i - 1].next) {
        const plain_access& a = pool_[i - 1];
        meet(granule, a, by.thread);
        const bool before =
            ordered_before(a, by.thread, hb) &&
            !(a.thread == by.thread && a.run != by.run && within.unordered(a.depth, a.run, a.released));
        if (const plain_access* const found = conflict_of(a, by, before)) conflict = found;
        const bool dominated = before && (a.mask & by.mask) == a.mask && (by.write || !a.write);
        if (dominated)
            rebuilt = rebuilt || survivors_.size() != 0;
        else
            survivors_.push_back(i);
    }
    if (conflict) return conflict;
    if (rebuilt) {
        for (std::size_t i = survivors_.size(); i-- > 0;) {
            plain_access copy = pool_[survivors_[i] - 1];
            copy.next = kept;
            pool_.push_back(copy);
            kept = static_cast<std::uint32_t>(pool_.size());
        }
    } else if (survivors_.size() != 0) {
        kept = survivors_[0]; // with all behind it
    }
    return append(kept), nullptr;
}

const plain_access* shadow_memory::access(std::uintptr_t address, std::size_t size, plain_access by,
                                          thread_clock hb, const contexts& within) {
    ignored_.reset();
    const plain_access* const conflict =
        each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
            by.mask = mask;
            return access_granule(granule, by, hb, within);
        });
    return conflict || !ignored_ ? conflict : &*ignored_;
}

const plain_access* shadow_memory::atomic(std::uintptr_t address, std::size_t size, bool write,
                                          thread_id thread, thread_clock hb) {
    return each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) -> const plain_access* {
        for (std::uint32_t i = at(granule).accesses; i != 0; i = pool_[i - 1].next) {
            const plain_access& a = pool_[i - 1];
            if (!(a.mask & mask)) continue;
            meet(granule, a, thread);
            if (a.freed || ((a.write || write) && !ordered_before(a, thread, hb))) return &a;
        }
        return nullptr;
    });
}

void shadow_memory::mark_atomic(std::uintptr_t address, std::size_t size) {
    each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) -> const plain_access* {
        cell& c = at(granule);
        if ((c.atomics & mask) != mask) {
            cell changed = c;
            changed.atomics |= mask;
            set(c, changed);
        }
        return nullptr;
    });
}

bool shadow_memory::written(std::uintptr_t address, std::size_t size) {
    return each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) -> const plain_access* {
               for (std::uint32_t i = at(granule).accesses; i != 0; i = pool_[i - 1].next)
                   if (pool_[i - 1].write && !pool_[i - 1].allocated && (pool_[i - 1].mask & mask))
                       return &pool_[i - 1];
               return nullptr;
           }) != nullptr;
}

void shadow_memory::begin_anew(std::uintptr_t address, std::size_t size, plain_access by) {
    each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) -> const plain_access* {
        by.mask = mask;
        by.next = 0;
        by.write = by.allocated = true;
        pool_.push_back(by);
        cell& c = at(granule);
        cell changed = c;
        changed.accesses = static_cast<std::uint32_t>(pool_.size());
        set(c, changed);
        return nullptr;
    });
}

bool shadow_memory::repeats(const plain_access& a, std::uint32_t list, unsigned released) const {
    for (std::uint32_t k = list; k != 0; k = pool_[k - 1].next) {
        const plain_access& b = pool_[k - 1];
        if (b.thread == a.thread && b.index <= a.index && b.index + 1u >= released &&
            (b.mask & a.mask) == a.mask && (b.write || !a.write) && !a.freed && b.depth == a.depth)
            return true;
    }
    return false;
}

bool shadow_memory::repeats_since(std::size_t log_size, thread_id thread, unsigned index, unsigned released,
                                  std::uintptr_t heap_end) {
    const cell* const fresh = &at(heap_end);
    const cell* const end_of_heap = &at(memory_.heap_begin(thread + 1u));
    for (std::size_t i = log_size; i < log_.size(); ++i) {
        const cell* const where = log_[i].where;
        if (where >= fresh && where < end_of_heap) continue;
        const auto earlier = [&](const change& c) { return c.where == where; };
        if (std::any_of(log_.begin() + static_cast<std::ptrdiff_t>(log_size),
                        log_.begin() + static_cast<std::ptrdiff_t>(i), earlier))
            continue;
        for (std::uint32_t now = where->accesses; now != 0; now = pool_[now - 1].next) {
            const plain_access& a = pool_[now - 1];
            if (a.thread != thread || a.index != index) continue;
            if (!repeats(a, log_[i].other.accesses, released)) return false;
        }
    }
    return true;
}

bool shadow_memory::range_is_atomic(std::uintptr_t address, std::size_t size) {
    static const plain_access yes{};
    return each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
               return (at(granule).atomics & mask) ? &yes : nullptr;
           }) != nullptr;
}

void shadow_memory::undo(std::size_t log_size, std::vector<change>* keep) {
    const std::size_t kept_from = keep ? keep->size() : 0;
    if (keep) keep->insert(keep->end(), log_.begin() + log_size, log_.end());
    for (std::size_t i = log_.size(); i-- > log_size;) {
        if (keep) (*keep)[kept_from + i - log_size].other = *log_[i].where;
        *log_[i].where = log_[i].other;
    }
    log_.shrink(log_size);
}

void shadow_memory::redo(std::vector<change>& kept, std::size_t from) {
    for (std::size_t i = from; i < kept.size(); ++i) set(*kept[i].where, kept[i].other);
    kept.resize(from);
}

} // namespace ringproof::verify
