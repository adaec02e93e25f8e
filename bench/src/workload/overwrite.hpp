// SPDX-License-Identifier: Apache-2.0
#pragma once
// Flight recorders: what a record costs that nobody reads, and what it costs to look at the newest meanwhile.
//
//   struct my_recorder {
//       explicit my_recorder(std::size_t bytes);
//       void write(const Payload&);                       // over the oldest
//       template <class Use> void newest_first(Use&&);    // a copy of what is there, newest first
//   };

#include "throughput.hpp"

#include <span>

namespace ringproof::bench {

/// Newest first: each one number less than the one before.
class countdown_check {
  public:
    template <class Payload>
    void operator()(const Payload& p) {
        const std::uint64_t tag = tag_of(p);
        if (count_ > 0 && tag + 1 != last_) gap_ = true;
        Payload expected{};
        stamp(expected, tag);
        if (checksum(p) != checksum(expected)) torn_ = true;
        if (count_++ == 0) newest_ = tag;
        last_ = tag;
    }
    std::uint64_t count() const { return count_; }
    std::uint64_t newest() const { return newest_; }
    /// Empty when all is well.
    const char* complaint() const {
        return torn_  ? "damaged: a record of the snapshot is half another"
               : gap_ ? "lost: the snapshot has a gap"
                      : "";
    }

  private:
    std::uint64_t count_ = 0, newest_ = 0, last_ = 0;
    bool gap_ = false, torn_ = false;
};

/// One thread writes, nobody reads; at the end the newest must be there.
template <class Adapter>
run_result run_overwrite(const placement& where, const run_settings& settings) {
    using payload = typename Adapter::payload;
    std::unique_ptr<Adapter> ring;
    crew c(settings.times, false, settings.priority);
    const auto windows =
        c.run({{where.consumer, [&] { ring = std::make_unique<Adapter>(record_queue_bytes); },
                [&](worker& w) {
                    std::uint64_t n = 0;
                    while (w.keep_going(n))
                        for (int k = 0; k < stride; ++k, ++n) {
                            payload p;
                            stamp(p, n);
                            ring->write(p);
                        }
                    countdown_check check;
                    ring->newest_first([&](const payload& p) { check(p); });
                    if (check.complaint()[0] != '\0') return w.fail(check.complaint());
                    if (n > 0 && (check.count() == 0 || check.newest() != n - 1))
                        w.fail("lost: the newest record is not in the ring");
                }}});
    return detail::collect(c, windows, 0);
}

/// `writers` threads write to one recorder, each by `adapter.writer()`; nobody reads. The result is the time of a
/// record, of all threads together.
template <class Adapter>
run_result run_overwrite_together(std::size_t writers, const placement& where, const run_settings& settings) {
    using payload = typename Adapter::payload;
    std::unique_ptr<Adapter> ring;
    crew c(settings.times, writers > 1 && where.oversubscribed(), settings.priority);
    std::vector<crew::member> members;
    for (std::size_t id = 0; id < writers; ++id)
        members.push_back({id == 0 ? where.consumer : where.producers[id - 1],
                           [&, id] {
                               if (id == 0) ring = std::make_unique<Adapter>(record_queue_bytes);
                           },
                           [&, id](worker& w) {
                               if (!ring) return;
                               auto&& mine = ring->writer();
                               std::uint64_t n = 0;
                               while (w.keep_going(n))
                                   for (int k = 0; k < stride; ++k, ++n) {
                                       payload p;
                                       stamp(p, make_tag(id, n));
                                       mine.write(p);
                                   }
                           }});
    const auto windows = c.run(members);
    run_result result = detail::collect(c, windows, 0);
    if (!result.error.empty()) return result;
    for (std::size_t id = 1; id < windows.size(); ++id) result.operations += windows[id].count;
    std::vector<std::uint64_t> newer(writers, ~std::uint64_t{0});
    std::uint64_t count = 0;
    ring->newest_first([&](const payload& p) {
        const std::uint64_t tag = tag_of(p), id = producer_of(tag);
        payload expected{};
        stamp(expected, tag);
        if (checksum(p) != checksum(expected) || id >= newer.size())
            result.error = "damaged: a record is half another";
        else if (tag >= newer[id])
            result.error = "a thread's records are out of order";
        else
            newer[id] = tag;
        ++count;
    });
    // Threads that did not get to run in so short a time have written nothing.
    if (result.error.empty() && count == 0 && result.operations > 0)
        result.error = "lost: nothing is in the recorder";
    return result;
}

/// One thread writes flat out, another takes one snapshot after the other. The result is the time of one, copied and
/// walked through; `writer_ns` is what a record costs meanwhile.
template <class Adapter>
run_result run_snapshots(const placement& where, const run_settings& settings) {
    using payload = typename Adapter::payload;
    std::unique_ptr<Adapter> ring;
    std::uint64_t records = 0;
    std::atomic<bool> done{false};
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer, [&] { ring = std::make_unique<Adapter>(record_queue_bytes); },
         [&](worker& w) {
             std::uint64_t n = 0;
             for (; ring && w.keep_going(n); ++n) {
                 countdown_check check;
                 ring->newest_first([&](const payload& p) { check(p); });
                 records += check.count();
                 if (check.complaint()[0] != '\0') return w.fail(check.complaint());
             }
             done.store(true, std::memory_order_release);
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             for (std::uint64_t n = 0; ring && w.keep_going(n);)
                 for (int k = 0; k < w.stride(); ++k, ++n) {
                     payload p;
                     stamp(p, n);
                     ring->write(p);
                 }
         }},
    });
    run_result result = detail::collect(c, windows, 0);
    if (windows[1].count > 0)
        result.more = {{"writer_ns", windows[1].wall * 1e9 / static_cast<double>(windows[1].count)},
                       {"records_per_snapshot",
                        result.operations > 0
                            ? static_cast<double>(records) / static_cast<double>(result.operations)
                            : 0}};
    return result;
}

template <class Adapter>
void add_overwrite(catalogue& out, const char* peer) {
    entry e;
    e.workload = "overwrite/records:" + std::to_string(sizeof(typename Adapter::payload)) + "/write";
    e.peer = peer;
    e.bytes = sizeof(typename Adapter::payload);
    e.probed = false;
    e.limit = e.bytes == 64 ? limit_kind::copy : limit_kind::none;
    e.run = run_overwrite<Adapter>;
    out.push_back(std::move(e));
}

template <class Adapter>
void add_overwrite_together(catalogue& out, const char* peer) {
    for (const std::size_t writers : {1, 2, 4}) {
        entry e;
        e.workload = "overwrite/records:" + std::to_string(sizeof(typename Adapter::payload)) +
                     "/writers:" + std::to_string(writers) + "/write";
        e.peer = peer;
        e.producers = writers > 1 ? writers - 1 : 1; // one has the consumer's CPU
        e.bytes = sizeof(typename Adapter::payload);
        e.probed = writers > 1;
        e.limit = writers == 1 && e.bytes == 64 ? limit_kind::copy : limit_kind::none;
        e.run = [writers](const placement& where, const run_settings& settings) {
            return run_overwrite_together<Adapter>(writers, where, settings);
        };
        out.push_back(std::move(e));
    }
}

template <class Adapter>
void add_snapshots(catalogue& out, const char* peer) {
    entry e;
    e.workload = "overwrite/records:64/snapshot";
    e.peer = peer;
    e.run = run_snapshots<Adapter>;
    out.push_back(std::move(e));
}

} // namespace ringproof::bench
