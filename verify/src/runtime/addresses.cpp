// SPDX-License-Identifier: Apache-2.0
#include "addresses.hpp"

#include "../program/request_kinds.hpp"
#include "map_errors.hpp"
#include "unwritten.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

/// What a thread asks for must be there before anyone looks at it: a fault is the thread's own, here.
void address_checks::check_request(const request& what) {
    if (!kind_of(what.act).accesses) return;
    check_address(program_.self(), what.address, what.size, what.act != action::load, what.site);
    static_cast<void>(*reinterpret_cast<const volatile char*>(what.address));
}

/// Refuses what no object can be at, and heap memory whose allocation is not ordered before.
void address_checks::check_heap_address(const thread_state& t, std::uintptr_t address, std::size_t size,
                                        std::uintptr_t site) {
    if (address < 65'536)
        runtime_.fail_here(failure_kind::wild_access,
                           address == 0 ? "null pointer access" : "access near the null pointer", site,
                           address);
    if (address + size > program_.memory().heap_top_at(address)) {
        const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        if (t.id == program_.current() && here < program_.memory().stack(t.id).begin)
            runtime_.fail_here(failure_kind::limit,
                               "the stack of a thread of the program under test is exhausted (1 MiB)", site,
                               address);
        runtime_.fail_here(failure_kind::wild_access, "access beyond the end of the heap", site, address);
    }
    if (!races_.shadow().fresh(address)) return; // whoever came first is known
    const program_memory::origin made = program_.memory().origin_of(address);
    // It was made after that event, so only a later one can have published it.
    if (made.known && made.thread != t.id && !t.clocks.hb().includes(made.thread, made.index + 1u))
        runtime_.fail_here(failure_kind::data_race,
                           "data race: access of " + std::to_string(size) + " bytes of memory that thread " +
                               std::to_string(made.thread) + " allocated, which is not ordered before",
                           site, address);
}

/// Memory that still holds what it was filled with, and that no access of the program wrote to. What code that
/// is not instrumented wrote is seen by its value alone.
void address_checks::check_heap_read(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    if (!facts_.limits.uninitialised_refutes) return;
    for (std::size_t i = 0; i < size; ++i)
        if (reinterpret_cast<const unsigned char*>(address)[i] != unwritten) return;
    const program::engine_runs engine;
    if (races_.shadow().written(address, size) || races_.shadow().is_atomic(address, size)) return;
    runtime_.fail_here(failure_kind::uninitialised,
                       "uninitialised read of " + std::to_string(size) +
                           " bytes of heap memory that nothing was written to",
                       site, address);
}

/// The stack pointer of whoever called the engine, whose frame in there is at `at`. What is below is nobody's.
/// @return 0 when it isn't known
std::uintptr_t address_checks::program_stack(std::uintptr_t at, const memory_range& stack) const {
    std::uintptr_t pointer = 0;
    for (int depth = 0; depth < 32 && at % sizeof at == 0 && stack.contains(at); ++depth) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(at);
        pointer = at + 2 * sizeof at; // behind the caller's frame pointer and the return address
        if (!program_.memory().in_engine(words[1])) break;
        if (words[0] <= at) return 0;
        at = words[0];
    }
    return pointer;
}

/// Refuses what lies in a stack where no function's frame is.
void address_checks::check_stack(thread_id owner, std::uintptr_t address, std::size_t size,
                                 std::uintptr_t site) {
    const thread_state& of = program_.thread(owner);
    const bool is_thread_local = address >= program_.storage_of(owner);
    if (owner < program_.thread_count() && of.status == thread_status::finished)
        runtime_.fail_here(failure_kind::use_after_free,
                           (is_thread_local ? "use after free: access of " : "use after return: access of ") +
                               std::to_string(size) + " bytes of " +
                               (is_thread_local ? "a thread_local variable" : "the stack") + " of thread " +
                               std::to_string(owner) + ", which has ended",
                           site, address);
    if (is_thread_local) return;
    auto at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (owner != program_.current()) {
        if (owner >= program_.thread_count() || of.status == thread_status::unborn || of.start_pending())
            return;
        at = of.frame;
    }
    if (address < program_stack(at, program_.memory().stack(owner)))
        runtime_.fail_here(failure_kind::use_after_free,
                           "use after return: access of " + std::to_string(size) +
                               " bytes of a local variable whose function has returned",
                           site, address);
    if (owner == program_.current()) return;
    memory_range& shared = shared_locals_[owner];
    shared = shared.size() == 0
                 ? memory_range{address, address + size}
                 : memory_range{std::min(shared.begin, address), std::max(shared.end, address + size)};
}

memory_range address_checks::returned_part(const memory_range& shared) const {
    const std::uintptr_t pointer = program_stack(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)),
                                                 program_.memory().stack(program_.current()));
    return pointer <= shared.begin ? memory_range{}
                                   : memory_range{shared.begin, std::min(shared.end, pointer)};
}

void address_checks::check_mapped(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                                  std::uintptr_t site) {
    mapped::each_part(address, address + size,
                      [&](const mapped::layer* top, std::uintptr_t begin, std::uintptr_t end) {
                          check_layer(t, top, {begin, end}, write, site);
                          return true;
                      });
    if (!mapped::touch(address, size)) no_room_for_layers(runtime_, site);
}

std::uintptr_t address_checks::at_home(std::uintptr_t address, std::size_t size, bool write,
                                       std::uintptr_t site) {
    const thread_state& t = program_.self();
    if (const std::uintptr_t own = program_.home_in_process(address); own != address) {
        const bool in_stack = program_.memory().stack_owner(own) >= 0;
        check_address(t, in_stack ? own : address, size, write, site);
        return own;
    }
    if (!program_memory::in_mapped(address)) return check_address(t, address, size, write, site), address;
    const mapped::layer* const top = mapped::find(address);
    if (top && top->is_home) refuse_access(t, nullptr, {address, address + size}, write, site);
    check_address(t, address, size, write, site);
    const std::uintptr_t home = mapped::home_of(address);
    // What the memory holds is the home's. For this address alone it is a read: no two accesses conflict here.
    if (home != address && !facts_.trying)
        races_.shadow().access(address, size, races_.access_by(t, false, site), t.clocks.hb(), t.contexts);
    return home;
}

void address_checks::check_layer(const thread_state& t, const mapped::layer* top, const memory_range& part,
                                 bool write, std::uintptr_t site) {
    const std::uint8_t needed = write ? mapped::may_write : mapped::may_read;
    if (!top || top->unmapped || top->beyond || !(top->rights & needed))
        refuse_access(t, top, part, write, site);
    if (facts_.trying) return;
    const mapped::layer* giver = top;
    while (giver && !(giver->given & needed)) giver = mapped::find(part.begin, giver);
    if (!giver || giver->thread == mapped::nobody || giver->thread == t.id ||
        t.clocks.hb()[giver->thread] > static_cast<lane>(giver->index))
        return;
    failure f = failure_at(t, failure_kind::data_race,
                           "data race: " + access_text(part, write) + " of memory that thread " +
                               std::to_string(giver->thread) + " mapped, which is not ordered before",
                           part.begin, site);
    name_other(f, giver->thread, giver->index, giver->site);
    runtime_.fail_with(std::move(f));
}

void address_checks::refuse_access(const thread_state& t, const mapped::layer* top, const memory_range& part,
                                   bool write, std::uintptr_t site) {
    const std::string access = access_text(part, write);
    const auto wild = [&](const char* why) {
        runtime_.fail_here(failure_kind::wild_access, "wild access: " + access + why, site, part.begin);
    };
    if (!top) wild(" where nothing is mapped");
    if (top->beyond) wild(" beyond the end of the mapped file; ftruncate() makes a file longer");
    if (!top->unmapped && top->rights == 0)
        wild(" of memory that is protected against any access (PROT_NONE)");
    if (!top->unmapped)
        wild(write ? " to memory that may only be read" : " of memory that may only be written");
    failure f =
        failure_at(t, failure_kind::use_after_free,
                   "use after munmap: " + access + " of memory that " +
                       (top->thread == t.id ? "the same thread" : "thread " + std::to_string(top->thread)) +
                       " has unmapped",
                   part.begin, site);
    name_other(f, top->thread, top->index, top->site);
    runtime_.fail_with(std::move(f));
}

} // namespace ringproof::verify
