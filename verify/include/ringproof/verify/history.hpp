// SPDX-License-Identifier: Apache-2.0
#pragma once
// The execution that refutes a program, as flat data: what a counterexample is made of.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ringproof::verify {

/// One event of a recorded execution. The events are in an order that extends po ∪ rf.
struct recorded_event {
    enum class what : std::uint8_t {
        read,
        write,
        rmw, ///< a successful read-modify-write, both parts
        fence,
        create,
        begin,
        join,
        end,
        lock,
        lock_busy, ///< saw the mutex taken
        unlock,
        plain_read,
        plain_write,
        interrupt, ///< a handler comes in; what it does has a greater depth
        failure    ///< where the program gave up: an assertion, say
    };
    /// Where an address lies; `offset` is relative to it.
    enum class region : std::uint8_t { nowhere, executable, heap, stack, thread_storage, elsewhere, mapped };
    static constexpr std::size_t initial = ~std::size_t{0}; ///< rf: the initial write

    what kind = what::read;
    std::string_view order = {}; ///< "relaxed" …; empty for what has none
    std::string_view word = {};  ///< what the library calls it: "post semaphore"; empty: nothing special
    region where = region::nowhere;
    std::uint8_t size = 0;
    std::uint8_t depth = 0; ///< 0: the thread's own code; 1: a handler that interrupts it; and so on
    bool complete = true;   ///< false: the access that failed, which never took place
    bool culprit = false;   ///< one of the two racing accesses, or what failed
    std::uint16_t thread = 0;
    std::uint16_t other =
        0xffff; ///< create, begin, join: the other thread; heap, stack, thread_storage: whose
    std::uint32_t location = 0xffff'ffff; ///< equal for accesses of one atomic location
    std::uint32_t co = 0;                 ///< write: its place in the coherence order of its location
    std::size_t rf = initial;             ///< read: index of the write it reads from
    std::uintptr_t address = 0;
    std::uintptr_t offset = 0;
    std::uint64_t value = 0;                ///< read or written
    std::uint64_t written = 0;              ///< rmw: the value it wrote
    std::vector<std::uintptr_t> sites = {}; ///< return addresses, innermost first
    std::uintptr_t frame_site =
        0; ///< stack: a return address into the function whose frame this is; 0: unknown
    std::uintptr_t frame_below = 0; ///< stack: how far below that frame's canonical address
    std::uintptr_t frame_above = 0; ///< stack: how far above that function's stack pointer
    std::vector<std::uintptr_t> allocated_at =
        {}; ///< heap, mapped: return addresses of the allocation; offset is from its begin
    std::size_t allocation = 0; ///< heap: which of the execution's allocations, counted from 0
    std::size_t allocated = 0;  ///< heap, mapped: bytes of the allocation
    std::size_t whole = 0;      ///< plain accesses: bytes, where `size` is of those whose value is given

    bool reads() const {
        return kind == what::read || kind == what::rmw || kind == what::lock || kind == what::lock_busy;
    }
    bool writes() const {
        return kind == what::write || kind == what::rmw || kind == what::lock || kind == what::unlock;
    }
};

} // namespace ringproof::verify
