// SPDX-License-Identifier: Apache-2.0
#pragma once
// The heap of one thread of the program under test. Allocations lie one above the other, and what is known of them
// stands among them, in the program's memory: saved and put back with it, nothing has to be undone. Freed blocks are in
// lists by their size. From each allocation there is a way to the one below it and one, a jump, much further down, so
// that what an address belongs to is found in logarithmic time however many there are.
//
// The jumps are those of E. W. Myers' random-access stacks (1983): an allocation's jump goes twice as far as that of the
// one below if that one's and the next one's go equally far, otherwise to the one below.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ringproof::verify {

/// Blocks of one class serve the same allocations.
constexpr std::uint32_t size_class(std::size_t size) {
    return static_cast<std::uint32_t>((std::max<std::size_t>(size, 1) + 15) / 16);
}

/// What stands before each allocation.
struct allocation_header {
    std::uint32_t index = 0;        ///< after which event of its thread it was made
    std::uint32_t older = 0;        ///< the allocation below it, see heap; bit 0: this one is freed
    std::uint32_t freed_index = 0;  ///< after which event of `freed_by`
    std::uint32_t room = 0;         ///< the size it was made with
    std::uint32_t jump = 0;         ///< an allocation below it
    std::uint32_t next_freed = 0;   ///< the one freed before it, of those in its list
    std::uint32_t lasting = 0;      ///< of a freed one, see heap::lasting_below()
    std::uint8_t thread = 0;        ///< whose it is: that in whose heap it lies, unless it came from another
    std::uint8_t freed_by = nobody; ///< nobody: it is not to be used again
    std::uint8_t reach = 0;         ///< its jump goes 2^reach - 1 allocations down
    std::uint8_t spare = 0;         ///< by how much its size is below the greatest of its class

    static constexpr std::uint8_t nobody = 0xff;
    bool freed() const { return older & 1; }
    bool may_come_again() const { return freed() && freed_by != nobody; }
    std::size_t size() const { return std::size_t{size_class(room)} * 16 - spare; }
    /// @param to of the same class
    void resize(std::size_t to) {
        spare = static_cast<std::uint8_t>(std::size_t{size_class(room)} * 16 - to);
    }
    static allocation_header* of(std::uintptr_t address) {
        return reinterpret_cast<allocation_header*>(address - sizeof(allocation_header));
    }
};
static_assert(sizeof(allocation_header) == 32);

class heap {
  public:
    static constexpr std::size_t extent = std::size_t{1} << 30; // address space, not memory
    using header = allocation_header;

    explicit heap(std::uintptr_t begin) : begin_(begin) {}
    static heap around(std::uintptr_t address) { return heap(address & ~(extent - 1)); }

    /// Freed blocks of some sizes.
    struct freed_list {
        std::uint32_t last = 0;        ///< the one freed last
        std::uint32_t first_index = 0; ///< none was freed by `by` before that event
        std::uint8_t by = nobody;      ///< who freed all of them: nobody when it was several
        static constexpr std::uint8_t nobody = header::nobody;
    };
    /// What a heap begins with. Places are told by how far they are from there; 0: none.
    struct head {
        std::uintptr_t newest = 0; ///< the newest allocation
        std::uint32_t frees = 0;   ///< how many there have been
        std::uint32_t reused = 0;  ///< whether any freed block has been used again
        std::array<freed_list, 16> freed{};
    };
    head& first() const { return *reinterpret_cast<head*>(begin_); }

    /// Puts an allocation above all others.
    void add(std::uintptr_t address, std::size_t size, std::uint8_t thread, std::uint32_t index) const {
        header& h = *header::of(address);
        h = header{};
        h.index = index;
        h.room = static_cast<std::uint32_t>(size);
        h.resize(size);
        h.thread = thread;
        if (const std::uintptr_t below = first().newest; below != 0) {
            const header& b = *header::of(below);
            const bool doubles = b.jump != 0 && header::of(at(b.jump))->reach == b.reach;
            h.older = place(below);
            h.jump = doubles ? header::of(at(b.jump))->jump : place(below);
            h.reach = doubles ? static_cast<std::uint8_t>(b.reach + 1) : std::uint8_t{1};
        }
        first().newest = address;
    }

    /// The allocation that begins at `address` or is the next one below, or 0.
    /// @param from an allocation above `address` to look from, or 0
    std::uintptr_t find(std::uintptr_t address, std::uintptr_t from = 0) const {
        std::uintptr_t a = from != 0 ? from : first().newest;
        while (a > address) {
            const header& h = *header::of(a);
            const std::uintptr_t far = at(h.jump);
            a = h.jump != 0 && far > address ? far : below(a);
        }
        return a;
    }

    /// Notes that the block at `address`, which was not, is freed, and may come again.
    void release(std::uintptr_t address, std::uint8_t by, std::uint32_t index) const {
        header& h = *header::of(address);
        h.older |= 1;
        h.freed_by = by;
        h.freed_index = index;
        freed_list& list = list_of(size_class(h.room));
        if (list.last == 0)
            list = {0, index, by};
        else if (list.by != by)
            list.by = freed_list::nobody;
        h.next_freed = list.last;
        list.last = place(address);
        ++first().frees;
    }
    /// Gives a freed block to `thread`.
    void use_again(std::uintptr_t address, std::size_t size, std::uint8_t thread, std::uint32_t index) const {
        header& h = *header::of(address);
        std::uint32_t* next = &list_of(size_class(h.room)).last;
        while (*next != place(address)) next = &header::of(at(*next))->next_freed;
        *next = h.next_freed;
        h.next_freed = h.lasting = 0;
        h.older &= ~1u;
        h.resize(size);
        h.index = index;
        h.thread = thread;
        first().reused = 1;
    }

    /// The list that has all freed blocks of a class that may come again, and maybe others.
    const freed_list& freed_of(std::uint32_t of_class) const { return list_of(of_class); }
    /// Calls f(address, header) for those of the class, the last one freed first, until it returns false. @return whether
    /// it never did
    template <class Function>
    bool each_freed(std::uint32_t of_class, Function f) const {
        for (std::uint32_t p = list_of(of_class).last; p != 0;) {
            const header& h = *header::of(at(p));
            if (size_class(h.room) == of_class && !f(at(p), h)) return false;
            p = h.next_freed;
        }
        return true;
    }
    /// Calls f(address, header) for each allocation that is not freed, the newest one first.
    template <class Function>
    void each_lasting(Function f) const {
        for (std::uintptr_t a = first().newest; a != 0;) {
            const header& h = *header::of(a);
            if (h.freed()) {
                a = lasting_below(a);
                continue;
            }
            f(a, h);
            a = below(a);
        }
    }

  private:
    static constexpr std::uint32_t nothing_lasts = 1; // no place: an allocation's is a multiple of 16

    std::uintptr_t at(std::uint32_t place) const { return begin_ + place; }
    std::uint32_t place(std::uintptr_t address) const { return static_cast<std::uint32_t>(address - begin_); }
    freed_list& list_of(std::uint32_t of_class) const { return first().freed[of_class % 16]; }
    std::uintptr_t below(std::uintptr_t address) const {
        const std::uint32_t older = header::of(address)->older & ~1u;
        return older == 0 ? 0 : at(older);
    }
    /// The first allocation below a freed one that is not freed, or 0. Where none has been used again, what is freed
    /// stays so: each notes how far this went, and those who come by later need not go that way again.
    std::uintptr_t lasting_below(std::uintptr_t address) const {
        const bool noted = first().reused == 0;
        const auto next = [&](std::uintptr_t a) -> std::uintptr_t {
            const std::uint32_t far = noted ? header::of(a)->lasting : 0;
            return far == 0 ? below(a) : far == nothing_lasts ? 0 : at(far);
        };
        std::uintptr_t found = address;
        while (found != 0 && header::of(found)->freed()) found = next(found);
        if (!noted) return found;
        for (std::uintptr_t a = address; a != found;) {
            const std::uintptr_t then = next(a);
            header::of(a)->lasting = found == 0 ? nothing_lasts : place(found);
            a = then;
        }
        return found;
    }

    std::uintptr_t begin_;
};

} // namespace ringproof::verify
