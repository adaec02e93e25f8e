// SPDX-License-Identifier: Apache-2.0
// The other policies, each without one member.
#include "refused.hpp"

#include <ringproof/aux/aux_area.hpp>
#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/layout/between_processes.hpp>
#include <ringproof/producer/robust.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/recorder.hpp>
#include <ringproof/session/session.hpp>
#include <ringproof/spsc_queue.hpp>
#include <ringproof/trace_source/etr.hpp>
#include <ringproof/wake/event_descriptor.hpp>
#include <ringproof/wake/futex.hpp>

using namespace ringproof;

// ---- Full --------------------------------------------------------------------------------------
namespace full {
template <class Full>
using ring = record_ring<single, acquire_release, Full>;
WITHOUT(DOES_NOT_SAY, can_pause, keep_oldest);
REFUSED("Full lacks `static constexpr bool can_pause`", ring<without_can_pause>);
WITHOUT(DOES_NOT_SAY, report_size, keep_oldest);
REFUSED("Full lacks `static constexpr std::size_t report_size`", ring<without_report_size>);
WITHOUT(HIDES, wanted, keep_oldest);
REFUSED("Full lacks wanted(side)", ring<without_wanted>);
WITHOUT(HIDES, report, keep_oldest);
REFUSED("Full lacks report(side, area, at, id)", ring<without_report>);
} // namespace full

// ---- Layout ------------------------------------------------------------------------------------
namespace layout {
template <class Layout>
using ring = record_ring<single, acquire_release, refuse, Layout>;
template <class Layout>
using among_processes = record_ring<robust, acquire_release, refuse, Layout>;
WITHOUT(DOES_NOT_SAY, has_page, padded);
REFUSED("Layout lacks `static constexpr bool has_page`", ring<without_has_page>);
WITHOUT(DOES_NOT_SAY, many_processes, padded);
REFUSED("Layout lacks `static constexpr bool many_processes`", ring<without_many_processes>);
WITHOUT(DOES_NOT_SAY, has_aux, padded);
REFUSED("Layout lacks `static constexpr bool has_aux`", ring<without_has_aux>);
WITHOUT(DOES_NOT_SAY, word, padded);
REFUSED("Layout lacks word<Which>, made with", ring<without_word>);
WITHOUT(DOES_NOT_SAY, positions, padded);
REFUSED("Layout lacks positions (head and tail) or begin(memory, start)", ring<without_positions>);
WITHOUT(HIDES, begin, padded);
REFUSED("Layout lacks positions (head and tail) or begin(memory, start)", ring<without_begin>);
WITHOUT(DOES_NOT_SAY, places, between_processes);
REFUSED("Layout says `many_processes`, but lacks `static constexpr std::size_t places`",
        among_processes<without_places>);
WITHOUT(DOES_NOT_SAY, places_at, between_processes);
REFUSED("Layout says `many_processes`, but lacks `static constexpr std::size_t places_at`",
        among_processes<without_places_at>);
WITHOUT(HIDES, begin_aux, perf_abi);
REFUSED("Layout says `has_aux`, but lacks begin_aux(memory, start, capacity)", ring<without_begin_aux>);
} // namespace layout

// ---- Wake --------------------------------------------------------------------------------------
namespace wake {
template <class Wake>
using ring = record_ring<single, acquire_release, refuse, padded, Wake>;
#define STATE_WITHOUT(member, of)                                                                            \
    struct state_without_##member : of {                                                                     \
        template <class Barriers, class Producer>                                                            \
        struct state : of::state<Barriers, Producer> {                                                       \
            using of::state<Barriers, Producer>::state;                                                      \
            HIDES(member)                                                                                    \
        };                                                                                                   \
    }
WITHOUT(DOES_NOT_SAY, wakes, silent);
REFUSED("Wake lacks `static constexpr bool wakes`", ring<without_wakes>);
WITHOUT(DOES_NOT_SAY, has_descriptor, silent);
REFUSED("Wake lacks `static constexpr bool has_descriptor`", ring<without_has_descriptor>);
WITHOUT(DOES_NOT_SAY, state, silent);
REFUSED("Wake lacks the class template state<Barriers, Producer>", ring<without_state>);
STATE_WITHOUT(reserved, silent);
REFUSED("Wake: its state lacks reserved(end), published(all, at, end), refused(all) or flushed(all)",
        ring<state_without_reserved>);
STATE_WITHOUT(published, silent);
REFUSED("Wake: its state lacks reserved(end), published(all, at, end), refused(all) or flushed(all)",
        ring<state_without_published>);
STATE_WITHOUT(refused, silent);
REFUSED("Wake: its state lacks reserved(end), published(all, at, end), refused(all) or flushed(all)",
        ring<state_without_refused>);
STATE_WITHOUT(flushed, silent);
REFUSED("Wake: its state lacks reserved(end), published(all, at, end), refused(all) or flushed(all)",
        ring<state_without_flushed>);
STATE_WITHOUT(drained, silent);
REFUSED("Wake: its state lacks drained(side, view, area, tail)", ring<state_without_drained>);
STATE_WITHOUT(wait, futex_wakeup);
REFUSED("Wake says `wakes`, but its state lacks wait(), ready() or raise()", ring<state_without_wait>);
STATE_WITHOUT(ready, futex_wakeup);
REFUSED("Wake says `wakes`, but its state lacks wait(), ready() or raise()", ring<state_without_ready>);
STATE_WITHOUT(raise, futex_wakeup);
REFUSED("Wake says `wakes`, but its state lacks wait(), ready() or raise()", ring<state_without_raise>);
STATE_WITHOUT(sink, descriptor_wakeup);
REFUSED("Wake says `has_descriptor`, but its state lacks sink().descriptor()", ring<state_without_sink>);
struct state_of_nothing : silent {
    template <class Barriers, class Producer>
    struct state {};
};
REFUSED("Wake: its state lacks a constructor from (capacity, start, watermark)", ring<state_of_nothing>);
} // namespace wake

// ---- Sink --------------------------------------------------------------------------------------
namespace sink {
WITHOUT(DOES_NOT_SAY, has_descriptor, futex);
REFUSED("Sink lacks `static constexpr bool has_descriptor`", watermark<without_has_descriptor>);
WITHOUT(HIDES, descriptor, event_descriptor);
REFUSED("Sink says `has_descriptor`, but lacks descriptor()", watermark<without_descriptor>);
WITHOUT(HIDES, raised, futex);
REFUSED("Sink lacks raised(flag), lowered(), collect() or sleep<Barriers>(flag, seen)",
        watermark<without_raised>);
WITHOUT(HIDES, lowered, futex);
REFUSED("Sink lacks raised(flag), lowered(), collect() or sleep<Barriers>(flag, seen)",
        watermark<without_lowered>);
WITHOUT(HIDES, collect, futex);
REFUSED("Sink lacks raised(flag), lowered(), collect() or sleep<Barriers>(flag, seen)",
        watermark<without_collect>);
WITHOUT(HIDES, sleep, futex);
REFUSED("Sink lacks raised(flag), lowered(), collect() or sleep<Barriers>(flag, seen)",
        watermark<without_sleep>);
struct made_of_something : futex {
    explicit made_of_something(int) {}
};
REFUSED("Sink lacks a constructor without arguments", watermark<made_of_something>);
} // namespace sink

// ---- Direction ---------------------------------------------------------------------------------
namespace direction {
WITHOUT(DOES_NOT_SAY, in_pages, forward);
REFUSED("Direction lacks `static constexpr bool in_pages`", recorder<single, without_in_pages>);
WITHOUT(DOES_NOT_SAY, downwards, forward);
REFUSED("Direction lacks `static constexpr bool downwards`", recorder<single, without_downwards>);
WITHOUT(DOES_NOT_SAY, trailer_size, forward);
REFUSED("Direction lacks `static constexpr std::size_t trailer_size`",
        recorder<single, without_trailer_size>);
WITHOUT(HIDES, trailer, forward);
REFUSED("Direction lacks trailer(size)", recorder<single, without_trailer>);
WITHOUT(HIDES, next, forward);
REFUSED("Direction lacks next(words, distance, limit)", snapshot_reader<without_next>);
WITHOUT(DOES_NOT_SAY, stamp_size, paged);
REFUSED("Direction says `in_pages`, but lacks `static constexpr std::size_t stamp_size`",
        recorder<single, without_stamp_size>);
WITHOUT(HIDES, page_size, paged);
REFUSED("Direction says `in_pages`, but lacks page_size(capacity)", recorder<single, without_page_size>);
} // namespace direction

// ---- HandOver ----------------------------------------------------------------------------------
namespace hand_over {
template <class HandOver>
using queue = spsc_queue<int, acquire_release, HandOver>;
WITHOUT(DOES_NOT_SAY, commits_in_band, each);
REFUSED("HandOver lacks `static constexpr bool commits_in_band`", queue<without_commits_in_band>);
WITHOUT(DOES_NOT_SAY, batches, each);
REFUSED("HandOver lacks `static constexpr bool batches`", queue<without_batches>);
WITHOUT(DOES_NOT_SAY, most, batched_items);
REFUSED("HandOver says `batches`, but lacks `static constexpr std::size_t most`",
        record_ring<single_producer<without_most>>);
} // namespace hand_over

// ---- Identity, Clock, Mutex --------------------------------------------------------------------
namespace identity {
using one = detail::process_identity;
WITHOUT(HIDES, own, one);
REFUSED("Identity lacks own(), a std::uint64_t", robust_producer<without_own>);
WITHOUT(HIDES, dead, one);
REFUSED("Identity lacks dead(identity), a bool", robust_producer<without_dead>);
WITHOUT(DOES_NOT_SAY, knows_forks, one);
REFUSED("Identity lacks `static constexpr bool knows_forks`", robust_producer<without_knows_forks>);
WITHOUT(HIDES, is_own, one);
REFUSED("Identity says `knows_forks`, but lacks is_own(identity)", robust_producer<without_is_own>);
WITHOUT(HIDES, now, monotonic_clock);
REFUSED("Clock lacks now()", session<without_now>);
WITHOUT(HIDES, lock, std::mutex);
REFUSED("Mutex lacks lock(), unlock()", session<monotonic_clock, acquire_release, without_lock>);
WITHOUT(HIDES, unlock, std::mutex);
REFUSED("Mutex lacks lock(), unlock()", basic_etr_sink<without_unlock>);
} // namespace identity

// ---- what an AUX area is given -----------------------------------------------------------------
namespace trace {
using ring = record_ring<single, acquire_release, refuse, padded, futex_wakeup>;
WITHOUT(DOES_NOT_SAY, wakes, ring);
REFUSED("Ring lacks `static constexpr bool wakes`", aux_area<without_wakes>);
WITHOUT(HIDES, wake, ring);
REFUSED("Ring says `wakes`, but lacks wake()", aux_area<without_wake>);
WITHOUT(HIDES, write, ring);
REFUSED("Ring lacks write(bytes, tag) or memory()", aux_area<without_write>);
WITHOUT(HIDES, memory, ring);
REFUSED("Ring lacks write(bytes, tag) or memory()", aux_area<without_memory>);
using transaction = aux_area<ring>::transaction;
template <class Transaction>
struct stopped {
    static std::size_t by(etr_sink& sink, Transaction& room) { return sink.stop(room); }
    static constexpr auto* function = &by;
};
WITHOUT(DOES_NOT_SAY, bounded, transaction);
template struct stopped<without_bounded>;
REFUSED("Transaction lacks `static constexpr bool bounded`", stopped<without_bounded>);
WITHOUT(HIDES, room, transaction);
template struct stopped<without_room>;
REFUSED("Transaction says `bounded`, but lacks room()", stopped<without_room>);
} // namespace trace
