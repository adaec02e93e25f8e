// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of the program under test: one region at a fixed address that holds its heaps, its stacks and what it
// maps, and the writable data of its executable. All of it can be saved and restored.
//
// Each thread has a heap of its own: where its allocations go depends on nothing but what it has allocated before,
// so that they are at the same addresses in every execution in which it does the same.

#include "../graph/clock.hpp"
#include "heap.hpp"
#include "mapped.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringproof::verify {

struct memory_range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool contains(std::uintptr_t a) const { return a >= begin && a < end; }
    std::size_t size() const { return end - begin; }
};

/// The engine's own code.
memory_range engine_code();
/// The part of any loaded object's code that has `address`, or an empty range.
memory_range loaded_code_around(std::uintptr_t address);
/// Whether these bytes are a part of a loaded object that can be read and never written.
bool is_constant(const memory_range& bytes);

class program_memory {
  public:
    using header = allocation_header;
    static constexpr std::uint8_t nobody = header::nobody;
    /// Where an allocation goes that begins behind `top` and its header.
    static std::uintptr_t place_of(std::uintptr_t top, std::size_t alignment) {
        return (top + sizeof(header) + alignment - 1) & ~(alignment - 1);
    }

    /// Maps the region. @throws std::runtime_error when the system refuses
    program_memory();
    ~program_memory();
    program_memory(const program_memory&) = delete;
    program_memory& operator=(const program_memory&) = delete;

    /// Allocates from the heap of `thread`; addresses are never used twice in one execution, so that an access
    /// after free is seen. @return 0 when that heap is exhausted
    /// @param index the thread's last event
    std::uintptr_t allocate(std::size_t size, std::size_t alignment, unsigned thread = 0, unsigned index = 0);
    /// Which thread allocated the memory at `address`, and after which of its events.
    struct origin {
        bool known = false;
        std::uint16_t thread = 0;
        std::uint32_t index = 0;
    };
    origin origin_of(std::uintptr_t address) const;
    static std::size_t allocation_size(std::uintptr_t address) { return header::of(address)->size(); }
    static void note_freed(std::uintptr_t address, unsigned by = nobody, unsigned index = 0) {
        header& h = *header::of(address);
        if (h.freed()) return;
        if (by == nobody)
            h.older |= 1;
        else
            heap::around(address).release(address, static_cast<std::uint8_t>(by), index);
    }
    /// Calls f(heap) for each heap, that of `t` first, until it returns false. @return whether it never did
    template <class Function>
    bool each_heap(thread_id t, Function f) const {
        if (heaps_.has(t) && !f(heap_of(t))) return false;
        bool all = true;
        heaps_.each([&](thread_id u, std::uintptr_t) { all = all && (u == t || f(heap_of(u))); });
        return all;
    }
    /// The same in every execution, and not 0. Allocations lie further apart than the 32 bytes that it counts in.
    static std::uint32_t number_of(std::uintptr_t a) {
        return static_cast<std::uint32_t>((a - region_address) / heap::extent << 25 |
                                          (a - region_address) % heap::extent >> 5);
    }
    /// The freed block of that number that may be used again, or 0.
    std::uintptr_t freed_block(std::uint32_t number) const {
        const auto t = static_cast<thread_id>(number >> 25);
        const std::uintptr_t last = heap_begin(t) + ((number & ((1u << 25) - 1)) << 5 | 31);
        const std::uintptr_t a = heaps_.has(t) ? heap_of(t).find(last) : 0;
        return a != 0 && number_of(a) == number && header::of(a)->may_come_again() ? a : 0;
    }
    /// The block that `address` in a heap lies in or above, or 0.
    /// @param known any block: when it is not far above, it is found quicker
    std::uintptr_t block_at(std::uintptr_t address, std::uintptr_t known = 0) const {
        const unsigned t = heap_owner(address);
        const bool above = known > address && heap_owner(known) == t;
        return heaps_.has(t) ? heap_of(t).find(address, above ? known : 0) : 0;
    }
    /// Whether the word at `address` is the heap's own: of its beginning, or of the header of freed memory.
    bool is_bookkeeping(std::uintptr_t address) const {
        if (!in_heap(address)) return false;
        if (address - heap_begin(heap_owner(address)) < sizeof(heap::head)) return true;
        const std::uintptr_t a = block_at(address + sizeof(header)); // headers of two are further apart
        return a > address && header::of(a)->may_come_again();
    }
    /// Whether anything was freed.
    bool any_freed() const {
        bool any = false;
        heaps_.each([&](thread_id t, std::uintptr_t) { any = any || heap_of(t).first().frees != 0; });
        return any;
    }
    /// Whether any freed block of the heap of `t` has been used again.
    bool has_reused(unsigned t) const { return heaps_.has(t) && heap_of(t).first().reused != 0; }
    /// Gives a freed allocation to `thread`.
    static void use_again(std::uintptr_t address, std::size_t size, unsigned thread, unsigned index) {
        heap::around(address).use_again(address, size, static_cast<std::uint8_t>(thread), index);
    }
    /// Calls f(address, size) for each allocation that is not freed, the last one of each thread first.
    template <class Function>
    void each_allocation(Function f) const {
        heaps_.each([&](thread_id t, std::uintptr_t) {
            heap_of(t).each_lasting([&](std::uintptr_t a, const header& h) { f(a, h.size()); });
        });
    }

    /// Highest address of the stack of thread `t`.
    std::uintptr_t stack_top(unsigned t) const { return heap_.end + (t + 1) * stack_size; }
    memory_range stack(unsigned t) const { return {stack_top(t) - stack_size + guard_size, stack_top(t)}; }
    /// The thread whose stack `address` lies in, or -1.
    int stack_owner(std::uintptr_t address) const {
        if (address - heap_.end >= max_threads * stack_size) return -1;
        return static_cast<int>((address - heap_.end) / stack_size);
    }
    /// Whether `a` is where the program's mappings go, see mapped.hpp.
    static bool in_mapped(std::uintptr_t a) { return a - mapped_begin() < mapped::whole_size; }
    static constexpr std::uintptr_t mapped_begin() {
        return region_address + max_threads * (heap_size + stack_size);
    }

    /// Whether `a` is in a heap, on a stack or mapped: at the same place in each process.
    static bool is_fixed(std::uintptr_t a) {
        return a - region_address < max_threads * (heap_size + stack_size) + mapped::whole_size;
    }
    bool in_heap(std::uintptr_t a) const { return heap_.contains(a); }
    bool in_region(std::uintptr_t a) const { return region_.contains(a); }
    const memory_range& region() const { return region_; }
    /// The part of the program's code that has `a`, or an empty range.
    memory_range code_around(std::uintptr_t a) const;
    bool in_code(std::uintptr_t a) const { return code_around(a).size() != 0; }
    /// Whether `a` is in the engine's own code.
    bool in_engine(std::uintptr_t a) const { return engine_.contains(a); }
    /// Writable data of the executable, without what is read-only after relocation.
    const std::vector<memory_range>& data() const { return data_; }
    bool in_data(std::uintptr_t a) const {
        return std::any_of(data_.begin(), data_.end(), [a](const memory_range& d) { return d.contains(a); });
    }
    void add_data(memory_range range) { data_.push_back(range); }
    /// Looks for data of libraries that have been loaded since. @return whether there is any
    bool find_data();

    /// Where the heaps end by now.
    struct heap_tops {
        std::uint32_t used = 0;          ///< bit t: thread t has allocated; otherwise its heap is empty
        std::uintptr_t top[max_threads]; ///< of those that have: not cleared, as it is read at each step back

        bool has(unsigned t) const { return used >> t & 1; }
        /// Calls f(thread, top) for each heap that is not empty.
        template <class Function>
        void each(Function f) const {
            for (std::uint32_t left = used; left != 0; left &= left - 1) {
                const auto t = static_cast<thread_id>(std::countr_zero(left));
                f(t, top[t]);
            }
        }
        friend bool operator==(const heap_tops& a, const heap_tops& b) {
            bool same = a.used == b.used;
            a.each([&](thread_id t, std::uintptr_t end) { same = same && end == b.top[t]; });
            return same;
        }
    };
    const heap_tops& heaps() const { return heaps_; }
    void set_heaps(const heap_tops& to) {
        heaps_.used = to.used;
        to.each([&](thread_id t, std::uintptr_t top) { heaps_.top[t] = top; });
    }
    std::uintptr_t heap_begin(unsigned t) const { return heap_.begin + t * heap_size; }
    /// All that the heap of `t` may ever have.
    memory_range whole_heap(unsigned t) const { return {heap_begin(t), heap_begin(t) + heap_size}; }
    /// The end of what has been allocated in the heap that `address` lies in.
    std::uintptr_t heap_top_at(std::uintptr_t address) const {
        const unsigned t = heap_owner(address);
        return heaps_.has(t) ? heaps_.top[t] : heap_begin(t);
    }
    /// The thread in whose heap `address` lies.
    unsigned heap_owner(std::uintptr_t address) const {
        return static_cast<unsigned>((address - heap_.begin) / heap_size);
    }

  private:
    // Far from where the system puts anything, the same in every run, so that addresses repeat.
    static constexpr std::uintptr_t region_address = 0x2a00'0000'0000;
    static constexpr std::size_t heap_size = heap::extent;
    static constexpr std::size_t stack_size = std::size_t{1} << 20;
    static constexpr std::size_t guard_size = 4096;

    heap heap_of(unsigned t) const { return heap(heap_begin(t)); }

    static_assert(region_address % heap_size == 0 && max_threads < 256);

    memory_range region_, heap_, engine_;
    heap_tops heaps_;
    std::vector<memory_range> data_, code_;
};

} // namespace ringproof::verify
