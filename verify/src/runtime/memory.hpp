// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of the program under test: one region at a fixed address that holds its heap and its
// stacks, and the writable data of its executable. All of it can be saved and restored.

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
        std::uint16_t thread, index; ///< who allocated it, after which event
        std::uintptr_t older;        ///< the allocation before; bit 0: this one is freed
    };
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

    /// Allocates from the heap; addresses are never used twice in one execution, so that an access
    /// after free is seen. @return 0 when the heap is exhausted
    /// @param thread,index the allocating thread, and its last event
    std::uintptr_t allocate(std::size_t size, std::size_t alignment, unsigned thread = 0, unsigned index = 0);
    /// Who allocated the memory at `address`, as far as that is one of the newest allocations.
    struct origin {
        bool known = false;
        std::uint16_t thread = 0, index = 0;
    };
    origin origin_of(std::uintptr_t address) const;
    static std::size_t allocation_size(std::uintptr_t address) { return header_of(address)->size; }
    static void note_freed(std::uintptr_t address) { header_of(address)->older |= 1; }
    /// Whether `thread` has allocated since the heap ended at `top`.
    bool allocated_since(std::uintptr_t top, unsigned thread) const;
    /// Calls f(address, size) for each allocation that is not freed, the last one first.
    template <class Function>
    void each_allocation(Function f) const {
        for (std::uintptr_t a = *newest(); a != 0; a = header_of(a)->older & ~std::uintptr_t{1})
            if (!(header_of(a)->older & 1)) f(a, std::size_t{header_of(a)->size});
    }

    /// Highest address of the stack of thread `t`.
    std::uintptr_t stack_top(unsigned t) const { return heap_.end + (t + 1) * stack_size; }
    memory_range stack(unsigned t) const { return {stack_top(t) - stack_size + guard_size, stack_top(t)}; }
    /// The thread whose stack `address` lies in, or -1.
    int stack_owner(std::uintptr_t address) const {
        if (!region_.contains(address) || heap_.contains(address)) return -1;
        return static_cast<int>((address - heap_.end) / stack_size);
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

    std::uintptr_t heap_begin() const { return heap_.begin; }
    std::uintptr_t heap_top() const { return heap_top_; }
    void set_heap_top(std::uintptr_t top) { heap_top_ = top; }

  private:
    static constexpr std::size_t stack_size = std::size_t{1} << 20;
    static constexpr std::size_t guard_size = 4096;

    /// The heap begins with the address of its newest allocation.
    std::uintptr_t* newest() const { return reinterpret_cast<std::uintptr_t*>(heap_.begin); }

    memory_range region_, heap_, engine_;
    std::uintptr_t heap_top_ = 0;
    std::vector<memory_range> data_, code_;
};

} // namespace ringproof::verify
