// SPDX-License-Identifier: Apache-2.0
// Plain accesses: races, the heap's lifetimes, and plain accesses of what is also accessed atomically.

#include "explorer.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

failure explorer::race_failure(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                               bool atomic, std::uintptr_t site, const plain_access& other) const {
    failure f;
    f.kind = other.freed ? failure_kind::use_after_free : failure_kind::data_race;
    const std::string mine = std::string(atomic ? "atomic " : "") + (write ? "write" : "read");
    f.message = other.freed
                    ? "use after free: " + mine + " of " + std::to_string(size) + " bytes of freed memory"
                    : "data race: " + mine + " of " + std::to_string(size) + " bytes, not ordered with a " +
                          (other.write ? "write" : "read") + " by thread " + std::to_string(other.thread);
    f.thread = t.id;
    f.site = site;
    f.address = address;
    if (other.thread == t.id && !other.freed)
        f.message = "data race: " + mine + " of " + std::to_string(size) + " bytes, and a " +
                    (other.write ? "write" : "read") +
                    " by the same thread, one of the two in an interrupt's handler, with no fence in between";
    f.races = true;
    f.other_thread = other.thread;
    f.other_index = other.index;
    f.other_site = other.site;
    return f;
}

plain_access explorer::access_by(const thread_state& t, bool write, std::uintptr_t site) {
    plain_access by;
    by.thread = static_cast<std::uint8_t>(t.id);
    by.index = t.next_index - 1;
    by.write = write;
    by.depth = static_cast<std::uint8_t>(t.contexts.depth) & 0x7f;
    by.interruptible = t.handlers && coming(t, 1);
    by.run = t.contexts.now().run;
    by.released = t.contexts.now().released;
    by.site = site;
    return by;
}

/// The pending atomic access of `t` against the plain accesses of its bytes.
void explorer::check_races(thread_id t, bool write) {
    const thread_state& th = threads_[t];
    const plain_access* other = shadow_.atomic(th.what.address, th.what.size, write, t, th.clocks.hb());
    if (other) refute(race_failure(th, th.what.address, th.what.size, write, true, th.what.site, *other));
}

/// Refuses what no object can be at, and heap memory whose allocation is not ordered before.
void explorer::check_heap_address(const thread_state& t, std::uintptr_t address, std::size_t size,
                                  std::uintptr_t site) {
    if (address < 65'536)
        fail_here(failure_kind::wild_access,
                  address == 0 ? "null pointer access" : "access near the null pointer", site, address);
    if (address + size > memory_.heap_top_at(address))
        fail_here(failure_kind::wild_access, "access beyond the end of the heap", site, address);
    if (!shadow_.fresh(address)) return; // whoever came first is known
    const program_memory::origin made = memory_.origin_of(address);
    // It was made after that event, so only a later one can have published it.
    if (made.known && made.thread != t.id && !t.clocks.hb().includes(made.thread, made.index + 1u))
        fail_here(failure_kind::data_race,
                  "data race: access of " + std::to_string(size) + " bytes of memory that thread " +
                      std::to_string(made.thread) + " allocated, which is not ordered before",
                  site, address);
}

/// The stack pointer of whoever called the engine, whose frame in there is at `at`. What is below is nobody's.
/// @return 0 when it isn't known
std::uintptr_t explorer::program_stack(std::uintptr_t at, const memory_range& stack) const {
    std::uintptr_t pointer = 0;
    for (int depth = 0; depth < 32 && at % sizeof at == 0 && stack.contains(at); ++depth) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(at);
        pointer = at + 2 * sizeof at; // behind the caller's frame pointer and the return address
        if (!memory_.in_engine(words[1])) break;
        if (words[0] <= at) return 0;
        at = words[0];
    }
    return pointer;
}

/// Refuses what lies in a stack where no function's frame is.
void explorer::check_stack(thread_id owner, std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    const thread_state& of = threads_[owner];
    const bool is_thread_local = address >= storage_of(owner);
    if (owner < thread_count_ && of.status == thread_status::finished)
        fail_here(failure_kind::use_after_free,
                  (is_thread_local ? "use after free: access of " : "use after return: access of ") +
                      std::to_string(size) + " bytes of " +
                      (is_thread_local ? "a thread_local variable" : "the stack") + " of thread " +
                      std::to_string(owner) + ", which has ended",
                  site, address);
    if (is_thread_local) return;
    auto at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (owner != current_) {
        // Where Boost.Context keeps the frame pointer of who has switched away, on this machine.
        constexpr std::uintptr_t saved_frame_pointer = 0x30;
        const auto context = reinterpret_cast<std::uintptr_t>(of.context);
        if (owner >= thread_count_ || of.status == thread_status::unborn || of.start_pending()) return;
        at = *reinterpret_cast<const std::uintptr_t*>(context + saved_frame_pointer);
    }
    if (address < program_stack(at, memory_.stack(owner)))
        fail_here(failure_kind::use_after_free,
                  "use after return: access of " + std::to_string(size) +
                      " bytes of a local variable whose function has returned",
                  site, address);
}

/// What a thread asks for must be there before anyone looks at it: a fault is the thread's own, here.
void explorer::check_request(const request& what) {
    switch (what.act) {
    case action::load:
    case action::store:
    case action::modify:
    case action::compare:
    case action::lock:
    case action::try_lock:
    case action::unlock:
        check_address(self(), what.address, what.size, what.act != action::load, what.site);
        static_cast<void>(*reinterpret_cast<const volatile char*>(what.address));
        return;
    default:
        return;
    }
}

void explorer::too_many_plain(std::uintptr_t address, std::uintptr_t site) {
    const inside engine;
    fail_here(failure_kind::limit,
              "a thread made " + std::to_string(limits_.plain_accesses) +
                  " plain accesses without any that others could see: does it loop for ever?",
              site, address);
}

/// A plain access, on the program's stack, just before it happens.
void explorer::plain_shared(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
    if (size == 0) return;
    const bool thread_local_one = storage_.is_shared(address);
    if (thread_local_one && !interrupts_) return;
    if (volatile_.size != 0) settle_volatile();
    const inside engine;
    if (interrupts_) plain_place(address, size, write, site);
    if (thread_local_one) return;
    thread_state& t = self();
    if (tracing_) note_plain(address, size, write, site);
    if (++t.plain_accesses > limits_.plain_accesses) too_many_plain(address, site);
    check_address(t, address, size, write, site);
    if (write) {
        const memory_range own = memory_.stack(t.id);
        if (!own.contains(address)) {
            note_stack_write(address);
            if (size <= sizeof overwritten::bytes && overwritten_.size() < 64) {
                overwritten o{address, static_cast<std::uint8_t>(size), {}};
                std::memcpy(o.bytes, reinterpret_cast<const void*>(address), size);
                overwritten_.push_back(o);
            } else {
                overwritten_unknown_ = true;
            }
        }
    }
    if (shadow_.is_atomic(address, size)) check_plain_against_atomic(t, address, size, write, site);
    if (trying_) return;
    const plain_access by = access_by(t, write, site);
    if (const plain_access* other = shadow_.access(address, size, by, t.clocks.hb(), t.contexts)) {
        fail_with(race_failure(t, address, size, write, false, site, *other));
    }
}

/// On its own stack a thread's access is of interest only where it also makes atomic ones, as to the volatile
/// members of a local object, which read from the graph.
void explorer::plain_beyond_stack(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
    if (!memory_.stack(self().id).contains(address) || shadow_.is_atomic(address, size))
        plain(address, size, write, site);
}

/// An access of `l` that is not ordered before what `t` is about to do, or null. @param write whether that
/// conflicts with reads too
const event* explorer::unordered_access(const thread_state& t, location_id l, bool write) const {
    const auto ordered = [&](const event& e) {
        // Plain accesses are told apart by bytes, in shadow memory.
        return e.kind == event_kind::init || e.mo == order::plain ||
               t.clocks.hb().includes(e.thread, e.index);
    };
    for (const event_id w : graph_.loc(l).co) {
        if (!ordered(graph_.at(w))) return &graph_.at(w);
        for (event_id r = graph_.at(w).first_reader; write && r != none; r = graph_.at(r).next_reader)
            if (!ordered(graph_.at(r))) return &graph_.at(r);
    }
    return nullptr;
}

/// Every atomic access of `l` has to be ordered before the plain access that `t` is about to make.
void explorer::check_ordered(const thread_state& t, location_id l, std::uintptr_t address, std::size_t size,
                             bool write, std::uintptr_t site) {
    const event* const e = unordered_access(t, l, write);
    if (!e) return;
    failure f;
    f.kind = failure_kind::data_race;
    f.message = std::string("data race: plain ") + (write ? "write" : "read") + " of " +
                std::to_string(size) + " bytes, not ordered with an atomic " +
                (e->is_read() ? "read" : "write") + " by thread " + std::to_string(e->thread);
    f.thread = t.id;
    f.site = site;
    f.address = address;
    f.races = true;
    f.other_thread = e->thread;
    f.other_index = e->index;
    f.other_site = e->site;
    fail_with(std::move(f));
}

/// The location that `t` asks for. Bytes may be accessed atomically in other sizes, or at other places, than
/// before when all that was done to them before is ordered before: memory then has their one value, with which
/// a new location begins. Whoever comes to that has to be ordered behind what was before as well.
location_id explorer::location_of(const thread_state& t, const request& what) {
    const location_id l = graph_.find(what.address);
    if (what.object) {
        if (l == none) return graph_.open(what.address, what.size, false, 0);
        if (!graph_.loc(l).in_memory) return l;
        refuse_size(t, what, l, nullptr);
    }
    if (l != none && !graph_.loc(l).in_memory) refuse_size(t, what, l, nullptr);
    const bool fits = l != none && graph_.loc(l).size == what.size && graph_.current(l);
    if (fits && !graph_.loc(l).over) return l;
    bool over = false;
    if (fits || shadow_.is_atomic(what.address, what.size))
        graph_.each_at(what.address, what.size, [&](location_id other) {
            if (fits && other == l) return;
            over = true;
            if (const event* e = unordered_access(t, other, true)) refuse_size(t, what, other, e);
        });
    if (fits) return l;
    shadow_.mark_atomic(what.address, what.size);
    return graph_.open(what.address, what.size, true, read_memory(what.address, what.size), over);
}

/// @param access of the `other` location, which `what` overlaps; null where that is a mutex or the like
void explorer::refuse_size(const thread_state& t, const request& what, location_id other,
                           const event* access) {
    failure f;
    f.kind = failure_kind::mixed_size;
    f.message = access ? "mixed sizes: an atomic access of " + std::to_string(what.size) +
                             " bytes overlaps one of " + std::to_string(graph_.loc(other).size) +
                             " bytes by thread " + std::to_string(access->thread) +
                             " that is not ordered before it, which is not supported"
                       : "memory that is used both as an atomic and as a mutex is not supported";
    f.thread = t.id;
    f.site = what.site;
    f.address = what.address;
    if (access) {
        f.races = true;
        f.other_thread = access->thread;
        f.other_index = access->index;
        f.other_site = access->site;
    }
    refute(std::move(f));
}

/// A write into another thread's stack: that thread's image no longer is its state.
void explorer::note_stack_write(std::uintptr_t address) {
    if (const int owner = memory_.stack_owner(address); owner >= 0) threads_[owner].dirty = true;
}

/// Plain and atomic accesses of one location: a plain access that is ordered with all atomic ones
/// reads, or becomes, the co-latest write, of the whole location also where it changes a part of it; any
/// other is a race.
void explorer::check_plain_against_atomic(const thread_state& t, std::uintptr_t address, std::size_t size,
                                          bool write, std::uintptr_t site) {
    location_id found[64];
    std::size_t count = 0;
    graph_.each_at(address, size, [&](location_id l) {
        check_ordered(t, l, address, size, write, site);
        if (!write || !graph_.current(l)) return;
        if (count == std::size(found))
            fail_here(failure_kind::unsupported, "a plain write over more than 64 atomic locations at once",
                      site, graph_.loc(l).address);
        found[count++] = l;
    });
    if (!write) return;
    for (std::size_t i = 0; i < count; ++i) {
        request what;
        what.act = action::plain_write;
        what.mo = order::plain;
        what.address = graph_.loc(found[i]).address;
        what.size = graph_.loc(found[i]).size;
        what.more = i > 0;
        what.site = site;
        visible(what);
    }
}

/// What fresh memory holds, so that it is the same in each execution and reads of it are noticed.
constexpr int unwritten = 0xcb;

/// Memory that still holds what it was filled with, and that no access of the program wrote to. What code that
/// is not instrumented wrote is seen by its value alone.
void explorer::check_heap_read(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    if (!limits_.uninitialised_refutes) return;
    for (std::size_t i = 0; i < size; ++i)
        if (reinterpret_cast<const unsigned char*>(address)[i] != unwritten) return;
    const inside engine;
    if (shadow_.written(address, size) || shadow_.is_atomic(address, size)) return;
    fail_here(failure_kind::uninitialised,
              "uninitialised read of " + std::to_string(size) +
                  " bytes of heap memory that nothing was written to",
              site, address);
}

/// At the end of a complete execution.
void explorer::check_leaks() {
    std::size_t count = 0, bytes = 0;
    std::uintptr_t first = 0;
    memory_.each_allocation([&](std::uintptr_t address, std::size_t size) {
        ++count;
        bytes += size;
        first = address;
    });
    if (count == 0) return;
    refute({.kind = failure_kind::leak,
            .message = "leak: " + std::to_string(count) + (count == 1 ? " allocation" : " allocations") +
                       " of " + std::to_string(bytes) + " bytes in all not freed at the end",
            .address = first});
}

void explorer::volatile_read(std::uintptr_t address, std::size_t size, std::uintptr_t site,
                             std::uintptr_t hook_frame) {
    if (address < 65'536 || storage_.is_shared(address)) return plain(address, size, false, site);
    request what;
    what.act = action::load;
    what.size = static_cast<std::uint8_t>(size);
    what.address = address;
    what.site = site;
    what.frame = hook_frame;
    const value_t chosen = visible(what);
    const value_t before = read_memory(address, size);
    if (chosen == before) return;
    volatile_ = {address, site, 0, what.size, false, before};
    write_memory(address, size, chosen);
}

void explorer::volatile_write(std::uintptr_t address, std::size_t size, std::uintptr_t site,
                              std::uintptr_t function_frame) {
    if (address < 65'536 || storage_.is_shared(address)) return plain(address, size, true, site);
    if (volatile_.size != 0) settle_volatile();
    if (!memory_.stack(current_).contains(address) || address >= function_frame) function_frame = 0;
    volatile_ = {
        address, site, function_frame, static_cast<std::uint8_t>(size), true, read_memory(address, size)};
}

/// Puts memory back in order after a volatile access; a write is performed only now that its value is known.
void explorer::settle_volatile() {
    const volatile_access a = volatile_;
    volatile_.size = 0;
    if (a.function_frame != 0) {
        // A local variable's last write: its function may have returned, and its place be another's.
        auto frame_at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        const memory_range own = memory_.stack(current_);
        while (own.contains(frame_at) && frame_at < a.function_frame)
            frame_at = *reinterpret_cast<const std::uintptr_t*>(frame_at);
        if (frame_at != a.function_frame) return;
    }
    const value_t found = read_memory(a.address, a.size);
    if (found != a.before) write_memory(a.address, a.size, a.before);
    if (!a.write) return;
    request what;
    what.act = action::store;
    what.size = a.size;
    what.address = a.address;
    what.operand = found;
    what.site = a.site;
    visible(what);
}

void* explorer::allocate(std::size_t size, std::size_t alignment, std::uintptr_t site, std::uintptr_t frame) {
    const thread_state& t = self();
    const std::uintptr_t again =
        site != 0 && memory_.any_freed() ? reused(size, alignment, site, frame) : std::uintptr_t{0};
    const std::uintptr_t a =
        again != 0 ? again : memory_.allocate(size, alignment, t.id, std::max<unsigned>(t.next_index, 1) - 1);
    if (a == 0)
        fail_here(failure_kind::limit, "the heap of a thread of the program under test is exhausted (1 GiB)",
                  0, 0);
    std::memset(reinterpret_cast<void*>(a), unwritten, size);
    if (tracing_) {
        const inside engine;
        note_allocation(a, size);
    }
    return reinterpret_cast<void*>(a);
}

void explorer::release(void* p, std::uintptr_t site) {
    const inside engine;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    thread_state& t = self();
    const std::size_t size = std::max<std::size_t>(memory_.allocation_size(address), 1);
    memory_.note_freed(address, memory_.in_heap(address) ? t.id : program_memory::nobody, t.next_index - 1u);
    if (shadow_.is_atomic(address, size)) {
        // free() is a write that nothing may be concurrent with; it makes no event.
        graph_.each_at(address, size, [&](location_id l) { check_ordered(t, l, address, size, true, site); });
    }
    if (trying_) return;
    plain_access by = access_by(t, true, site);
    by.freed = true;
    if (const plain_access* other = shadow_.access(address, size, by, t.clocks.hb(), t.contexts)) {
        failure f = race_failure(t, address, size, true, false, site, *other);
        if (other->freed) {
            f.kind = failure_kind::double_free;
            f.message = "double free";
        } else {
            f.message =
                "data race: free, not ordered with an access by thread " + std::to_string(other->thread);
        }
        fail_with(std::move(f));
    }
}

} // namespace ringproof::verify
