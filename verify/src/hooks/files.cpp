// SPDX-License-Identifier: Apache-2.0
// Files that the program opens, but for those in memory (memory_files.cpp). They are read: a private mapping, or one
// that is not written to, is memory that begins as the file is. Those that are opened in an execution stay open; how far
// they were read is put back with the note.

#include "files.hpp"

#include "../program/callers.hpp"
#include "descriptors.hpp"
#include "hook.hpp"
#include "memory_files.hpp"
#include "mmap.hpp"
#include "noted_files.hpp"
#include "processes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

/// Of the process: the numbers that stand for the files that each thread makes.
constexpr unsigned most_files = 64;
int numbers[max_threads][most_files]; // 0: none yet

void* fails_with(int error) {
    errno = error;
    return MAP_FAILED;
}

/// A real descriptor that can do nothing, with a number that depends on the thread and on how many files it has made.
int next_number(std::uintptr_t site) {
    constexpr int first = 100, most = 1024; // of what a process has open without us; of select()
    const noted_file* const last = newest_file(hook::self().id);
    const int number = first + static_cast<int>((last ? last->nth + 1 : 0) * max_threads + hook::self().id);
    const int made = RINGPROOF_NEXT(open)("/", O_PATH | O_CLOEXEC);
    if (number >= most || RINGPROOF_NEXT(dup3)(made, number, O_CLOEXEC) < 0)
        hook::engine().fail_here(failure_kind::limit, "a thread makes too many files: 28 are possible", site,
                                 0);
    RINGPROOF_NEXT(close)(made);
    return number;
}

} // namespace

noted_file* note_file(int made, std::uintptr_t site) {
    thread_state& t = hook::self();
    const unsigned nth = newest_file(t.id) ? newest_file(t.id)->nth + 1 : 0;
    if (nth == most_files)
        hook::engine().fail_here(failure_kind::limit, "a thread opens more than 64 files", site, 0);
    int& number = numbers[t.id][nth];
    if (number == 0) {
        number = made;
    } else if (number != made) { // as in earlier executions
        RINGPROOF_NEXT(dup3)(made, number, O_CLOEXEC);
        RINGPROOF_NEXT(close)(made);
    }
    auto* const f =
        static_cast<noted_file*>(std::memset(hook::note_room(sizeof(noted_file)), 0, sizeof(noted_file)));
    f->number = number;
    f->nth = nth;
    f->older = newest_file(t.id);
    mapped::files_of(t.id) = f;
    return f;
}

void* map_file(std::uintptr_t at, std::size_t size, int protection, int flags, int file, off_t offset,
               std::uintptr_t site) {
    if (noted_file* const f = file_of(file); f && f->memory)
        return map_memory_file(*f->memory, at, size, protection, flags, offset, site);
    if (at != 0) hook::unsupported("mmap of a file outside of the program at a fixed address", site);
    struct stat about {};
    if (fstat(file, &about) != 0) return fails_with(EBADF);
    if (!S_ISREG(about.st_mode)) hook::unsupported("mmap of a device, or of what is no regular file,", site);
    if ((flags & MAP_TYPE) != MAP_PRIVATE && (protection & PROT_WRITE))
        hook::unsupported("a shared mapping of a file outside of the program, which others see written,",
                          site);
    constexpr std::size_t most = std::size_t{64} << 20;
    if (size > most)
        hook::engine().fail_here(failure_kind::limit, "the program maps a file of more than 64 MiB", site, 0);
    at = hook::engine().maps().map(hook::engine().maps().layer_of({}, rights_of(protection), site), size);
    if (at == 0) return fails_with(ENOMEM);
    const std::size_t whole = mapped::whole_pages(size);
    const auto length = static_cast<std::size_t>(std::max<off_t>(about.st_size - offset, 0));
    const std::size_t there = std::min(mapped::whole_pages(length), whole);
    mapped::touch(at, there);
    for (std::size_t got = 0; got < std::min(there, length);) {
        const ssize_t part = pread(file, reinterpret_cast<void*>(at + got), std::min(there, length) - got,
                                   offset + static_cast<off_t>(got));
        if (part <= 0) return fails_with(EACCES);
        got += static_cast<std::size_t>(part);
    }
    if (there < whole) mapped::put(layer_beyond({at + there, at + whole}, site), true);
    return reinterpret_cast<void*>(at);
}

namespace descriptors {

const end* find(int number) {
    if (!hook::running()) return nullptr;
    const noted_file* const f = file_of(number);
    return f ? f->stands_for : nullptr;
}

const end& instance(unsigned number) {
    return *verify::find_file([number](const noted_file& f) {
                return f.stands_for && f.stands_for->instance == number && f.stands_for->items;
            })->stands_for;
}

made make(kind what, std::uintptr_t word, std::uintptr_t site) {
    hook::engine().tells_apart(hook::self());
    noted_file* const f = note_file(next_number(site), site);
    f->stands_for = static_cast<end*>(std::memset(hook::note_room(sizeof(end)), 0, sizeof(end)));
    f->stands_for->what = what;
    f->stands_for->word = word;
    return {f->number, f->stands_for};
}

end& keep(kind what) {
    auto* const f =
        static_cast<noted_file*>(std::memset(hook::note_room(sizeof(noted_file)), 0, sizeof(noted_file)));
    noted_file* const last = newest_file(hook::self().id);
    f->number = -1;
    f->closed = true; // no number finds it
    f->nth = last ? last->nth : ~0u;
    f->older = last;
    f->stands_for = static_cast<end*>(std::memset(hook::note_room(sizeof(end)), 0, sizeof(end)));
    f->stands_for->what = what;
    mapped::files_of(hook::self().id) = f;
    return *f->stands_for;
}

end* kept(thread_id t, kind what) {
    for (const noted_file* f = newest_file(t); f; f = f->older)
        if (f->stands_for && f->stands_for->what == what) return f->stands_for;
    return nullptr;
}

unsigned count(kind what) {
    unsigned n = 0;
    for (const noted_file* f = newest_file(hook::self().id); f; f = f->older)
        n += f->stands_for && f->stands_for->what == what;
    return n;
}

const end* own_poller() { return kept(hook::self().id, kind::poller); }

std::uintptr_t new_word() { return hook::address_of(hook::note_room(sizeof(value_t))); }

} // namespace descriptors

} // namespace ringproof::verify

namespace rv = ringproof::verify;
namespace mapped = ringproof::verify::mapped;
using namespace rv::hook;

RINGPROOF_HOOK int close(int file) {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(close)(file);
    if (rv::noted_file* const f = rv::file_of(file)) {
        if (f->stands_for) return rv::descriptors::close(*f->stands_for, RINGPROOF_SITE);
        f->closed = true;
        return 0;
    }
    return RINGPROOF_NEXT(close)(file);
}

namespace {
int open_file(int made, std::uintptr_t site) { return made < 0 ? made : rv::note_file(made, site)->number; }

int open_text(const char* text, std::uintptr_t site) {
    rv::noted_file* const f = rv::note_file(RINGPROOF_NEXT(open)("/", O_PATH | O_CLOEXEC), site);
    f->text = text;
    return f->number;
}

/// What the kernel is to write to has to be there, see mapped.hpp.
void make_ready(const void* to, std::size_t size) {
    if (rv::program_memory::in_mapped(address_of(to)) && size != 0) mapped::touch(address_of(to), size);
}
rv::noted_file* noted(int file, const char* function, std::uintptr_t site) {
    rv::noted_file* const f = rv::callers::by_program(site) ? rv::file_of(file) : nullptr;
    if (f && f->memory) unsupported(function, site); // what it holds is known by its mapping alone
    return f && f->stands_for ? nullptr : f;         // the kernel says of a number that is modelled: EBADF
}
ssize_t read_text(rv::noted_file& f, void* to, std::size_t size, std::uintptr_t site) {
    const std::size_t got = std::min(size, std::strlen(f.text + f.place));
    if (got == 0) return 0;
    engine().accesses().plain(address_of(to), got, true, site);
    std::memcpy(to, f.text + f.place, got);
    f.place += static_cast<off_t>(got);
    return static_cast<ssize_t>(got);
}
const rv::descriptors::end* modelled(int file, std::uintptr_t site) {
    return rv::callers::by_program(site) ? rv::descriptors::find(file) : nullptr;
}
mode_t mode_of(int flags, va_list rest) {
    return flags & (O_CREAT | O_TMPFILE) ? static_cast<mode_t>(va_arg(rest, int)) : 0;
}
} // namespace

#define RINGPROOF_OPEN(name, declared, ...)                                                                  \
    RINGPROOF_HOOK int name declared {                                                                       \
        va_list rest;                                                                                        \
        va_start(rest, flags);                                                                               \
        const mode_t mode = mode_of(flags, rest);                                                            \
        va_end(rest);                                                                                        \
        if (const char* const text = rv::callers::by_program(RINGPROOF_SITE)                                 \
                                         ? rv::text_of_process(path, RINGPROOF_SITE)                         \
                                         : nullptr)                                                          \
            return open_text(text, RINGPROOF_SITE);                                                          \
        const int made = RINGPROOF_NEXT(name)(__VA_ARGS__, flags, mode);                                     \
        return rv::callers::by_program(RINGPROOF_SITE) ? open_file(made, RINGPROOF_SITE) : made;             \
    }
RINGPROOF_OPEN(open, (const char* path, int flags, ...), path)
RINGPROOF_OPEN(open64, (const char* path, int flags, ...), path)
RINGPROOF_OPEN(openat, (int folder, const char* path, int flags, ...), folder, path)
RINGPROOF_OPEN(openat64, (int folder, const char* path, int flags, ...), folder, path)

RINGPROOF_HOOK ssize_t read(int file, void* to, std::size_t size) {
    RINGPROOF_STANDING(file, to, size);
    if (const rv::descriptors::end* const e = modelled(file, RINGPROOF_SITE))
        return rv::descriptors::read(*e, to, size, RINGPROOF_SITE);
    rv::noted_file* const f = noted(file, "read() of a file in memory", RINGPROOF_SITE);
    if (running()) make_ready(to, size);
    if (!f) return RINGPROOF_NEXT(read)(file, to, size);
    if (f->text) return read_text(*f, to, size, RINGPROOF_SITE);
    const ssize_t got = pread(file, to, size, f->place);
    if (got < 0 && errno == ESPIPE) return RINGPROOF_NEXT(read)(file, to, size);
    if (got > 0) f->place += got;
    return got;
}
/// What read() is with _FORTIFY_SOURCE.
RINGPROOF_HOOK ssize_t __read_chk(int file, void* to, std::size_t size, std::size_t room) {
    RINGPROOF_STANDING(file, to, size, room);
    const rv::descriptors::end* const e = size <= room ? modelled(file, RINGPROOF_SITE) : nullptr;
    return e ? rv::descriptors::read(*e, to, size, RINGPROOF_SITE)
             : RINGPROOF_NEXT(__read_chk)(file, to, size, room);
}
RINGPROOF_HOOK off_t lseek(int file, off_t to, int how) noexcept {
    rv::noted_file* const f = noted(file, "lseek() in a file in memory", RINGPROOF_SITE);
    if (!f) return RINGPROOF_NEXT(lseek)(file, to, how);
    RINGPROOF_NEXT(lseek)(file, f->place, SEEK_SET);
    const off_t now = RINGPROOF_NEXT(lseek)(file, to, how);
    if (now >= 0) f->place = now;
    return now;
}
RINGPROOF_HOOK ssize_t write(int file, const void* from, std::size_t size) {
    RINGPROOF_STANDING(file, from, size);
    if (const rv::descriptors::end* const e = modelled(file, RINGPROOF_SITE))
        return rv::descriptors::write(*e, from, size, RINGPROOF_SITE);
    noted(file, "write() to a file in memory", RINGPROOF_SITE);
    if (running()) make_ready(from, size);
    return RINGPROOF_NEXT(write)(file, from, size);
}
RINGPROOF_HOOK int dup(int file) noexcept {
    if (const int number = rv::another_number(file, RINGPROOF_SITE); number >= 0) return number;
    if (modelled(file, RINGPROOF_SITE))
        unsupported("dup() of a file that threads sleep on (eventfd, pipe, timerfd, signalfd, epoll)",
                    RINGPROOF_SITE);
    return RINGPROOF_NEXT(dup)(file);
}
RINGPROOF_HOOK int dup2(int file, int to) noexcept {
    if (modelled(file, RINGPROOF_SITE) || modelled(to, RINGPROOF_SITE))
        unsupported("dup2() of a file that threads sleep on (eventfd, pipe, timerfd, signalfd, epoll)",
                    RINGPROOF_SITE);
    return RINGPROOF_NEXT(dup2)(file, to);
}
RINGPROOF_HOOK int dup3(int file, int to, int flags) noexcept {
    if (modelled(file, RINGPROOF_SITE) || modelled(to, RINGPROOF_SITE))
        unsupported("dup3() of a file that threads sleep on (eventfd, pipe, timerfd, signalfd, epoll)",
                    RINGPROOF_SITE);
    return RINGPROOF_NEXT(dup3)(file, to, flags);
}
