// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof {

/// Why the records of one event may not go to another's ring.
enum class output_refusal : std::uint8_t {
    none,
    itself,
    other_cpu,        ///< a ring of a CPU is written there only
    other_thread,     ///< a ring of a thread is written by it only
    other_clock,      ///< time stamps that can't be compared
    other_direction,  ///< one forward, one backward: a reader could not walk it
    other_aux_source, ///< two kinds of trace in one AUX area
    mapped,           ///< it has a ring of its own, which somebody reads
    no_ring,          ///< the other has none
    closing,          ///< the other's is being taken away
};

/// What of an event decides who may share its ring.
struct output_description {
    int cpu = -1;             ///< -1: any
    std::uint64_t thread = 0; ///< of any use only without a CPU
    std::uint32_t clock = 0;
    std::uint32_t aux_source = 0; ///< 0: none
    bool backward = false;
    bool mapped = false;  ///< has a ring of its own; of the other event: or one that it writes
    bool closing = false; ///< which is being taken away
};

/// The rules of PERF_EVENT_IOC_SET_OUTPUT (perf_event_set_output in kernel/events/core.c of Linux). Who redirects to
/// an event that has been redirected writes the same ring as that.
[[nodiscard]] constexpr output_refusal may_redirect(const output_description& from,
                                                    const output_description& to, bool same) noexcept {
    if (same) return output_refusal::itself;
    if (from.cpu != to.cpu) return output_refusal::other_cpu;
    if (from.cpu == -1 && from.thread != to.thread) return output_refusal::other_thread;
    if (from.clock != to.clock) return output_refusal::other_clock;
    if (from.backward != to.backward) return output_refusal::other_direction;
    if (from.aux_source != 0 && to.aux_source != 0 && from.aux_source != to.aux_source)
        return output_refusal::other_aux_source;
    if (from.mapped) return output_refusal::mapped;
    if (to.closing) return output_refusal::closing;
    if (!to.mapped) return output_refusal::no_ring;
    return output_refusal::none;
}

} // namespace ringproof
