// SPDX-License-Identifier: Apache-2.0
// Combinations that make no sense. The table with the reasons stands in docs/guarantees.md.
#include "refused.hpp"

#include <ringproof/aux/aux_area.hpp>
#include <ringproof/aux/aux_window.hpp>
#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/layout/between_processes.hpp>
#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/mpsc_queue.hpp>
#include <ringproof/per_cpu_rings.hpp>
#include <ringproof/producer/one_cpu.hpp>
#include <ringproof/producer/robust.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/recorder.hpp>
#include <ringproof/spsc_queue.hpp>
#include <ringproof/wake/futex.hpp>

using namespace ringproof;

template <class Producer>
using in_perfs_page = record_ring<Producer, acquire_release, refuse, perf_abi>;
template <class Producer, class Full = refuse, class Wake = silent>
using among_processes = record_ring<Producer, acquire_release, Full, between_processes, Wake>;
template <class Producer, class Direction, class Layout>
using recorder_in = recorder<Producer, Direction, acquire_release, Layout>;

REFUSED("perf's layout says in data_head how far records are complete", in_perfs_page<single_in_band>);
REFUSED("perf's layout says in data_head how far records are complete", in_perfs_page<shared>);
REFUSED("perf's layout says in data_head how far records are complete", in_perfs_page<one_cpu>);
REFUSED("only `robust` knows whose a reservation is", among_processes<single>);
REFUSED("only `robust` knows whose a reservation is", among_processes<nested>);
REFUSED("only `robust` knows whose a reservation is", among_processes<shared>);
REFUSED("only `robust` knows whose a reservation is", among_processes<one_cpu>);
REFUSED("it needs the layout `between_processes`", record_ring<robust>);
REFUSED("it needs the layout `between_processes`", in_perfs_page<robust>);
REFUSED("would be lost when its producer dies", among_processes<robust, keep_oldest>);
REFUSED("would be lost when its producer dies", among_processes<robust, refuse, futex_wakeup>);
REFUSED("a record_ring refuses new records when it is full", record_ring<single, acquire_release, backward>);

REFUSED("give each thread a recorder of its own", recorder<shared, backward>);
REFUSED("give each thread a recorder of its own", recorder<robust>);
REFUSED("give each thread a recorder of its own", recorder<one_cpu>);
REFUSED("pages are for many threads", recorder<single, paged>);
REFUSED("a snapshot begins at head", recorder<single_in_band>);
REFUSED("a snapshot begins at head", recorder<single_batched<>>);
REFUSED("a recorder has no consumer in another process", recorder_in<single, backward, between_processes>);
REFUSED("perf's layout has no place for either", recorder_in<shared, paged, perf_abi>);
REFUSED("the marks of its writers are this process's", recorder_in<shared, paged, between_processes>);
REFUSED("in pages only a `recorder<shared>` is written", snapshot_reader<paged>);

REFUSED("an AUX area has one source", aux_area<among_processes<robust>>);

struct may_throw {
    may_throw(may_throw&&) {}
};
REFUSED("must be movable without throwing", mpsc_queue<may_throw>);
REFUSED("batched<0> hands nothing over: the size of a batch must be at least 1", batched<0>);

// Policies in each other's places.
struct no_policy {};
REFUSED("Barriers lacks load_tail(tail): letter A", record_ring<single, refuse>);
REFUSED("Producer lacks `static constexpr std::size_t keeps_free`", record_ring<fences>);
REFUSED("Full lacks `static constexpr bool can_pause`", record_ring<single, acquire_release, padded>);
REFUSED("Layout lacks `static constexpr bool has_page`",
        record_ring<single, acquire_release, refuse, silent>);
REFUSED("Wake lacks `static constexpr bool wakes`",
        record_ring<single, acquire_release, refuse, padded, no_policy>);
REFUSED("Full lacks `static constexpr bool can_pause`", per_cpu_rings<silent>);
REFUSED("Barriers lacks load_tail(tail): letter A", recorder<single, backward, padded>);
REFUSED("Direction lacks `static constexpr bool in_pages`", recorder<single, refuse>);
REFUSED("Barriers lacks load_tail(tail): letter A", recorder<shared, paged, no_policy>);
REFUSED("Barriers lacks load_tail(tail): letter A", spsc_queue<int, in_band>);
REFUSED("HandOver lacks `static constexpr bool commits_in_band`", spsc_queue<int, acquire_release, fences>);
REFUSED("Barriers lacks load_tail(tail): letter A", mpsc_queue<int, each>);
REFUSED("HandOver lacks `static constexpr bool commits_in_band`", record_ring<single_producer<padded>>);

// What is used of a refused ring is no second error.
struct barriers_of_another : refuse {};
inline bool use(std::span<const std::byte> bytes) {
    record_ring<nested, barriers_of_another, keep_oldest> ring(4096);
    ring.pause();
    for (const auto record : ring.read()) static_cast<void>(record);
    return ring.write(bytes) && ring.begin(8).size() != 0;
}
REFUSED("Barriers lacks load_tail(tail): letter A", decltype(use({})));
