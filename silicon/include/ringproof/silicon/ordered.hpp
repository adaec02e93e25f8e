// SPDX-License-Identifier: Apache-2.0
#pragma once
// Would an execution be allowed if some of its events ordered more? The execution stays as it is; only the order
// within its threads grows.

#include <ringproof/silicon/execution.hpp>

namespace ringproof::silicon {

/// What an event orders in addition.
struct added_order {
    enum class kind : std::uint8_t {
        acquire_pc,       ///< a read: LDAPR
        acquire,          ///< a read: LDAR
        release,          ///< a write: STLR
        barrier_of_reads, ///< before the event: DMB ISHLD
        /// Before the event: orders all before it with writes behind it, which is what a release fence has to do.
        barrier_for_writes,
        barrier ///< before the event: DMB ISH
    } how = kind::acquire;
    event_id at;
};

/// @param part that the model allows
bool allows_with(const model& m, const part_of_execution& part, const std::vector<added_order>& more);

/// Whether threads that take turns, event by event in program order, have this execution. Then no order within threads
/// forbids it.
bool is_interleaving(const model& m, const part_of_execution& part);

} // namespace ringproof::silicon
