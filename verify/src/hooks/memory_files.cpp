// SPDX-License-Identifier: Apache-2.0
// A file in memory (memfd_create, shm_open) is a note in mapped memory: its size, where its memory lies (its home, see
// views.hpp), and which mappings show that. Its number, a note in the heap, stands for a real file that is empty and kept for all
// executions, one for each that a thread makes.

#include "memory_files.hpp"

#include "../program/callers.hpp"
#include "mmap.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

/// Addresses are for nothing: a file may grow by so much.
constexpr std::size_t room_to_grow = std::size_t{1} << 30;

void find_home(memory_file& f, std::size_t needed, std::uintptr_t site) {
    if (f.home == 0) {
        f.room = mapped::whole_pages(std::max(f.size, needed)) + room_to_grow;
        f.home = hook::engine().maps().map_home(f.room, site);
    }
    if (needed <= f.room) return;
    hook::engine().fail_here(failure_kind::limit,
                             "a file in memory grows by more than 1 GiB after it was first mapped", site, 0);
}

void note_view(memory_file& f, noted_view view) {
    auto* const v = static_cast<noted_view*>(hook::note_room(sizeof(noted_view)));
    *v = view;
    v->older = f.views;
    f.views = v;
}

/// Calls f(view, latest layer, part) for each part of the file's mappings that shows it from `offset` to `end`.
template <class Function>
void each_view(const memory_file& f, std::size_t offset, std::size_t end, Function call) {
    for (const noted_view* v = f.views; v; v = v->older) {
        const std::uintptr_t from = v->begin + (std::max(offset, v->offset) - v->offset);
        const std::uintptr_t to = std::min(v->end, v->begin + (std::max(end, v->offset) - v->offset));
        mapped::each_part(from, to,
                          [&](const mapped::layer* top, std::uintptr_t part, std::uintptr_t part_end) {
                              if (top->home == f.home + v->offset + (top->begin - v->begin))
                                  call(*v, *top, memory_range{part, part_end});
                              return true;
                          });
    }
}

/// A private mapping: memory that begins as the file is.
void* copy_of(const memory_file& f, std::size_t size, int protection, off_t offset, std::uintptr_t site) {
    mappings& maps = hook::engine().maps();
    const std::uintptr_t at = maps.map(maps.layer_of({}, rights_of(protection), site), size);
    if (at == 0) return errno = ENOMEM, MAP_FAILED;
    const std::size_t whole = mapped::whole_pages(size), from = static_cast<std::size_t>(offset);
    const std::size_t there = std::min(whole, mapped::whole_pages(std::max(f.size, from)) - from);
    if (f.home != 0) copy_touched(at, f.home + from, there);
    if (there < whole) mapped::put(layer_beyond({at + there, at + whole}, site), true);
    return reinterpret_cast<void*>(at);
}

} // namespace

mapped::layer layer_beyond(memory_range range, std::uintptr_t site) {
    mapped::layer l = hook::engine().maps().layer_of(range, 0, site);
    l.beyond = true;
    return l;
}

namespace {

memory_file* new_memory_file(std::uintptr_t site) {
    const std::uintptr_t at = hook::engine().maps().map_home(sizeof(memory_file), site);
    mapped::touch(at, sizeof(memory_file));
    return new (reinterpret_cast<void*>(at)) memory_file{};
}

/// @param of null: of a new one
noted_file* make_number(memory_file* of, unsigned flags, std::uintptr_t site) {
    const int made = RINGPROOF_NEXT(memfd_create)("ringproof", MFD_CLOEXEC | (flags & MFD_ALLOW_SEALING));
    if (made < 0) return nullptr;
    noted_file* const f = note_file(made, site);
    f->memory = of ? of : new_memory_file(site);
    return f;
}

} // namespace

int make_file(const char* name, unsigned flags, std::uintptr_t site) {
    noted_file* const f = make_number(nullptr, flags, site);
    if (!f) return -1;
    if (name) std::strncpy(f->memory->name, name, sizeof f->memory->name - 1);
    return f->number;
}

void* map_memory_file(memory_file& f, std::uintptr_t at, std::size_t size, int protection, int flags,
                      off_t offset, std::uintptr_t site) {
    if (offset < 0 || static_cast<std::size_t>(offset) % mapped::page_size != 0)
        return errno = EINVAL, MAP_FAILED;
    if ((flags & MAP_TYPE) == MAP_PRIVATE) {
        if (at != 0) hook::unsupported("a private mapping of a file in memory at a fixed address", site);
        return copy_of(f, size, protection, offset, site);
    }
    const std::size_t whole = mapped::whole_pages(size), from = static_cast<std::size_t>(offset);
    find_home(f, from + whole, site);
    mappings& maps = hook::engine().maps();
    mapped::layer view = maps.layer_of({at, at + whole}, rights_of(protection), site);
    view.home = f.home + from;
    if (at != 0)
        maps.show(view);
    else if ((at = maps.map(view, size)) == 0)
        return errno = ENOMEM, MAP_FAILED;
    const std::size_t there = mapped::whole_pages(std::max(f.size, from)) - from;
    if (there < whole) {
        mapped::layer beyond = layer_beyond({at + there, at + whole}, site);
        beyond.home = view.home + there; // for when the file grows
        mapped::put(beyond, true);
    }
    note_view(f, {at, at + whole, from, view.rights, nullptr});
    return reinterpret_cast<void*>(at);
}

namespace {

int change_size(memory_file& f, off_t to, std::uintptr_t site) {
    if (to < 0) return errno = EINVAL, -1;
    const auto size = static_cast<std::size_t>(to);
    const std::size_t before = mapped::whole_pages(f.size), now = mapped::whole_pages(size);
    mappings& maps = hook::engine().maps();
    if (size < f.size && f.home != 0) {
        each_view(f, now, before, [&](const noted_view&, const mapped::layer& top, const memory_range&) {
            if (!top.beyond) hook::unsupported("making a file in memory shorter while it is mapped", site);
        });
        if (size % mapped::page_size != 0)
            hook::unsupported("making a file in memory shorter, but not by whole pages", site);
        mapped::layer rest = *mapped::find(f.home);
        rest.begin = f.home + now;
        maps.map_again(rest);
    }
    f.size = size;
    each_view(f, before, now, [&](const noted_view& v, const mapped::layer& top, const memory_range& part) {
        if (!top.beyond) return;
        mapped::layer l = maps.layer_of(part, v.rights, site);
        l.home = top.home + (part.begin - top.begin);
        mapped::put(l, true);
    });
    return 0;
}

memory_file* file_in_memory(int number, std::uintptr_t site) {
    const noted_file* const f = callers::by_program(site) ? file_of(number) : nullptr;
    return f ? f->memory : nullptr;
}
int number_for(memory_file& known, std::uintptr_t site) {
    const noted_file* const f = make_number(&known, 0, site);
    return f ? f->number : -1;
}
memory_file* named(const char* name) {
    const noted_file* const f = find_file(
        [name](const noted_file& one) { return one.memory && std::strcmp(one.memory->name, name) == 0; });
    return f ? f->memory : nullptr;
}

} // namespace

int another_number(int number, std::uintptr_t site) {
    memory_file* const known = file_in_memory(number, site);
    return known ? number_for(*known, site) : -1;
}
} // namespace ringproof::verify

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK int memfd_create(const char* name, unsigned flags) noexcept {
    return rv::callers::by_program(RINGPROOF_SITE) ? rv::make_file(nullptr, flags, RINGPROOF_SITE)
                                                   : RINGPROOF_NEXT(memfd_create)(name, flags);
}
RINGPROOF_HOOK int shm_open(const char* name, int flags, mode_t mode) {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(shm_open)(name, flags, mode);
    if (std::strlen(name) >= sizeof rv::memory_file::name)
        unsupported("a name of more than 63 characters in shm_open", RINGPROOF_SITE);
    rv::memory_file* const known = rv::named(name);
    if (known && (flags & O_CREAT) && (flags & O_EXCL)) return errno = EEXIST, -1;
    if (!known && !(flags & O_CREAT)) return errno = ENOENT, -1;
    if (!known) return rv::make_file(name, 0, RINGPROOF_SITE);
    if (flags & O_TRUNC) unsupported("O_TRUNC for an object of shared memory that exists", RINGPROOF_SITE);
    return rv::number_for(*known, RINGPROOF_SITE);
}
RINGPROOF_HOOK int shm_unlink(const char* name) {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(shm_unlink)(name);
    rv::memory_file* const known = rv::named(name);
    if (!known) return errno = ENOENT, -1;
    known->name[0] = 0;
    return 0;
}
RINGPROOF_HOOK int ftruncate(int file, off_t size) noexcept {
    rv::memory_file* const f = rv::file_in_memory(file, RINGPROOF_SITE);
    return f ? rv::change_size(*f, size, RINGPROOF_SITE) : RINGPROOF_NEXT(ftruncate)(file, size);
}
RINGPROOF_HOOK int ftruncate64(int file, off64_t size) noexcept {
    rv::memory_file* const f = rv::file_in_memory(file, RINGPROOF_SITE);
    return f ? rv::change_size(*f, size, RINGPROOF_SITE) : RINGPROOF_NEXT(ftruncate64)(file, size);
}
/// The real file is empty.
RINGPROOF_HOOK int fstat(int file, struct stat* about) noexcept {
    const int result = RINGPROOF_NEXT(fstat)(file, about);
    const rv::memory_file* const f = result == 0 ? rv::file_in_memory(file, RINGPROOF_SITE) : nullptr;
    if (f) about->st_size = static_cast<off_t>(f->size);
    return result;
}
RINGPROOF_HOOK int fstat64(int file, struct stat64* about) noexcept {
    const int result = RINGPROOF_NEXT(fstat64)(file, about);
    const rv::memory_file* const f = result == 0 ? rv::file_in_memory(file, RINGPROOF_SITE) : nullptr;
    if (f) about->st_size = static_cast<off_t>(f->size);
    return result;
}
