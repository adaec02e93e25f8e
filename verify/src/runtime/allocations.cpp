// SPDX-License-Identifier: Apache-2.0
#include "allocations.hpp"

#include "runtime.hpp"
#include "unwritten.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

void* allocations::allocate(std::size_t size, std::size_t alignment, std::uintptr_t site,
                            std::uintptr_t frame) {
    const thread_state& t = program_.self();
    const std::uintptr_t again = site != 0 && !program::in_process() && program_.memory().any_freed()
                                     ? reused(size, alignment, site, frame)
                                     : std::uintptr_t{0};
    const std::uintptr_t a = again != 0 ? again
                                        : program_.memory().allocate(size, alignment, t.id,
                                                                     std::max<unsigned>(t.next_index, 1) - 1);
    if (a == 0)
        runtime_.fail_here(failure_kind::limit,
                           "the heap of a thread of the program under test is exhausted (1 GiB)", 0, 0);
    std::memset(reinterpret_cast<void*>(a), unwritten, size);
    if (facts_.tracing) {
        const program::engine_runs engine;
        recorder_.note_allocation(a, size);
    }
    return reinterpret_cast<void*>(a);
}

void allocations::release(void* p, std::uintptr_t site) {
    const program::engine_runs engine;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    thread_state& t = program_.self();
    if (program_.home_in_process(address) != address)
        return; // the copy of what another process has allocated
    if (program_.memory().in_heap(address) && program_.memory().block_at(address) != address)
        runtime_.fail_here(failure_kind::wild_access, "free of an address that no allocation has given", site,
                           address);
    const std::size_t size = std::max<std::size_t>(program_.memory().allocation_size(address), 1);
    program_.memory().note_freed(address, program_.memory().in_heap(address) ? t.id : program_memory::nobody,
                                 t.next_index - 1u);
    if (races_.shadow().is_atomic(address, size)) {
        // free() is a write that nothing may be concurrent with; it makes no event.
        graph_.each_at(address, size, [&](location_id l) {
            runtime_.accesses().check_ordered(t, l, address, size, true, site);
        });
    }
    if (facts_.trying) return;
    runtime_.accesses().note_told(t, address, size, true);
    races_.note_access(t, address, size, access_kind::plain_write);
    plain_access by = races_.access_by(t, true, site);
    by.freed = true;
    if (const plain_access* other = races_.shadow().access(address, size, by, t.clocks.hb(), t.contexts)) {
        failure f = races_.race_failure(t, address, size, true, false, site, *other);
        if (other->freed) {
            f.kind = failure_kind::double_free;
            f.message = "double free";
        } else {
            f.message =
                "data race: free, not ordered with an access by thread " + std::to_string(other->thread);
        }
        runtime_.fail_with(std::move(f));
    }
}

/// At the end of a complete execution.
void allocations::check_leaks() const {
    std::size_t count = 0, bytes = 0;
    std::uintptr_t first = 0;
    program_.memory().each_allocation([&](std::uintptr_t address, std::size_t size) {
        // The system takes what a process leaves that has ended.
        if (program_.thread(program_.memory().heap_owner(address)).process != 0) return;
        ++count;
        bytes += size;
        first = address;
    });
    if (count == 0) return;
    throw refuted{{.kind = failure_kind::leak,
                   .message = "leak: " + std::to_string(count) +
                              (count == 1 ? " allocation" : " allocations") + " of " + std::to_string(bytes) +
                              " bytes in all not freed at the end",
                   .address = first}};
}

} // namespace ringproof::verify
