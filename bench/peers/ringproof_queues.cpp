// SPDX-License-Identifier: Apache-2.0
// Ours: queues for items, the ring for records, each read one by one and in batches; and the ring with copies.
#include "ringproof_adapters.hpp"

namespace ringproof::bench {
namespace {

template <class Payload>
using spsc_in_batches = in_batches<ours_spsc<Payload>>;
template <class Payload>
using mpsc_in_batches = in_batches<ours_mpsc<Payload>>;
template <class Payload>
using per_cpu = per_cpu_adapter<Payload>;
/// Records of one size need no header: as most peers have them.
template <class Payload>
using one_type = built_in_place<Payload, ringproof::each>;
template <class Payload>
using one_type_in_band = built_in_place<Payload, ringproof::in_band>;
template <class Payload>
using copied = copying_adapter<ringproof::record_ring<ringproof::single>, true, Payload>;

} // namespace

void add_ringproof_queues(catalogue& out) {
    out.peers.push_back({"ringproof", "one type (queues); bytes, any size, in place (rings)", "total",
                         "refuses", "counted, and in band with keep_oldest", "recorder, with live snapshots",
                         "yes (robust, or perf's layout)",
                         "robust: recovered; shared: the consumer waits for ever at its record"});
    add_spsc<ours_spsc>(out, "ringproof");
    add_mpsc<ours_mpsc>(out, "ringproof");
    add_mpsc<per_cpu>(out, "ringproof_per_cpu");
    add_spsc<ours_in_band>(out, "ringproof_in_band");
    add_spsc<ours_batched>(out, "ringproof_both_in_batches");
    add_spsc_batches<spsc_in_batches>(out, "ringproof_batches");
    add_mpsc_throughput<mpsc_in_batches<item>>(out, "items:8", "ringproof_batches");
    add_mpsc_throughput<mpsc_in_batches<record<64>>>(out, "records:64", "ringproof_batches");
    add_record_throughput<one_type, 16>(out, "ringproof_queue");
    add_record_throughput<one_type, 64>(out, "ringproof_queue");
    add_record_throughput<one_type, 256>(out, "ringproof_queue");
    add_record_throughput<one_type, 1024>(out, "ringproof_queue");
    add_record_throughput<one_type_in_band, 64>(out, "ringproof_queue_in_band");
    add_ping_pong<one_type<record<64>>>(out, "spsc/records:64/ping-pong", "ringproof_queue");
    add_ping_pong<one_type_in_band<record<64>>>(out, "spsc/records:64/ping-pong", "ringproof_queue_in_band");
    add_record_throughput<lines_left, 64>(out, "ringproof_lines_left");
    add_record_throughput<lines_left, 256>(out, "ringproof_lines_left");
    add_record_throughput<lines_left, 1024>(out, "ringproof_lines_left");
    add_record_throughput<copied, 16>(out, "ringproof_copied");
    add_record_throughput<copied, 64>(out, "ringproof_copied");
    add_record_throughput<copied, 256>(out, "ringproof_copied");
    add_record_throughput<copied, 1024>(out, "ringproof_copied");
    add_record_throughput<copied, 4096>(out, "ringproof_copied");
}

} // namespace ringproof::bench
