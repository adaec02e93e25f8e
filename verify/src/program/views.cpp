// SPDX-License-Identifier: Apache-2.0
#include "views.hpp"

#include "pages.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <sys/mman.h>

namespace ringproof::verify::mapped {

constinit bool views_exist = false;

namespace {

using pages::address_of;
using pages::known;
using pages::number_of;

/// For each page: the one whose memory it shows, plus one. Itself: memory that others can show, too. 0: its own.
constinit std::uint32_t* shown = nullptr;
alignas(16) char kept[page_size];

void* at(std::uint32_t page) { return reinterpret_cast<void*>(address_of(page)); }

bool map_page(std::uint32_t page, int sharing) {
    return mmap(at(page), page_size, PROT_READ | PROT_WRITE,
                sharing | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/// Maps the memory of `home` at `page`, too: mremap() of no bytes adds a mapping.
bool map_view(std::uint32_t page, std::uint32_t home) {
    return mremap(at(home), 0, page_size, MREMAP_MAYMOVE | MREMAP_FIXED, at(page)) != MAP_FAILED;
}

/// Gives a page that was a view memory of its own.
bool make_own(std::uint32_t page) {
    if (!map_page(page, MAP_PRIVATE)) return false;
    shown[page] = 0;
    return true;
}

/// Makes a page of memory that others can show. It keeps what it holds, and is such a page for good.
bool share(std::uint32_t page) {
    if (shown[page] == page + 1) return true;
    if (shown[page] != 0 && !make_own(page)) return false;
    if (known[page]) std::memcpy(kept, at(page), page_size);
    if (!map_page(page, MAP_SHARED)) return false;
    if (known[page])
        std::memcpy(at(page), kept, page_size);
    else
        pages::add(page);
    shown[page] = page + 1;
    return true;
}

bool show(std::uint32_t page, std::uint32_t home) {
    if (!share(home)) return false;
    if (shown[page] == page + 1) // in another execution: its views have no home now
        for (std::size_t i = 0; i < pages::list_length; ++i)
            if (shown[pages::list[i]] == page + 1 && !make_own(pages::list[i])) return false;
    if (!map_view(page, home)) return false;
    if (!known[page]) pages::add(page);
    shown[page] = home + 1;
    return true;
}

/// What a page is to show, plus one; 0: memory of its own.
std::uint32_t wanted(std::uint32_t page) {
    const std::uintptr_t address = address_of(page), home = home_of(address);
    return home == address ? 0 : number_of(home) + 1;
}

/// In fork(), where nobody catches anything.
[[noreturn]] void refused() {
    std::fprintf(stderr, "error: cannot copy the program's shared memory for another process: %s\n",
                 std::strerror(errno));
    std::_Exit(3);
}

// A child of fork() is another worker of the search, with memory of its own. What the system shares is copied while the
// parent waits, since it changes its own pages as soon as it runs.
char* copies = nullptr;
std::size_t copies_size = 0;

template <class Function>
void each_shared(Function f) {
    for (std::size_t i = 0; i < pages::list_length; ++i)
        if (shown[pages::list[i]] == pages::list[i] + 1) f(pages::list[i]);
}

void before_fork() {
    if (!views_exist) return;
    copies_size = 0;
    each_shared([](std::uint32_t) { copies_size += page_size; });
    if (copies_size == 0) return;
    void* const room = mmap(nullptr, copies_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) refused();
    copies = static_cast<char*>(room);
    char* to = copies;
    each_shared([&](std::uint32_t page) { std::memcpy(to, at(page), page_size), to += page_size; });
}
void in_parent() {
    if (copies) munmap(copies, copies_size);
    copies = nullptr;
}
void in_child() {
    if (!copies) return;
    const char* from = copies;
    each_shared([&](std::uint32_t page) {
        if (!map_page(page, MAP_SHARED)) refused();
        std::memcpy(at(page), from, page_size);
        from += page_size;
    });
    for (std::size_t i = 0; i < pages::list_length; ++i) {
        const std::uint32_t page = pages::list[i];
        if (views::is_view(page) && !map_view(page, shown[page] - 1)) refused();
    }
    in_parent();
}

} // namespace

std::uintptr_t make_home(unsigned n, std::size_t size, std::uintptr_t site) {
    if (!shown) {
        void* const room = mmap(nullptr, pages::count * sizeof *shown, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room == MAP_FAILED) return 0;
        shown = static_cast<std::uint32_t*>(room);
        views_exist = true;
    }
    layer l; // nobody's: who may access it is told by the layers of its views
    l.begin = reserve(n, size);
    l.end = l.begin + size;
    l.site = site;
    l.rights = l.given = may_read | may_write;
    l.is_home = true;
    return l.begin != 0 && put(l, false) ? l.begin : 0;
}

std::uintptr_t home_of(std::uintptr_t address) {
    const layer* const l = find(address);
    return l && l->home != 0 && !l->beyond ? l->home + (address - l->begin) : address;
}

namespace views {

bool is_view(std::uint32_t page) { return shown[page] != 0 && shown[page] != page + 1; }

bool settle(std::uint32_t page) {
    const std::uint32_t to = wanted(page);
    if (to == 0) return !is_view(page) || make_own(page);
    return to == shown[page] || show(page, to - 1);
}

bool settle(std::uintptr_t begin, std::uintptr_t end) {
    bool all = true;
    each_touched(begin, end, [&](std::uintptr_t page) { all = all && settle(number_of(page)); });
    return all;
}

bool settle_all() {
    for (std::size_t i = 0; i < pages::list_length; ++i)
        if (!settle(pages::list[i])) return false;
    return true;
}

void close() {
    if (shown) munmap(shown, pages::count * sizeof *shown);
    shown = nullptr;
    views_exist = false;
}

void separate_children() {
    static bool done = false;
    if (!done && pthread_atfork(before_fork, in_parent, in_child) != 0)
        throw std::runtime_error("cannot keep the memory of processes apart");
    done = true;
}

} // namespace views
} // namespace ringproof::verify::mapped
