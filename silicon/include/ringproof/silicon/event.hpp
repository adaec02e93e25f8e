// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a thread of machine code does to memory: reads, writes and barriers, each with the reads that it
// depends on. Everything else that a thread computes stays inside its machine.

#include <ringproof/silicon/index_set.hpp>

#include <compare>

namespace ringproof::silicon {

/// A value of up to 16 bytes. Only machines know what it means; the search compares and carries it.
struct word {
    std::uint64_t low = 0, high = 0;
    friend auto operator<=>(const word&, const word&) = default;
};

/// What a barrier orders: accesses of one kind before it with accesses of one kind behind it.
struct barrier {
    bool read_read = false, read_write = false, write_read = false, write_write = false;
    bool instructions = false; ///< ISB: discards what was fetched ahead
    friend bool operator==(const barrier&, const barrier&) = default;
};

struct event {
    bool is_read = false, is_write = false; ///< both: one event that reads and writes (RISC-V's AMO)
    std::uint64_t address = 0;              ///< of reads and writes
    std::uint32_t bytes = 0;                ///< accessed; 0: the whole location
    std::uint32_t instruction = 0;          ///< events of one instruction share it
    /// Neighbours in program order that are one access to the machine (single-copy atomic), in pieces since others access
    /// a part of it, share it. 0: the event is all of its access. Reads share it with reads, writes with writes.
    std::uint32_t single = 0;

    bool acquire = false;    ///< AArch64 LDAR; RISC-V .aq
    bool acquire_pc = false; ///< LDAPR
    bool release = false;    ///< STLR; RISC-V .rl
    bool exclusive = false;  ///< of a store-exclusive: its read was of another instruction
    bool atomic =
        false; ///< of an instruction that reads and writes, or of a pair that does (RISC-V's AMO, LR, SC)
    bool no_return = false; ///< a read whose value no register takes: barriers for loads do not wait for it
    barrier fence;          ///< of events that are neither read nor write

    /// The earlier events of the thread whose values flow here through registers: into the address, into what is
    /// stored, into a branch before. Dependencies are those of the syntax: `eor x1,x0,x0` depends on x0.
    index_set address_from, data_from, control_from;
    /// The same, but also through a choice between values (AArch64's CSEL), which orders less.
    index_set picked_address, picked_data, picked_control;
    /// Earlier events that program order leaves unordered with this one: the other half of LDP and STP.
    index_set beside;
    int rmw_read = -1; ///< of a write: the read of the same read-modify-write, by index
};

/// An event of the execution: a thread and an index, or the initial write of a location.
struct event_id {
    std::int32_t thread = -1; ///< -1: initial
    std::int32_t index = 0;
    bool is_initial() const { return thread < 0; }
    friend auto operator<=>(const event_id&, const event_id&) = default;
};

} // namespace ringproof::silicon
