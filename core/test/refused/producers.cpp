// SPDX-License-Identifier: Apache-2.0
// Producers that lack one member: renamed, say, in one of the core's.
#include "refused.hpp"

#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/layout/between_processes.hpp>
#include <ringproof/producer/one_cpu.hpp>
#include <ringproof/producer/robust.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/recorder.hpp>
#include <ringproof/wake/futex.hpp>

using namespace ringproof;

#define SIDE_LACKS(member, of)                                                                               \
    struct lacks_##member : of {                                                                             \
        template <class Barriers, class Layout>                                                              \
        struct producer_side : of::producer_side<Barriers, Layout> {                                         \
            using base = of::producer_side<Barriers, Layout>;                                                \
            using base::base;                                                                                \
            HIDES(member)                                                                                    \
        };                                                                                                   \
    }
#define VIEW_LACKS(lack, member, of)                                                                         \
    struct view_lacks_##member : of {                                                                        \
        template <class Barriers>                                                                            \
        struct consumer_side : of::consumer_side<Barriers> {                                                 \
            using of::consumer_side<Barriers>::consumer_side;                                                \
            lack(member)                                                                                     \
        };                                                                                                   \
    }
template <class Producer>
using among_processes = record_ring<Producer, acquire_release, refuse, between_processes>;

// ---- what every producer has -------------------------------------------------------------------
SIDE_LACKS(reserve, single);
REFUSED("Producer: its producer_side lacks reserve(at, size, capacity, tail)", record_ring<lacks_reserve>);
SIDE_LACKS(commit, single);
REFUSED("Producer: its producer_side lacks commit(area, at, header, size)", record_ring<lacks_commit>);
SIDE_LACKS(discard, single);
REFUSED("Producer: its producer_side lacks discard(area, at, size)", record_ring<lacks_discard>);
SIDE_LACKS(refused, single);
REFUSED("Producer: its producer_side lacks refused()", record_ring<lacks_refused>);
SIDE_LACKS(count_lost, single);
REFUSED("Producer: its producer_side lacks count_lost()", record_ring<lacks_count_lost>);
SIDE_LACKS(lost, single);
REFUSED("Producer: its producer_side lacks lost()", record_ring<lacks_lost>);
SIDE_LACKS(head, single);
REFUSED("Producer: its producer_side lacks head()", record_ring<lacks_head>);
struct made_of_nothing : single {
    template <class Barriers, class Layout>
    struct producer_side {};
};
REFUSED("Producer: its producer_side lacks a constructor from", record_ring<made_of_nothing>);
struct without_sides : single {
    DOES_NOT_SAY(producer_side)
};
REFUSED("Producer lacks the class template producer_side<Barriers, Layout>", record_ring<without_sides>);
struct without_views : single {
    DOES_NOT_SAY(consumer_side)
};
REFUSED("Producer lacks the class template consumer_side<Barriers>", record_ring<without_views>);

// ---- a capability that is true, and a member that was renamed ------------------------------------
SIDE_LACKS(flush, single_batched<>);
REFUSED("Producer says `batches`, but its producer_side lacks flush()", record_ring<lacks_flush>);
SIDE_LACKS(open, nested);
REFUSED("Producer says `tells_open`, but its producer_side lacks open()", record_ring<lacks_open>);
SIDE_LACKS(belongs_to, one_cpu);
REFUSED("Producer says `belongs_to_cpu`, but its producer_side lacks belongs_to(cpu)",
        record_ring<lacks_belongs_to>);
SIDE_LACKS(mark, robust);
REFUSED("Producer says `marks_crashes`, but its producer_side lacks mark(area, at)",
        among_processes<lacks_mark>);
SIDE_LACKS(recover, robust);
REFUSED("Producer says `marks_crashes`, but its producer_side lacks recover(area, at)",
        among_processes<lacks_recover>);
SIDE_LACKS(commit_front, shared);
REFUSED("Producer says `reports_losses`, but its producer_side lacks commit_front(area, at, header, size)",
        record_ring<lacks_commit_front>);
SIDE_LACKS(unreported, shared);
REFUSED("Producer says `reports_losses`, but its producer_side lacks unreported()",
        record_ring<lacks_unreported>);
SIDE_LACKS(take_unreported, shared);
REFUSED("Producer says `reports_losses`, but its producer_side lacks take_unreported()",
        record_ring<lacks_take_unreported>);
SIDE_LACKS(paused, shared);
REFUSED("Producer says `can_pause`, but its producer_side lacks paused()", record_ring<lacks_paused>);
SIDE_LACKS(reserve_over, nested);
REFUSED("Producer says `overwrites`, but its producer_side lacks reserve_over(step)",
        recorder<lacks_reserve_over>);
SIDE_LACKS(publish_over, nested);
REFUSED("Producer says `overwrites`, but its producer_side lacks publish_over(over)",
        recorder<lacks_publish_over>);
SIDE_LACKS(intent, nested);
REFUSED("Producer says `overwrites`, but its producer_side lacks intent()", recorder<lacks_intent>);
struct lacks_takes_type : robust {
    HIDES(takes_type)
};
REFUSED("Producer says `marks_crashes`, but lacks takes_type(type)", among_processes<lacks_takes_type>);

// ---- a capability that was renamed ---------------------------------------------------------------
WITHOUT(DOES_NOT_SAY, many_threads, robust);
REFUSED("Producer lacks `static constexpr bool many_threads`", among_processes<without_many_threads>);
WITHOUT(DOES_NOT_SAY, commits_in_band, robust);
REFUSED("Producer lacks `static constexpr bool commits_in_band`", among_processes<without_commits_in_band>);
WITHOUT(DOES_NOT_SAY, batches, robust);
REFUSED("Producer lacks `static constexpr bool batches`", among_processes<without_batches>);
WITHOUT(DOES_NOT_SAY, tells_open, robust);
REFUSED("Producer lacks `static constexpr bool tells_open`", among_processes<without_tells_open>);
WITHOUT(DOES_NOT_SAY, belongs_to_cpu, robust);
REFUSED("Producer lacks `static constexpr bool belongs_to_cpu`", among_processes<without_belongs_to_cpu>);
WITHOUT(DOES_NOT_SAY, marks_crashes, robust);
REFUSED("Producer lacks `static constexpr bool marks_crashes`", among_processes<without_marks_crashes>);
WITHOUT(DOES_NOT_SAY, reports_losses, robust);
REFUSED("Producer lacks `static constexpr bool reports_losses`", among_processes<without_reports_losses>);
WITHOUT(DOES_NOT_SAY, can_pause, robust);
REFUSED("Producer lacks `static constexpr bool can_pause`", among_processes<without_can_pause>);
WITHOUT(DOES_NOT_SAY, overwrites, robust);
REFUSED("Producer lacks `static constexpr bool overwrites`", among_processes<without_overwrites>);
WITHOUT(DOES_NOT_SAY, keeps_free, robust);
REFUSED("Producer lacks `static constexpr std::size_t keeps_free`", among_processes<without_keeps_free>);

// ---- the consumer's side -------------------------------------------------------------------------
VIEW_LACKS(HIDES, look, single);
REFUSED("Producer: its consumer_side lacks look(side, tail, capacity)", record_ring<view_lacks_look>);
VIEW_LACKS(HIDES, available, single);
REFUSED("Producer: its consumer_side lacks available(at, tail, capacity)", record_ring<view_lacks_available>);
VIEW_LACKS(HIDES, header, single);
REFUSED("Producer: its consumer_side lacks header(area, at)", record_ring<view_lacks_header>);
VIEW_LACKS(HIDES, scrub, single);
REFUSED("Producer: its consumer_side lacks scrub(area, from, size)", record_ring<view_lacks_scrub>);
VIEW_LACKS(HIDES, more, single);
REFUSED("Producer: its consumer_side lacks more(side, area, tail)", record_ring<view_lacks_more>);
VIEW_LACKS(HIDES, resynchronise, single);
REFUSED("Producer: its consumer_side says `can_resynchronise`, but lacks resynchronise(side)",
        record_ring<view_lacks_resynchronise>);
VIEW_LACKS(HIDES, held_up, shared);
REFUSED("Producer: its consumer_side says `tells_held_up`, but lacks held_up(side, tail)",
        record_ring<view_lacks_held_up>);
VIEW_LACKS(DOES_NOT_SAY, zero_is_uncommitted, single);
REFUSED("Producer: its consumer_side lacks `static constexpr bool zero_is_uncommitted`",
        record_ring<view_lacks_zero_is_uncommitted>);
VIEW_LACKS(DOES_NOT_SAY, can_resynchronise, single);
REFUSED("Producer: its consumer_side lacks `static constexpr bool can_resynchronise`",
        record_ring<view_lacks_can_resynchronise>);
VIEW_LACKS(DOES_NOT_SAY, tells_held_up, single);
REFUSED("Producer: its consumer_side lacks `static constexpr bool tells_held_up`",
        record_ring<view_lacks_tells_held_up>);
struct view_of_nothing : single {
    template <class Barriers>
    struct consumer_side : single::consumer_side<Barriers> {};
};
REFUSED("Producer: its consumer_side lacks a constructor from (std::uint64_t start)",
        record_ring<view_of_nothing>);

// ---- what others ask of a producer ---------------------------------------------------------------
struct reports_nothing : shared {
    static constexpr bool reports_losses = false;
};
REFUSED("Producer says that it can't write them (`reports_losses`)",
        record_ring<reports_nothing, acquire_release, keep_oldest>);
struct never_paused : shared {
    static constexpr bool can_pause = false;
};
REFUSED("Producer says that it can't be (`can_pause`)",
        record_ring<never_paused, acquire_release, keep_oldest>);
struct records_without_reports : single {
    static constexpr bool reports_losses = false;
};
REFUSED("it must say `reports_losses` and `can_pause`, too", recorder<records_without_reports>);
struct knows_no_sleep : single {
    template <class Barriers>
    struct consumer_side : single::consumer_side<Barriers> {
        using single::consumer_side<Barriers>::consumer_side;
        static constexpr bool tells_held_up = false;
    };
};
REFUSED("can't tell whether it is held up (`tells_held_up`)",
        record_ring<knows_no_sleep, acquire_release, refuse, padded, futex_wakeup>);
