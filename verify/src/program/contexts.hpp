// SPDX-License-Identifier: Apache-2.0
#pragma once
// What runs inside what on one thread: its own code at depth 0, a handler that interrupts it at depth 1, and so
// on; and whether the compiler could bring plain accesses of two of them out of order.

#include <cstdint>

namespace ringproof::verify {

/// Own code and handlers: verify::max_interrupt_depth + 1.
inline constexpr unsigned max_contexts = 5;

struct context {
    std::uint16_t run = 0;      ///< which of its thread's handler runs this is; 0: the thread's own code
    std::uint16_t released = 0; ///< barriers so far that keep plain accesses before them
    std::uint16_t acquired = 0; ///< handler runs up to this one are behind a barrier for what comes now
    std::uint16_t level = 0;    ///< of the handler
    std::uint16_t open_to = 1;  ///< the lowest level of handlers that may come in
    std::uint32_t first = 0;    ///< index of its first event
    bool touched = false;       ///< it has accessed plain memory that is not its own
    bool attached = false;      ///< it has attached handlers of its own
    bool exposed = false;       ///< a plain access that a handler conflicts with, and no point since
    std::uintptr_t below = 0;   ///< its own frames lie below
};

struct contexts {
    std::uint16_t depth = 0;
    std::uint16_t runs = 0; ///< handler runs so far
    context at[max_contexts];

    context& now() { return at[depth]; }
    const context& now() const { return at[depth]; }

    /// For the context now: plain accesses before it stay there, and those after it.
    void barrier(bool releases, bool acquires) {
        if (releases) ++now().released;
        if (acquires) now().acquired = runs;
    }

    /// Whether a plain access by the context now is unordered with one that the same thread made at `depth_then`
    /// in `run_then`, after `released_then` barriers. Handlers that ran one after the other are in order; an
    /// access of interrupted code is where it stands only if a barrier keeps it there.
    bool unordered(unsigned depth_then, std::uint16_t run_then, std::uint16_t released_then) const {
        if (depth_then < depth)
            return at[depth_then].run == run_then && at[depth_then].released == released_then;
        return depth_then > depth && run_then > now().acquired;
    }
};

} // namespace ringproof::verify
