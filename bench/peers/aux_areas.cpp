// SPDX-License-Identifier: Apache-2.0
// Bulk bytes beside a record ring: what arrives through our AUX area, chunk by chunk, announced by AUX records.
#include "../src/workload/adapter.hpp"

#include <cstring>
#include <ringproof/aux/aux_area.hpp>
#include <ringproof/record_ring.hpp>
#include <span>

namespace ringproof::bench {
namespace {

constexpr std::size_t area_bytes = 1 << 20;

/// Every word of a chunk is its number, so that the consumer can tell a torn or a lost one.
template <std::size_t Bytes>
run_result run_aux(const placement& where, const run_settings& settings) {
    using ring_type = ringproof::record_ring<>;
    ring_type ring(record_queue_bytes);
    ringproof::aux_area<ring_type> area(ring, ring_memory::heap(area_bytes));
    std::uint64_t announced = 0;
    std::atomic<std::uint64_t> sent{~std::uint64_t{0}};
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer,
         {},
         [&](worker& w) {
             std::uint64_t words = 0;
             constexpr std::uint64_t each = Bytes / 8;
             const auto take = [&] {
                 announced += ring.consume([](const auto&) {});
                 auto chunk = area.read();
                 if (!chunk) return false;
                 const auto place = chunk.bytes();
                 for (const auto& part : {place.first, place.second})
                     for (std::size_t at = 0; at + 8 <= part.size(); at += 8, ++words) {
                         std::uint64_t word;
                         std::memcpy(&word, part.data() + at, 8);
                         if (word != words / each) return w.fail("a chunk arrived damaged"), false;
                     }
                 return true;
             };
             while (w.keep_going(words / each)) {
                 if (take())
                     w.progressed();
                 else if (!w.wait())
                     return;
             }
             while (sent.load(std::memory_order_acquire) == ~std::uint64_t{0} || words < sent.load() * each)
                 if (!take() && !w.wait()) return;
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             std::uint64_t n = 0;
             std::array<std::uint64_t, Bytes / 8> chunk;
             while (w.keep_going(n)) {
                 auto transaction = area.begin();
                 if (transaction.room() < Bytes) {
                     transaction.commit(); // nothing
                     if (!w.wait()) break;
                     continue;
                 }
                 w.progressed();
                 chunk.fill(n);
                 transaction.append(std::as_bytes(std::span(chunk)));
                 transaction.commit();
                 ++n;
             }
             sent.store(n, std::memory_order_release);
         }},
    });
    run_result result = detail::collect(c, windows, 0);
    result.more = {{"aux_records", static_cast<double>(announced)}};
    return result;
}

template <std::size_t Bytes>
void add(catalogue& out) {
    entry e;
    e.workload = "aux/chunks:" + std::to_string(Bytes) + "/throughput";
    e.peer = "ringproof";
    e.bytes = Bytes;
    e.limit = limit_kind::stream;
    e.run = run_aux<Bytes>;
    out.push_back(std::move(e));
}

} // namespace

void add_aux_areas(catalogue& out) {
    add<256>(out);
    add<4096>(out);
    add<65536>(out);
}

} // namespace ringproof::bench
