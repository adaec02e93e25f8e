// SPDX-License-Identifier: Apache-2.0
#include "mapped.hpp"

#include "pages.hpp"
#include "views.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ringproof::verify::mapped {

constinit std::uint8_t* pages::known = nullptr;
constinit std::uint32_t* pages::list = nullptr;
constinit std::size_t pages::list_length = 0;

namespace {

using pages::address_of;
using pages::known;
using pages::list;
using pages::list_length;
using pages::number_of;

constexpr std::uintptr_t begin_address = program_memory::mapped_begin();
constexpr std::uintptr_t early_address = begin_address + early_slot * slot_size;
constexpr std::size_t early_size = (slot_count - early_slot) * slot_size;
constexpr std::size_t notes_size = std::size_t{16} << 20; // at the begin of each slot

struct notes {
    layer* newest;
    std::uintptr_t top;  ///< behind the last mapping; 0: none yet
    std::uintptr_t free; ///< where the next layer goes
    void* files;
};

// Used before the engine's own static objects are made, and after they are gone.
constinit bool early_open = false, tracking = false;

/// What each step of a saved state looks at.
struct touched_pages {
    const std::uint32_t* begin() const { return list; }
    const std::uint32_t* end() const { return list + list_length; }
};

unsigned slot_of(std::uintptr_t address) {
    return static_cast<unsigned>((address - begin_address) / slot_size);
}
notes& notes_of(unsigned slot) { return *reinterpret_cast<notes*>(slot_begin(slot)); }
/// Whether anything was mapped in a slot, in this execution or another.
bool in_use(unsigned slot) {
    return tracking ? known[number_of(slot_begin(slot))] != 0 : early_open && slot >= early_slot;
}

bool is_notes(std::uintptr_t page) { return (page - begin_address) % slot_size < notes_size; }

/// Whether a page that was touched belongs to the program's state. A view does not: its home does.
bool is_live(std::uintptr_t page) {
    if ((page - begin_address) % slot_size == 0) return true;
    if (views_exist && views::is_view(number_of(page))) return false;
    const notes& n = notes_of(slot_of(page));
    return page < (is_notes(page) ? n.free : n.top);
}

bool is_zero(std::uintptr_t page) {
    const auto* const bytes = reinterpret_cast<const char*>(page);
    return *bytes == 0 && std::memcmp(bytes, bytes + 1, page_size - 1) == 0;
}

void protect(std::uintptr_t begin, std::size_t size, int rights) {
    if (mprotect(reinterpret_cast<void*>(begin), size, rights) != 0)
        throw std::runtime_error(std::string("cannot protect the program's mapped memory: ") +
                                 std::strerror(errno));
}

/// What static objects touched is where the search begins; the rest of their memory is out of reach from now on.
void find_early_pages() {
    std::vector<unsigned char> resident;
    constexpr std::size_t at_once = std::size_t{1} << 30;
    for (unsigned slot = early_slot; slot < slot_count; ++slot) {
        const notes& n = notes_of(slot);
        if (n.newest == nullptr && n.top == 0) {
            protect(slot_begin(slot), slot_size, PROT_NONE);
            continue;
        }
        const std::uintptr_t end = std::max(whole_pages(n.top), slot_begin(slot) + notes_size);
        protect(end, slot_begin(slot) + slot_size - end, PROT_NONE);
        for (std::uintptr_t a = slot_begin(slot); a < end; a += at_once) {
            const std::size_t size = std::min(at_once, end - a);
            resident.assign(size / page_size + 1, 0);
            std::vector<unsigned char> parts(size / 4096 + 1, 0);
            if (mincore(reinterpret_cast<void*>(a), size, parts.data()) != 0)
                throw std::runtime_error(std::string("cannot see which memory is in use: ") +
                                         std::strerror(errno));
            for (std::size_t i = 0; i < size / static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); ++i)
                if (parts[i] & 1)
                    resident[i * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / page_size] = 1;
            for (std::size_t i = 0; i < size / page_size; ++i) {
                const std::uintptr_t page = a + i * page_size;
                if (!resident[i]) continue;
                pages::add(number_of(page));
            }
            // One call for what lies between two touched pages.
            for (std::size_t i = 0, from = 0; i <= size / page_size; ++i)
                if (i == size / page_size || resident[i]) {
                    if (i > from) protect(a + from * page_size, (i - from) * page_size, PROT_NONE);
                    from = i + 1;
                }
        }
    }
}

} // namespace

std::uintptr_t slot_begin(unsigned n) { return begin_address + n * slot_size; }
std::uintptr_t first_in(unsigned n) { return slot_begin(n) + notes_size; }

bool open_early() {
    void* const at = reinterpret_cast<void*>(early_address);
    early_open = mmap(at, early_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == at;
    return early_open;
}

void open() {
    const auto map = [](std::uintptr_t at, std::size_t size, int rights) {
        void* const to =
            mmap(reinterpret_cast<void*>(at), size, rights,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
        if (to == MAP_FAILED)
            throw std::runtime_error(std::string("cannot reserve address space for what the program maps: ") +
                                     std::strerror(errno));
        return to;
    };
    map(begin_address, early_open ? whole_size - early_size : whole_size, PROT_NONE);
    known = static_cast<std::uint8_t*>(map(0, pages::count, PROT_READ | PROT_WRITE));
    list = static_cast<std::uint32_t*>(map(0, pages::count * sizeof *list, PROT_READ | PROT_WRITE));
    list_length = 0;
    if (early_open) find_early_pages();
    views::separate_children();
    tracking = true;
}

void close() {
    tracking = false;
    views::close();
    munmap(reinterpret_cast<void*>(begin_address), early_open ? whole_size - early_size : whole_size);
    munmap(known, pages::count);
    munmap(list, pages::count * sizeof *list);
    known = nullptr;
    list_length = 0;
    if (early_open) mprotect(reinterpret_cast<void*>(early_address), early_size, PROT_READ | PROT_WRITE);
}

bool touched(std::uintptr_t address) { return known[number_of(address)] != 0; }

bool touch(std::uintptr_t address, std::size_t size) {
    if (!tracking) return true;
    const std::uint32_t last = number_of(address + (size == 0 ? 0 : size - 1));
    for (std::uint32_t page = number_of(address); page <= last; ++page) {
        if (views_exist && !views::settle(page)) return false;
        if (known[page]) continue;
        if (mprotect(reinterpret_cast<void*>(address_of(page)), page_size, PROT_READ | PROT_WRITE) != 0)
            return false;
        pages::add(page);
    }
    return true;
}

std::uintptr_t next_touched(std::uintptr_t address, std::uintptr_t end) {
    if (!tracking || address >= end) return end;
    const std::uint32_t from = number_of(address), to = number_of(end - 1) + 1;
    if (to - from < 65'536 || to - from < list_length) {
        const void* const at = std::memchr(known + from, 1, to - from);
        return at ? address_of(static_cast<std::uint32_t>(static_cast<const std::uint8_t*>(at) - known))
                  : end;
    }
    std::uint32_t first = to;
    for (const std::uint32_t page : touched_pages())
        if (page >= from && page < first) first = page;
    return first == to ? end : address_of(first);
}

void clear(std::uintptr_t begin, std::uintptr_t end) {
    each_touched(begin, end,
                 [](std::uintptr_t page) { std::memset(reinterpret_cast<void*>(page), 0, page_size); });
    if (!tracking && begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

const layer* find(std::uintptr_t address, const layer* before) {
    if (!before && !in_use(slot_of(address))) return nullptr;
    const layer* l = before ? before->older : notes_of(slot_of(address)).newest;
    while (l && !l->contains(address)) l = l->older;
    return l;
}

std::uintptr_t end_of_part(std::uintptr_t address, std::uintptr_t end) {
    const layer* const top = find(address);
    if (top) end = std::min(end, top->end);
    if (!in_use(slot_of(address))) return end;
    for (const layer* l = notes_of(slot_of(address)).newest; l != top; l = l->older)
        if (l->begin > address) end = std::min(end, l->begin);
    return end;
}

bool any_private() {
    bool found = false;
    for (unsigned n = 0; n < slot_count && !found; ++n)
        if (in_use(n))
            each_part(first_in(n), notes_of(n).top, [&](const layer* l, std::uintptr_t, std::uintptr_t) {
                found = found || (l && !l->unmapped && !l->is_home && !l->is_shared && l->home == 0);
                return true;
            });
    return found;
}

layer* put(const layer& what, bool in_place) {
    const unsigned slot = slot_of(what.begin);
    if (!touch(slot_begin(slot), sizeof(notes))) return nullptr;
    notes& n = notes_of(slot);
    if (n.free == 0) n.free = slot_begin(slot) + sizeof(notes);
    auto* l = const_cast<layer*>(find(what.begin));
    if (in_place && l && l->begin == what.begin && l->end == what.end &&
        end_of_part(l->begin, l->end) == l->end) {
        layer* const older = l->older;
        *l = what;
        l->older = older;
        return !views_exist || views::settle(what.begin, what.end) ? l : nullptr;
    }
    if (n.free + sizeof(layer) > slot_begin(slot) + notes_size || !touch(n.free, sizeof(layer)))
        return nullptr;
    l = reinterpret_cast<layer*>(n.free);
    n.free += sizeof(layer);
    *l = what;
    l->older = n.newest;
    n.newest = l;
    return !views_exist || views::settle(what.begin, what.end) ? l : nullptr;
}

std::uintptr_t reserve(unsigned n, std::size_t size, std::size_t alignment) {
    if (size > slot_size || alignment > slot_size || !touch(slot_begin(n), sizeof(notes))) return 0;
    notes& of = notes_of(n);
    const std::uintptr_t from = of.top == 0 ? first_in(n) : of.top;
    const std::uintptr_t at = (from + alignment - 1) & ~(alignment - 1);
    // One page is left free behind each, so that whoever goes too far is seen.
    const std::uintptr_t top = at + whole_pages(size) + page_size;
    if (top > slot_begin(n) + slot_size) return 0;
    clear(at, top); // what another execution left there
    of.top = top;
    return at;
}

bool extend(std::uintptr_t end, std::uintptr_t to) {
    notes& of = notes_of(slot_of(end));
    const std::uintptr_t top = whole_pages(to) + page_size;
    if (of.top != end + page_size || top > slot_begin(slot_of(end)) + slot_size) return false;
    clear(end, top);
    of.top = top;
    return true;
}

void*& files_of(unsigned n) {
    touch(slot_begin(n), sizeof(notes));
    return notes_of(n).files;
}

bool any() { return list_length != 0; }

std::size_t live_pages() {
    std::size_t count = 0;
    for (const std::uint32_t page : touched_pages()) count += is_live(address_of(page));
    return count;
}

// An image has the addresses of its pages, in the order in which they were touched, then what they hold. A slot's notes
// come before its other pages, so that these can be told from them.

void save(char* to, std::size_t pages) {
    char* contents = to + pages * sizeof(std::uintptr_t);
    for (const std::uint32_t page : touched_pages()) {
        const std::uintptr_t at = address_of(page);
        if (!is_live(at)) continue;
        std::memcpy(to, &at, sizeof at);
        to += sizeof at;
        std::memcpy(contents, reinterpret_cast<const void*>(at), page_size);
        contents += page_size;
    }
}

namespace {
/// Calls f(page, its contents in an image or null) for each touched page, until it returns false.
template <class Function>
bool each_page(const char* from, std::size_t pages, Function f) {
    const char* contents = from + pages * sizeof(std::uintptr_t);
    const char* const end = contents;
    for (const std::uint32_t page : touched_pages()) {
        std::uintptr_t next = 0;
        if (from != end) std::memcpy(&next, from, sizeof next);
        const bool has = next == address_of(page);
        if (!f(address_of(page), has ? contents : nullptr)) return false;
        if (!has) continue;
        from += sizeof next;
        contents += page_size;
    }
    return true;
}
} // namespace

void restore(const char* from, std::size_t pages) {
    const auto put_back = [](std::uintptr_t page, const char* then) {
        if (then)
            std::memcpy(reinterpret_cast<void*>(page), then, page_size);
        else if (is_live(page))
            std::memset(reinterpret_cast<void*>(page), 0, page_size);
        return true;
    };
    if (views_exist) { // the notes say which pages are views, and what these hold is another page's
        each_page(from, pages, [&](std::uintptr_t page, const char* then) {
            return !is_notes(page) || put_back(page, then);
        });
        if (!views::settle_all())
            throw std::runtime_error("cannot map the program's memory at two addresses");
    }
    each_page(from, pages, put_back);
}

bool same(const char* from, std::size_t pages) {
    return each_page(from, pages, [](std::uintptr_t page, const char* then) {
        if (then) return std::memcmp(reinterpret_cast<const void*>(page), then, page_size) == 0;
        return !is_live(page) || is_zero(page);
    });
}

const char* bytes_of(const char* from, std::size_t pages, std::uintptr_t address, std::size_t size) {
    const std::uintptr_t page = address & ~(page_size - 1);
    if (address + size > page + page_size) return nullptr;
    const char* found = nullptr;
    each_page(from, pages, [&](std::uintptr_t at, const char* then) {
        if (at == page) found = then;
        return at != page;
    });
    return found ? found + (address - page) : nullptr;
}

} // namespace ringproof::verify::mapped
