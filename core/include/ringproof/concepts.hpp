// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

// What each template parameter of the core must provide, as a concept; an overview is in docs/policies.md.
//
//  | parameter   | of                                          | concept                        | models                              |
//  |-------------|---------------------------------------------|--------------------------------|-------------------------------------|
//  | Barriers    | all                                         | barriers_policy                | acquire_release, fences, control_dependency |
//  | Producer    | record_ring, recorder                       | producer_policy, with          | single…, nested, shared, one_cpu, robust |
//  |             |                                             | producing_side, consuming_side |                                     |
//  | Full        | record_ring, per_cpu_rings                  | full_policy, full_policy_for   | refuse, keep_oldest                 |
//  | Layout      | record_ring, recorder                       | layout_policy                  | padded, perf_abi, between_processes |
//  | Wake        | record_ring, per_cpu_rings                  | wake_policy, with wake_state   | silent, futex_wakeup, descriptor_wakeup |
//  | Sink        | watermark                                   | sink_policy                    | futex, event_descriptor             |
//  | Direction   | recorder, snapshot_reader                   | direction_policy               | backward, forward, paged            |
//  | HandOver    | spsc_queue, single_producer                 | hand_over_policy               | each, in_band, batched<N>           |
//  | Identity    | robust_producer                             | identity_policy                | detail::process_identity            |
//  | Clock       | session                                     | clock_policy                   | monotonic_clock                     |
//  | Mutex       | session, basic_etr_sink                     | mutex_policy                   | std::mutex                          |
//  | Ring        | aux_area, aux_window                        | ring_beside_trace              | record_ring<…>                      |
//  | Transaction | basic_etr_sink's functions                  | trace_transaction              | aux_area's and aux_window's         |
//
// A policy says what it can do by constants, `static constexpr bool`, its capabilities, and says all of them. Nothing is
// guessed from which members there are: what a capability promises must be there, and a policy that lacks it, or the
// capability itself, is refused by one static_assert that names the parameter and what is missing.
#include "ringproof/concepts/barriers.hpp"       // IWYU pragma: export
#include "ringproof/concepts/clock.hpp"          // IWYU pragma: export
#include "ringproof/concepts/consuming_side.hpp" // IWYU pragma: export
#include "ringproof/concepts/direction.hpp"      // IWYU pragma: export
#include "ringproof/concepts/full.hpp"           // IWYU pragma: export
#include "ringproof/concepts/hand_over.hpp"      // IWYU pragma: export
#include "ringproof/concepts/identity.hpp"       // IWYU pragma: export
#include "ringproof/concepts/layout.hpp"         // IWYU pragma: export
#include "ringproof/concepts/producer.hpp"       // IWYU pragma: export
#include "ringproof/concepts/producing_side.hpp" // IWYU pragma: export
#include "ringproof/concepts/record_ring.hpp"    // IWYU pragma: export
#include "ringproof/concepts/recorder.hpp"       // IWYU pragma: export
#include "ringproof/concepts/trace.hpp"          // IWYU pragma: export
#include "ringproof/concepts/wake.hpp"           // IWYU pragma: export
