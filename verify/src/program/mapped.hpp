// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that the program maps: behind its heaps and stacks, in a slot of address space for each thread, so that
// addresses depend on nothing but what the thread has mapped before. No address is used twice in one execution.
//
// A slot begins with the engine's notes: a list of layers, each of which says what a range of addresses is from then
// on. To unmap a part, or to change its protection, is to put a layer on top. The notes lie in the slot itself, so
// that saved states have them without further code.
//
// Slots are large and mostly empty. A page that the program has not touched is out of reach (PROT_NONE) and belongs to
// no saved state; touching it, which the engine notices or else SIGSEGV tells, puts it on a list for good.

#include "../graph/clock.hpp"

#include <cstddef>
#include <cstdint>

namespace ringproof::verify {
struct memory_range;
}

namespace ringproof::verify::mapped {

#if defined(__x86_64__)
inline constexpr std::size_t page_size = 4096;
#else
inline constexpr std::size_t page_size = 65536; // a multiple of any that the system may have
#endif
inline constexpr std::size_t slot_size = std::size_t{1} << 37; // address space, not memory
/// Slots of the process: what static objects mapped before main(), and what sbrk() gives.
inline constexpr unsigned early_slot = max_threads, break_slot = max_threads + 1,
                          slot_count = max_threads + 2;
inline constexpr std::size_t whole_size = slot_count * slot_size;
/// The thread of what was mapped before the search began.
inline constexpr std::uint16_t nobody = 0xffff;

enum : std::uint8_t { may_read = 1, may_write = 2 };

/// What a range of addresses is.
struct layer {
    std::uintptr_t begin = 0, end = 0;
    layer* older = nullptr;
    std::uintptr_t site = 0; ///< of the call that made it so
    std::uint32_t index = 0; ///< after which event of its thread
    std::uint16_t thread = nobody;
    std::uint8_t rights = 0; ///< what the program may do there
    std::uint8_t given = 0;  ///< rights that came with this layer: who uses them has to be ordered behind it
    bool unmapped = false;
    bool beyond = false;     ///< behind the end of the file that is mapped
    bool is_shared = false;  ///< by the processes that fork() makes
    bool is_home = false;    ///< of memory that the program sees at other addresses, see views.hpp
    std::uintptr_t home = 0; ///< where the memory lies that is seen from `begin` on; 0: here
    bool contains(std::uintptr_t a) const { return a >= begin && a < end; }
};

/// Where slot `n` lies.
std::uintptr_t slot_begin(unsigned n);
/// Where in slot `n` the first mapping goes.
std::uintptr_t first_in(unsigned n);
inline std::uintptr_t whole_pages(std::uintptr_t size) { return (size + page_size - 1) & ~(page_size - 1); }

/// Makes the slots of the process usable before the search. @return false when the system refuses
bool open_early();
/// Reserves the slots. @throws std::runtime_error when the system refuses
void open();
/// Gives up all but what static objects mapped.
void close();

/// Makes the pages of a range accessible; their contents are zero. @return false when the system refuses, which has
/// room for so many separate ranges only
bool touch(std::uintptr_t address, std::size_t size);
bool touched(std::uintptr_t address);
/// The first touched page from the page `address` on, or `end` where there is none before.
std::uintptr_t next_touched(std::uintptr_t address, std::uintptr_t end);
/// Calls f(page) for each touched page of a range, in order.
template <class Function>
void each_touched(std::uintptr_t begin, std::uintptr_t end, Function f) {
    for (std::uintptr_t page = next_touched(begin, end); page < end;
         page = next_touched(page + page_size, end))
        f(page);
}
/// Fills a range with zeros, as far as it was touched. Before the search: all of it.
void clear(std::uintptr_t begin, std::uintptr_t end);

/// The latest layer at `address`, which lies in some slot, or null. @param before look at older ones than this
const layer* find(std::uintptr_t address, const layer* before = nullptr);
/// Calls f(layer or null, begin, end) for each part of a range that has one latest layer, until it returns false.
template <class Function>
bool each_part(std::uintptr_t begin, std::uintptr_t end, Function f);
/// Whether any memory is mapped that a process which fork() makes has a copy of.
bool any_private();
/// Puts a layer on top, or in the place of the latest when that has the same range and `in_place`. @return null when
/// there is no room for more of them
layer* put(const layer& what, bool in_place);
/// Addresses for a new mapping of whole pages in slot `n`. @return 0 when the slot is full
std::uintptr_t reserve(unsigned n, std::size_t size, std::size_t alignment = page_size);
/// Whether nothing has been mapped in the slot of `address` behind `end`; then the slot is made to end at `to`.
bool extend(std::uintptr_t end, std::uintptr_t to);
/// The first of what the engine keeps of the files in memory that the thread of slot `n` made, see files.cpp.
void*& files_of(unsigned n);

// Saved states, see images.hpp.
/// Whether the program has mapped anything, in this execution or another.
bool any();
/// How many pages belong to a state by now.
std::size_t live_pages();
inline std::size_t image_size(std::size_t pages) { return pages * (sizeof(std::uintptr_t) + page_size); }
/// Writes `pages` of them to `to`.
void save(char* to, std::size_t pages);
void restore(const char* from, std::size_t pages);
bool same(const char* from, std::size_t pages);
/// What was at `address` in an image, or null.
const char* bytes_of(const char* from, std::size_t pages, std::uintptr_t address, std::size_t size);

/// The end of the part that begins at `address` and has one latest layer.
std::uintptr_t end_of_part(std::uintptr_t address, std::uintptr_t end);

template <class Function>
bool each_part(std::uintptr_t begin, std::uintptr_t end, Function f) {
    while (begin < end) {
        const std::uintptr_t next = end_of_part(begin, end);
        if (!f(find(begin), begin, next)) return false;
        begin = next;
    }
    return true;
}

} // namespace ringproof::verify::mapped
