// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is known of each 8-byte granule of memory: the plain accesses that a later one can race with.
// Accesses that a later access dominates (same bytes, ordered before it, no weaker) are dropped, so
// the lists stay short. Every change is logged and can be undone and redone.

#include "../graph/graph.hpp"
#include "../graph/growing.hpp"
#include "../model/model.hpp"
#include "../program/contexts.hpp"
#include "../program/memory.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// A plain access: after event `index` of its thread, before the next.
struct plain_access {
    std::uint32_t index = 0;
    std::uint8_t thread = 0;
    bool write : 1 = false;
    bool freed : 1 = false;     ///< the write that free() is
    bool allocated : 1 = false; ///< that of an allocation which uses memory again
    std::uint8_t mask = 0;      ///< bytes of the granule
    std::uint8_t depth : 7 = 0;
    bool interruptible : 1 = false;      ///< a handler could have come in just before
    std::uint16_t run = 0, released = 0; ///< as in context
    std::uint32_t next = none;
    std::uintptr_t site = 0;
};
static_assert(sizeof(plain_access) == 24 && max_threads <= 256, "each access of memory makes one");

/// Calls f(granule address, mask of bytes) for each granule of a range, until it returns what is not false or null.
/// @return that
template <class Function>
auto each_granule(std::uintptr_t address, std::size_t size, Function f) {
    const std::uintptr_t end = address + size;
    for (std::uintptr_t granule = address & ~std::uintptr_t{7}; granule < end; granule += 8) {
        const unsigned from = granule < address ? static_cast<unsigned>(address - granule) : 0;
        const unsigned to = end - granule < 8 ? static_cast<unsigned>(end - granule) : 8;
        const auto mask = static_cast<std::uint8_t>((0xffu >> (8 - (to - from))) << from);
        if (const auto found = f(granule, mask)) return found;
    }
    return decltype(f(address, std::uint8_t{})){};
}

class shadow_memory {
  public:
    explicit shadow_memory(const program_memory& memory);
    /// Covers data that the memory has now and had not before.
    void cover_new_data();
    ~shadow_memory();
    shadow_memory(const shadow_memory&) = delete;
    shadow_memory& operator=(const shadow_memory&) = delete;

    struct cell {
        std::uint32_t accesses = none_plus_one; ///< list head + 1; 0 is empty, as fresh memory is
        std::uint32_t atomics = 0;              ///< bytes that are part of an atomic location
        static constexpr std::uint32_t none_plus_one = 0;
    };

    /// A plain access by a thread with clock `hb`, which is noted unless it races. @return null, or what it races with; of
    /// a race that ignores() a copy, and the access is noted
    const plain_access* access(std::uintptr_t address, std::size_t size, plain_access by, thread_clock hb,
                               const contexts& within);

    /// From now on a race between plain accesses of two threads changes nothing: both stay known.
    void ignore_races() { ignores_ = true; }
    /// Whether the race of an access `by` with `other` is such a one: not with memory that was freed or got again.
    bool ignores(const plain_access& other, const plain_access& by) const {
        return ignores_ && !other.freed && !other.allocated && !by.freed && other.thread != by.thread;
    }

    /// From now on calls `f` with each access by a thread of `watched` (bit t) that an access by another thread meets.
    using meeting = std::function<void(std::uintptr_t address, const plain_access& earlier, thread_id by)>;
    void on_meeting(const std::uint32_t& watched, meeting f) {
        watched_ = &watched;
        meeting_ = std::move(f);
    }

    /// From now on threads may have handlers, whose events are in `g`.
    void heed_handlers(const graph& g) { graph_ = &g; }

    /// An atomic access: it races with plain accesses alone, and is not noted here. @return as above
    const plain_access* atomic(std::uintptr_t address, std::size_t size, bool write, thread_id thread,
                               thread_clock hb);

    /// Notes that these bytes are accessed atomically.
    void mark_atomic(std::uintptr_t address, std::size_t size);
    /// Whether a plain write of any of these bytes is known.
    bool written(std::uintptr_t address, std::size_t size);
    /// Whether nothing is known yet of the granule of this byte.
    bool fresh(std::uintptr_t address) {
        const cell& c = at(address);
        return c.accesses == cell::none_plus_one && c.atomics == 0;
    }
    /// Whether any of these bytes is accessed atomically.
    bool is_atomic(std::uintptr_t address, std::size_t size) {
        const std::size_t first = address & 7;
        if (first + size <= 8) return (at(address).atomics & ((0xffu >> (8 - size)) << first)) != 0;
        return range_is_atomic(address, size);
    }

    /// Whether `thread`'s accesses since the log had this size, all after event `index` of it, say nothing
    /// new: it made the same ones before, after its event before `released`, the last that others can order
    /// themselves by; or nobody else knows the memory, which lies in its heap at or above `heap_end`.
    bool repeats_since(std::size_t log_size, thread_id thread, unsigned index, unsigned released,
                       std::uintptr_t heap_end);
    /// Calls f(address of a granule, mask of its bytes, access) for what `thread` wrote with plain
    /// accesses after its event `index`, as far as that was noted since the log had this size, until f returns
    /// false; more than once for some. @return false then, or when an address is not known
    template <class Function>
    bool each_write_since(std::size_t log_size, thread_id thread, unsigned index, Function f) {
        // An access that a later one dominates, be it another thread's or free(), is in the lists before that alone.
        for (std::size_t i = log_size; i < log_.size(); ++i)
            for (const std::uint32_t list : {log_[i].where->accesses, log_[i].other.accesses})
                for (std::uint32_t k = list; k != 0; k = pool_[k - 1].next) {
                    const plain_access& a = pool_[k - 1];
                    if (a.thread != thread || !a.write || a.index < index) continue;
                    const std::uintptr_t address = address_of(log_[i].where);
                    if (address == 0 || !f(address, a.mask, a)) return false;
                }
        return true;
    }
    /// Calls f(address of a granule, access) for the plain accesses of `thread` after its event `index`, or a later one, that
    /// were noted since the log had this size, but for those that it had made before, after its event before
    /// `released`; more than once for some.
    template <class Function>
    void each_new_access_since(std::size_t log_size, thread_id thread, unsigned index, unsigned released,
                               Function f) const {
        for (std::size_t i = log_size; i < log_.size(); ++i)
            for (const std::uint32_t list : {log_[i].where->accesses, log_[i].other.accesses})
                for (std::uint32_t k = list; k != 0; k = pool_[k - 1].next) {
                    const plain_access& a = pool_[k - 1];
                    if (a.thread == thread && a.index >= index &&
                        !repeats(a, before(log_[i].where, log_size, i).accesses, released))
                        f(granule_of(log_[i].where), a);
                }
    }
    /// Forgets what is known of freed memory that is used again but `by`, its allocation.
    void begin_anew(std::uintptr_t address, std::size_t size, plain_access by);
    std::size_t log_size() const { return log_.size(); }
    /// Takes back what was changed since the log had this size. When `keep`, the changes are moved
    /// there, for redo().
    struct change {
        cell* where;
        cell other; ///< the cell before the change; after it, once undone
    };
    void undo(std::size_t log_size, std::vector<change>* keep = nullptr);
    void redo(std::vector<change>& kept, std::size_t from);

    std::size_t pool_size() const { return pool_.size(); }
    void shrink_pool(std::size_t size) { pool_.shrink(size); }

  private:
    cell& at(std::uintptr_t address) {
        if (memory_.in_region(address)) return region_[(address - memory_.region().begin) / 8];
        return beyond_region(address);
    }
    cell& beyond_region(std::uintptr_t address);
    std::uintptr_t address_of(const cell* c) const;
    std::uintptr_t granule_of(const cell* c) const;
    /// What the cell was when the log had the size `from`; its change `i` is one since.
    const cell& before(const cell* where, std::size_t from, std::size_t i) const {
        while (log_[from].where != where && from < i) ++from;
        return log_[from].other;
    }
    /// Whether `a` is one that its thread made before: in `list`, and after its event before `released`.
    bool repeats(const plain_access& a, std::uint32_t list, unsigned released) const;
    bool range_is_atomic(std::uintptr_t address, std::size_t size);
    void set(cell& c, cell value) {
        log_.push_back({&c, c});
        c = value;
    }
    const plain_access* conflict_of(const plain_access& a, const plain_access& by, bool before);
    const plain_access* access_granule(std::uintptr_t granule, plain_access by, thread_clock hb,
                                       const contexts& within);
    void meet(std::uintptr_t granule, const plain_access& earlier, thread_id by) {
        if ((*watched_ >> earlier.thread & 1) != 0 && earlier.thread != by) meeting_(granule, earlier, by);
    }
    bool ordered_before(const plain_access& a, thread_id thread, thread_clock hb) const;

    const graph* graph_ = nullptr;
    bool ignores_ = false;
    std::optional<plain_access> ignored_; ///< of the access at hand
    static constexpr std::uint32_t no_thread_at_all = 0;
    const std::uint32_t* watched_ = &no_thread_at_all;
    meeting meeting_;

    const program_memory& memory_;
    cell* region_ = nullptr;
    std::vector<cell*> data_;
    std::unordered_map<std::uintptr_t, cell> elsewhere_;
    growing<plain_access> pool_;
    growing<change> log_;
    growing<std::uint32_t>
        survivors_; ///< of the granule at hand: accesses that the new one does not dominate
};

} // namespace ringproof::verify
