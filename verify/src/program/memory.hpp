// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of the program under test: one region at a fixed address that holds its heaps, its stacks and what it
// maps, and the writable data of its executable. All of it can be saved and restored.
//
// Each thread has a heap of its own: where its allocations go depends on nothing but what it has allocated before,
// so that they are at the same addresses in every execution in which it does the same.

#include "../graph/clock.hpp"
#include "mapped.hpp"

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

class program_memory {
  public:
    /// What stands before each allocation.
    struct header {
        std::uint32_t size;
        std::uint16_t index;  ///< after which event of its thread it was made
        std::uint16_t thread; ///< whose it is: that in whose heap it lies, unless it came from another
        std::uintptr_t older; ///< the allocation below it; bit 0: this one is freed
        std::uint16_t freed_index = 0;   ///< after which event of `freed_by`
        std::uint16_t freed_by = nobody; ///< nobody: it is not to be used again
        std::uint32_t room = 0;          ///< the size it was made with
    };
    static constexpr std::uint16_t nobody = 0xffff;
    static header* header_of(std::uintptr_t address) {
        return reinterpret_cast<header*>(address - sizeof(header));
    }
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
        std::uint16_t thread = 0, index = 0;
    };
    origin origin_of(std::uintptr_t address) const;
    static std::size_t allocation_size(std::uintptr_t address) { return header_of(address)->size; }
    static void note_freed(std::uintptr_t address, std::uint16_t by = nobody, unsigned index = 0) {
        header& h = *header_of(address);
        if (h.older & 1) return;
        h.older |= 1;
        h.freed_by = by;
        h.freed_index = static_cast<std::uint16_t>(index);
        if (by != nobody) ++frees(heap_owner_of(address));
    }
    /// Calls f(number, address, header) for each freed allocation that may be used again. Its number is the same in
    /// every execution, and not 0.
    template <class Function>
    void each_freed(Function f) const {
        heaps_.each([&](thread_id t, std::uintptr_t) {
            if (frees(t) == 0) return;
            for (std::uintptr_t a = *newest(t); a != 0; a = header_of(a)->older & ~std::uintptr_t{1})
                if ((header_of(a)->older & 1) && header_of(a)->freed_by != nobody)
                    f(number_of(a), a, *header_of(a));
        });
    }
    /// Whether the word at `address` is the heap's own: of its beginning, or of the header of freed memory.
    bool is_bookkeeping(std::uintptr_t address) const {
        if (!in_heap(address)) return false;
        bool is = address - heap_begin(heap_owner(address)) < 2 * sizeof(std::uintptr_t);
        each_freed([&](std::uint32_t, std::uintptr_t a, const header& h) {
            is = is || (address < a && address >= reinterpret_cast<std::uintptr_t>(&h));
        });
        return is;
    }
    /// Whether anything was freed.
    bool any_freed() const {
        bool any = false;
        heaps_.each([&](thread_id t, std::uintptr_t) { any = any || frees(t) != 0; });
        return any;
    }
    /// Gives a freed allocation to `thread`.
    static void use_again(std::uintptr_t address, std::size_t size, unsigned thread, unsigned index) {
        header& h = *header_of(address);
        h.size = static_cast<std::uint32_t>(size);
        h.index = static_cast<std::uint16_t>(index);
        h.thread = static_cast<std::uint16_t>(thread);
        h.older &= ~std::uintptr_t{1};
    }
    /// Calls f(address, size) for each allocation that is not freed, the last one of each thread first.
    template <class Function>
    void each_allocation(Function f) const {
        heaps_.each([&](thread_id t, std::uintptr_t) {
            for (std::uintptr_t a = *newest(t); a != 0; a = header_of(a)->older & ~std::uintptr_t{1})
                if (!(header_of(a)->older & 1)) f(a, std::size_t{header_of(a)->size});
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

    bool in_heap(std::uintptr_t a) const { return heap_.contains(a); }
    bool in_region(std::uintptr_t a) const { return region_.contains(a); }
    const memory_range& region() const { return region_; }
    /// Whether `a` is in the code of the executable.
    bool in_code(std::uintptr_t a) const;
    /// Whether `a` is in the engine's own code.
    bool in_engine(std::uintptr_t a) const { return engine_.contains(a); }
    /// Writable data of the executable, without what is read-only after relocation.
    const std::vector<memory_range>& data() const { return data_; }
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
    static constexpr std::size_t heap_size = std::size_t{1} << 30; // of a thread: address space, not memory
    static constexpr std::size_t stack_size = std::size_t{1} << 20;
    static constexpr std::size_t guard_size = 4096;

    /// A heap begins with the address of its newest allocation, and the number of those freed.
    std::uintptr_t* newest(unsigned t) const { return reinterpret_cast<std::uintptr_t*>(heap_begin(t)); }
    static std::uintptr_t& frees(unsigned t) {
        return reinterpret_cast<std::uintptr_t*>(region_address + t * heap_size)[1];
    }
    static unsigned heap_owner_of(std::uintptr_t a) {
        return static_cast<unsigned>((a - region_address) / heap_size);
    }
    /// Allocations lie further apart than the 32 bytes that it counts in.
    static std::uint32_t number_of(std::uintptr_t a) {
        return static_cast<std::uint32_t>(heap_owner_of(a) << 25 | (a - region_address) % heap_size >> 5);
    }

    memory_range region_, heap_, engine_;
    heap_tops heaps_;
    std::vector<memory_range> data_, code_;
};

} // namespace ringproof::verify
