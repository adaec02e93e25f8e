// SPDX-License-Identifier: Apache-2.0
// mmap and its kin. What the program maps belongs to the execution, see mapped.hpp; what others map is not touched.

#include "mmap.hpp"
#include "../program/callers.hpp"
#include "../program/early_heap.hpp"
#include "files.hpp"
#include "hook.hpp"
#include "memory_files.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rv = ringproof::verify;
namespace mapped = ringproof::verify::mapped;
using namespace rv::hook;
using rv::callers::is_programs;

namespace {

/// Whether a call is about memory that the program has mapped.
bool is_ours(const void* at, std::uintptr_t site) {
    return rv::program_memory::in_mapped(address_of(at)) && (running() || rv::early_heap::open()) &&
           !rv::callers::is_engine(site);
}

void* fails_with(int error) {
    errno = error;
    return MAP_FAILED;
}

[[noreturn]] void refuse(const char* what, std::uintptr_t site) {
    if (running()) unsupported(what, site);
    std::fprintf(stderr, "ringproof: %s is not supported, in a static object before main()\n", what);
    std::_Exit(2);
}
[[noreturn]] void refuse_size(std::uintptr_t site) {
    const char* const why =
        "the program maps more than the checker has addresses for (128 GiB for each thread)";
    if (running()) engine().fail_here(rv::failure_kind::limit, why, site, 0);
    std::fprintf(stderr, "ringproof: %s\n", why);
    std::_Exit(2);
}

mapped::layer layer_for(rv::memory_range range, std::uint8_t rights, std::uintptr_t site) {
    if (running()) return engine().maps().layer_of(range, rights, site);
    mapped::layer l;
    l.begin = range.begin;
    l.end = range.end;
    l.site = site;
    l.rights = l.given = rights;
    return l;
}

std::uintptr_t map_new(mapped::layer what, std::size_t size, std::uintptr_t site) {
    std::uintptr_t at = 0;
    if (running()) {
        at = engine().maps().map(what, size);
    } else if ((at = mapped::reserve(mapped::early_slot, size)) != 0) {
        what.begin = at;
        what.end = at + mapped::whole_pages(size);
        mapped::put(what, false);
    }
    if (at == 0) refuse_size(site);
    return at;
}

void map_again(const mapped::layer& what) {
    if (running()) return engine().maps().map_again(what);
    mapped::put(what, true);
    mapped::clear(what.begin, what.end);
}

/// Whether the process of `other`, which is not the running thread's, has what the latest layer there is of. A process that
/// fork() made has what was mapped before, and what it mapped itself.
bool has_too(const rv::thread_state& other, const mapped::layer& top) {
    const rv::thread_state& self = rv::hook::self();
    if (top.thread == mapped::nobody) return true;
    if (engine().thread(top.thread).process != self.process) return true;
    if (self.process != 0) return false;
    return top.index < engine().execution().at(other.created).index;
}

/// Mappings are those of all processes, so a change that one makes is refused while there is another that has them.
void refuse_for_processes(rv::memory_range range, std::uintptr_t site) {
    if (!running()) return;
    for (rv::thread_id t = 0; t < engine().thread_count(); ++t) {
        const rv::thread_state& other = engine().thread(t);
        if (other.process == 0 || other.status == rv::thread_status::unborn ||
            other.status == rv::thread_status::finished)
            continue;
        mapped::each_part(
            range.begin, range.end, [&](const mapped::layer* top, std::uintptr_t, std::uintptr_t) {
                if (top && has_too(other, *top))
                    refuse("a change of mapped memory that another process has, which fork() made", site);
                return true;
            });
    }
}

/// Whether all of a range is mapped.
bool all_mapped(rv::memory_range range) {
    return mapped::each_part(
        range.begin, range.end,
        [](const mapped::layer* l, std::uintptr_t, std::uintptr_t) { return l && !l->unmapped; });
}

/// The whole pages of a range; nothing where it does not begin with one, or has no bytes.
rv::memory_range pages_of(const void* at, std::size_t size) {
    const std::uintptr_t begin = address_of(at);
    return begin % static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)) != 0 ||
                   begin % mapped::page_size != 0 || size > mapped::slot_size
               ? rv::memory_range{}
               : rv::memory_range{begin, begin + mapped::whole_pages(size)};
}

/// Whether nothing is mapped in a range by now, that the program has mapped before.
bool is_free(rv::memory_range range, std::uintptr_t site) {
    bool known = range.size() != 0 && rv::program_memory::in_mapped(range.begin), free = true;
    if (known)
        mapped::each_part(range.begin, range.end,
                          [&](const mapped::layer* l, std::uintptr_t, std::uintptr_t) {
                              known = known && l && !l->is_home;
                              free = free && (!l || l->unmapped);
                              return true;
                          });
    if (!known) refuse("mmap at a fixed address that the program has not mapped before", site);
    return free;
}

/// Whether any of a range shows a file in memory.
bool any_view(rv::memory_range range) {
    return !mapped::each_part(
        range.begin, range.end,
        [](const mapped::layer* l, std::uintptr_t, std::uintptr_t) { return !l || l->home == 0; });
}

void* move(void* old, std::size_t old_size, std::size_t new_size, std::uintptr_t site) {
    const mapped::layer* const top = mapped::find(address_of(old));
    mapped::layer l = layer_for({}, top->rights, site);
    l.is_shared = top->is_shared;
    const std::uintptr_t to = map_new(l, new_size, site);
    if (!running()) std::memcpy(reinterpret_cast<void*>(to), old, std::min(old_size, new_size));
    const std::uintptr_t from = address_of(old);
    if (running()) rv::copy_touched(to, from, std::min(old_size, new_size));
    rv::hook_unmap({from, from + mapped::whole_pages(old_size)}, site);
    return reinterpret_cast<void*>(to);
}

} // namespace

namespace ringproof::verify {

std::uint8_t rights_of(int protection) {
    // A processor that can write can read.
    return static_cast<std::uint8_t>((protection & (PROT_READ | PROT_WRITE) ? mapped::may_read : 0) |
                                     (protection & PROT_WRITE ? mapped::may_write : 0));
}

void copy_touched(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
    mapped::each_touched(from, from + size, [&](std::uintptr_t page) {
        const std::size_t part = std::min(mapped::page_size, from + size - page);
        mapped::touch(to + (page - from), part);
        std::memcpy(reinterpret_cast<void*>(to + (page - from)), reinterpret_cast<const void*>(page), part);
    });
}

void hook_unmap(memory_range range, std::uintptr_t site) {
    mapped::layer l = layer_for(range, 0, site);
    if (running()) return engine().maps().unmap(l);
    l.unmapped = true;
    mapped::put(l, true);
}

void hook_map_again(memory_range range, std::uintptr_t site) {
    ::map_again(layer_for(range, mapped::may_read | mapped::may_write, site));
}

void* hook_mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset,
                std::uintptr_t site) {
    const int sharing = flags & MAP_TYPE;
    if (size == 0 || (sharing != MAP_PRIVATE && sharing != MAP_SHARED && sharing != MAP_SHARED_VALIDATE))
        return fails_with(EINVAL);
    // What a library makes for itself before main(), and never writes to, is as good in the next execution.
    if (!running() && ((protection & PROT_EXEC) || (!(flags & MAP_ANONYMOUS) && !(protection & PROT_WRITE))))
        return RINGPROOF_NEXT(mmap)(at, size, protection, flags, file, offset);
    if (protection & PROT_EXEC) refuse("executable memory (PROT_EXEC)", site);
    if (flags & MAP_GROWSDOWN) refuse("MAP_GROWSDOWN", site);
    if (flags & MAP_HUGETLB) return fails_with(ENOMEM); // as on a machine that keeps none
    if (!(flags & MAP_ANONYMOUS) && !running()) refuse("mmap of a file that is written to", site);
    const bool is_fixed = (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0;
    const memory_range range = is_fixed ? pages_of(at, size) : memory_range{};
    if (is_fixed && !is_free(range, site) && !(flags & MAP_FIXED)) return fails_with(EEXIST);
    if (is_fixed) refuse_for_processes(range, site);
    if (!(flags & MAP_ANONYMOUS)) return map_file(range.begin, size, protection, flags, file, offset, site);
    const std::uint8_t rights = rights_of(protection);
    mapped::layer l = layer_for(range, rights, site);
    l.is_shared = sharing != MAP_PRIVATE;
    if (!is_fixed) return reinterpret_cast<void*>(map_new(l, size, site));
    map_again(l);
    return at;
}

int hook_munmap(void* at, std::size_t size, std::uintptr_t site) {
    const memory_range range = pages_of(at, size);
    if (range.size() == 0) return fails_with(EINVAL), -1;
    refuse_for_processes(range, site);
    hook_unmap(range, site);
    return 0;
}

int hook_mprotect(void* at, std::size_t size, int protection, std::uintptr_t site) {
    if (size == 0) return 0;
    const memory_range range = pages_of(at, size);
    if (range.size() == 0) return fails_with(EINVAL), -1;
    if (protection & PROT_EXEC) refuse("executable memory (PROT_EXEC)", site);
    if (!all_mapped(range)) return fails_with(ENOMEM), -1;
    refuse_for_processes(range, site);
    const mapped::layer l = layer_for(range, rights_of(protection), site);
    if (running())
        engine().maps().protect(l);
    else
        mapped::put(l, false);
    return 0;
}

void* hook_mremap(void* old, std::size_t old_size, std::size_t new_size, int flags, std::uintptr_t site) {
    const memory_range range = pages_of(old, old_size);
    if (range.size() == 0 || new_size == 0) return fails_with(EINVAL);
    if (flags & ~MREMAP_MAYMOVE)
        refuse("mremap to a fixed address, or one that leaves the old mapping", site);
    if (!all_mapped(range)) return fails_with(EFAULT);
    refuse_for_processes(range, site);
    const std::uintptr_t end = range.begin + mapped::whole_pages(new_size);
    if (end == range.end) return old;
    if (end < range.end) {
        hook_unmap({end, range.end}, site);
        return old;
    }
    if (any_view(range)) refuse("mremap of a file in memory, to more than it was,", site);
    // It moves where it may, so that whoever keeps the old address is found.
    if (flags & MREMAP_MAYMOVE) return move(old, old_size, new_size, site);
    if (!mapped::extend(range.end, end)) return fails_with(ENOMEM);
    const mapped::layer& before = *mapped::find(range.begin);
    mapped::layer l = layer_for({range.end, end}, before.rights, site);
    l.is_shared = before.is_shared;
    if (!mapped::put(l, false)) refuse_size(site);
    return old;
}

int hook_madvise(void* at, std::size_t size, int advice, std::uintptr_t site) {
    const memory_range range = pages_of(at, size);
    if (range.begin == 0) return fails_with(EINVAL), -1;
    // Memory that the system may take back any time is taken back at once.
    const bool forgets = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
    if (!all_mapped(range)) return fails_with(ENOMEM), -1;
    if (!forgets) return 0;
    mapped::each_part(range.begin, range.end,
                      [&](const mapped::layer* top, std::uintptr_t begin, std::uintptr_t end) {
                          if (top->home != 0) { // the file keeps what it holds
                              if (advice == MADV_REMOVE) refuse("MADV_REMOVE of a file in memory", site);
                              return true;
                          }
                          refuse_for_processes({begin, end}, site);
                          mapped::layer l = layer_for({begin, end}, top->rights, site);
                          l.is_shared = top->is_shared;
                          map_again(l);
                          return true;
                      });
    return 0;
}

bool is_memory_call(long number) {
    switch (number) {
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_madvise:
    case SYS_brk:
    case SYS_memfd_create:
        return true;
    default:
        return false;
    }
}

long memory_call(long number, const long (&a)[6], std::uintptr_t site) {
    void* const at = reinterpret_cast<void*>(a[0]);
    const auto size = static_cast<std::size_t>(a[1]);
    switch (number) {
    case SYS_mmap:
        return reinterpret_cast<long>(hook_mmap(at, size, static_cast<int>(a[2]), static_cast<int>(a[3]),
                                                static_cast<int>(a[4]), a[5], site));
    case SYS_munmap:
        return hook_munmap(at, size, site);
    case SYS_mprotect:
        return hook_mprotect(at, size, static_cast<int>(a[2]), site);
    case SYS_mremap:
        return reinterpret_cast<long>(
            hook_mremap(at, size, static_cast<std::size_t>(a[2]), static_cast<int>(a[3]), site));
    case SYS_madvise:
        return hook_madvise(at, size, static_cast<int>(a[2]), site);
    case SYS_memfd_create:
        return make_file(static_cast<unsigned>(a[1]), site);
    default:
        unsupported("this system call", site);
    }
}

} // namespace ringproof::verify

RINGPROOF_HOOK void* mmap(void* at, std::size_t size, int protection, int flags, int file,
                          off_t offset) noexcept {
    if (is_programs(RINGPROOF_SITE))
        return rv::hook_mmap(at, size, protection, flags, file, offset, RINGPROOF_SITE);
    return RINGPROOF_NEXT(mmap)(at, size, protection, flags, file, offset);
}
RINGPROOF_HOOK void* mmap64(void* at, std::size_t size, int protection, int flags, int file,
                            off64_t offset) noexcept {
    if (is_programs(RINGPROOF_SITE))
        return rv::hook_mmap(at, size, protection, flags, file, offset, RINGPROOF_SITE);
    return RINGPROOF_NEXT(mmap64)(at, size, protection, flags, file, offset);
}
RINGPROOF_HOOK int munmap(void* at, std::size_t size) noexcept {
    return is_ours(at, RINGPROOF_SITE) ? rv::hook_munmap(at, size, RINGPROOF_SITE)
                                       : RINGPROOF_NEXT(munmap)(at, size);
}
RINGPROOF_HOOK int mprotect(void* at, std::size_t size, int protection) noexcept {
    return is_ours(at, RINGPROOF_SITE) ? rv::hook_mprotect(at, size, protection, RINGPROOF_SITE)
                                       : RINGPROOF_NEXT(mprotect)(at, size, protection);
}
RINGPROOF_HOOK void* mremap(void* old, std::size_t old_size, std::size_t new_size, int flags, ...) noexcept {
    if (is_ours(old, RINGPROOF_SITE)) return rv::hook_mremap(old, old_size, new_size, flags, RINGPROOF_SITE);
    va_list rest;
    va_start(rest, flags);
    void* const to = flags & MREMAP_FIXED ? va_arg(rest, void*) : nullptr;
    va_end(rest);
    return RINGPROOF_NEXT(mremap)(old, old_size, new_size, flags, to);
}
RINGPROOF_HOOK int madvise(void* at, std::size_t size, int advice) noexcept {
    return is_ours(at, RINGPROOF_SITE) ? rv::hook_madvise(at, size, advice, RINGPROOF_SITE)
                                       : RINGPROOF_NEXT(madvise)(at, size, advice);
}
// The checker has its reasons which memory is in use; advice about that is heard, and changes nothing.
RINGPROOF_HOOK int posix_madvise(void* at, std::size_t size, int advice) noexcept {
    return is_ours(at, RINGPROOF_SITE) ? 0 : RINGPROOF_NEXT(posix_madvise)(at, size, advice);
}
RINGPROOF_HOOK int mlock(const void* at, std::size_t size) noexcept {
    return is_ours(at, RINGPROOF_SITE) ? 0 : RINGPROOF_NEXT(mlock)(at, size);
}
RINGPROOF_HOOK int munlock(const void* at, std::size_t size) noexcept {
    return is_ours(at, RINGPROOF_SITE) ? 0 : RINGPROOF_NEXT(munlock)(at, size);
}
RINGPROOF_HOOK int msync(void* at, std::size_t size, int flags) {
    return is_ours(at, RINGPROOF_SITE) ? 0 : RINGPROOF_NEXT(msync)(at, size, flags);
}
