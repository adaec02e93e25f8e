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

// Who opens a name and who makes it meet in every order, and so do those who map a file and who change its size: what a name
// stands for, and how long a file is, are words of the graph.
constexpr std::uintptr_t names_begin = 0x29fd'0000'0000;
constexpr std::size_t most_names = 4096, name_size = 16;

__attribute__((constructor)) void make_room_for_names() {
    static_cast<void>(RINGPROOF_NEXT(mmap)(reinterpret_cast<void*>(names_begin), most_names * name_size,
                                           PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
}

hook::operation on_name(const char* name, const char* word, std::uintptr_t site) {
    std::uint32_t hash = 2166136261u;
    for (const char* c = name; *c; ++c) hash = (hash ^ static_cast<unsigned char>(*c)) * 16777619u;
    return {names_begin + hash % most_names * name_size, site, order::acq_rel, true, 8, word};
}
/// What was seen of a word, which has no address that the program knows.
value_t change_word(const hook::operation& on, transition rule, value_t operand = 0) {
    return hook::engine().visible_at_home(hook::request_for(action::modify, on, rule, operand));
}
going find_named(value_t seen, value_t, value_t& next) {
    next = seen;
    return going::leave;
}
going make_named(value_t seen, value_t made, value_t& next) {
    next = seen ? seen : made;
    return seen ? going::leave : going::change;
}
going forget_named(value_t seen, value_t, value_t& next) {
    next = 0;
    return seen ? going::change : going::leave;
}

hook::operation on_size(const memory_file& f, const char* word, std::uintptr_t site) {
    return {hook::address_of(&f.size), site, order::acq_rel, true, 8, word};
}
going set_size(value_t, value_t size, value_t& next) {
    next = size;
    return going::change;
}
/// A change all the same: what is done with the size then comes before the next change of it, or behind.
going use_size(value_t seen, value_t, value_t& next) {
    next = seen;
    return going::change;
}

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

/// The file's mappings show it to its end, to who is ordered behind the change of its size.
void show_more(const memory_file& f, std::size_t length_before, std::uintptr_t site) {
    each_view(f, mapped::whole_pages(length_before), mapped::whole_pages(f.size),
              [&](const noted_view& v, const mapped::layer& top, const memory_range& part) {
                  if (!top.beyond) return;
                  mapped::layer l = hook::engine().maps().layer_of(part, v.rights, site);
                  l.home = top.home + (part.begin - top.begin);
                  l.thread = f.sized_by;
                  l.index = f.sized_at;
                  mapped::put(l, true);
              });
}

/// A private mapping: memory that begins as the file is.
/// @param length of the file
void* copy_of(const memory_file& f, std::size_t length, std::size_t size, int protection, off_t offset,
              std::uintptr_t site) {
    mappings& maps = hook::engine().maps();
    const std::uintptr_t at = maps.map(maps.layer_of({}, rights_of(protection), site), size);
    if (at == 0) return errno = ENOMEM, MAP_FAILED;
    const std::size_t whole = mapped::whole_pages(size), from = static_cast<std::size_t>(offset);
    const std::size_t there = std::min(whole, mapped::whole_pages(std::max(length, from)) - from);
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

int make_file(unsigned flags, std::uintptr_t site) {
    const noted_file* const f = make_number(nullptr, flags, site);
    return f ? f->number : -1;
}

void* map_memory_file(memory_file& f, std::uintptr_t at, std::size_t size, int protection, int flags,
                      off_t offset, std::uintptr_t site) {
    if (offset < 0 || static_cast<std::size_t>(offset) % mapped::page_size != 0)
        return errno = EINVAL, MAP_FAILED;
    const auto length =
        static_cast<std::size_t>(change_word(on_size(f, "map a file of this size", site), use_size));
    if ((flags & MAP_TYPE) == MAP_PRIVATE) {
        if (at != 0) hook::unsupported("a private mapping of a file in memory at a fixed address", site);
        return copy_of(f, length, size, protection, offset, site);
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
    const std::size_t there = mapped::whole_pages(std::max(length, from)) - from;
    if (there < whole) {
        mapped::layer beyond = layer_beyond({at + there, at + whole}, site);
        beyond.home = view.home + there; // for when the file grows
        mapped::put(beyond, true);
    }
    note_view(f, {at, at + whole, from, view.rights, nullptr});
    if (f.size > length) show_more(f, length, site); // which comes behind this, and has been made already
    return reinterpret_cast<void*>(at);
}

namespace {

int change_size(memory_file& f, off_t to, std::uintptr_t site) {
    if (to < 0) return errno = EINVAL, -1;
    const auto size = static_cast<std::size_t>(to);
    const auto length = static_cast<std::size_t>(change_word(on_size(f, "set size", site), set_size, size));
    const std::size_t before = mapped::whole_pages(length), now = mapped::whole_pages(size);
    mappings& maps = hook::engine().maps();
    if (size < length && f.home != 0) {
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
    f.sized_by = hook::self().id;
    f.sized_at = hook::self().next_index - 1;
    show_more(f, length, site);
    return 0;
}

memory_file* file_in_memory(int number, std::uintptr_t site) {
    const noted_file* const f = callers::by_program(site) ? file_of(number) : nullptr;
    return f ? f->memory : nullptr;
}
off_t size_of(const memory_file& f, std::uintptr_t site) {
    return static_cast<off_t>(change_word(on_size(f, "ask for the size", site), use_size));
}
int number_for(memory_file& known, std::uintptr_t site) {
    const noted_file* const f = make_number(&known, 0, site);
    return f ? f->number : -1;
}

int open_shared(const char* name, int flags, std::uintptr_t site) {
    if (std::strlen(name) >= sizeof memory_file::name)
        hook::unsupported("a name of more than 63 characters in shm_open", site);
    memory_file* made = nullptr;
    if (flags & O_CREAT) {
        made = new_memory_file(site);
        std::strncpy(made->name, name, sizeof made->name - 1);
    }
    const hook::operation there = on_name(name, "open shared memory", site);
    const auto known = static_cast<std::uintptr_t>(
        made ? change_word(there, make_named, hook::address_of(made)) : change_word(there, find_named));
    if (known == 0 && !made) return errno = ENOENT, -1;
    if (known == 0) return number_for(*made, site);
    if (made && (flags & O_EXCL)) return errno = EEXIST, -1;
    if (flags & O_TRUNC) hook::unsupported("O_TRUNC for an object of shared memory that exists", site);
    auto& found = *reinterpret_cast<memory_file*>(known);
    if (std::strcmp(found.name, name) != 0)
        hook::unsupported("shm_open with two names that the checker takes for one (rename one of them)",
                          site);
    return number_for(found, site);
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
    return rv::callers::by_program(RINGPROOF_SITE) ? rv::make_file(flags, RINGPROOF_SITE)
                                                   : RINGPROOF_NEXT(memfd_create)(name, flags);
}
RINGPROOF_HOOK int shm_open(const char* name, int flags, mode_t mode) {
    return rv::callers::by_program(RINGPROOF_SITE) ? rv::open_shared(name, flags, RINGPROOF_SITE)
                                                   : RINGPROOF_NEXT(shm_open)(name, flags, mode);
}
RINGPROOF_HOOK int shm_unlink(const char* name) {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(shm_unlink)(name);
    const bool was_there =
        rv::change_word(rv::on_name(name, "unlink shared memory", RINGPROOF_SITE), rv::forget_named) != 0;
    return was_there ? 0 : (errno = ENOENT, -1);
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
    if (f) about->st_size = rv::size_of(*f, RINGPROOF_SITE);
    return result;
}
RINGPROOF_HOOK int fstat64(int file, struct stat64* about) noexcept {
    const int result = RINGPROOF_NEXT(fstat64)(file, about);
    const rv::memory_file* const f = result == 0 ? rv::file_in_memory(file, RINGPROOF_SITE) : nullptr;
    if (f) about->st_size = rv::size_of(*f, RINGPROOF_SITE);
    return result;
}
