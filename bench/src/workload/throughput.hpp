// SPDX-License-Identifier: Apache-2.0
#pragma once
// N producers push as fast as they can, one consumer pops, reads every word and checks the order. What
// the consumer receives between `measure` and `stop` counts; then everything in flight is drained, and
// completeness and checksum are checked outside the timed part.

#include "catalogue.hpp"
#include "payload.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::bench {

/// Operations between two looks at the phase.
constexpr int stride = 32;

/// Follows one producer's or several producers' sequences in what arrives.
template <bool OneProducer>
class arrival_check {
  public:
    explicit arrival_check(std::size_t producers) : next_(producers, 0) {}

    void operator()(std::uint64_t tag) {
        if constexpr (OneProducer) {
            if (tag != count_ && !wrong_) wrong_ = tag;
            ++count_;
        } else {
            const std::uint64_t from = producer_of(tag);
            if (from >= next_.size() || sequence_of(tag) != next_[from]) {
                if (!wrong_) wrong_ = tag;
            } else {
                ++next_[from];
            }
            ++count_;
        }
    }
    std::uint64_t count() const { return count_; }
    bool in_order() const { return !wrong_; }
    std::string complaint() const {
        return "out of order: number " + std::to_string(sequence_of(*wrong_)) + " of producer " +
               std::to_string(producer_of(*wrong_)) + " came too early, too late or twice, among the first " +
               std::to_string(count_) + " received";
    }

  private:
    std::uint64_t count_ = 0;
    std::optional<std::uint64_t> wrong_;
    std::vector<std::uint64_t> next_;
};

namespace detail {

/// What producers tell the consumer at the end.
struct tally {
    std::vector<std::uint64_t> pushed; ///< by producer, written before `done`
    alignas(128) std::atomic<std::size_t> done{0};

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const auto n : pushed) sum += n;
        return sum;
    }
};

template <class Adapter>
void produce(worker& w, Adapter& queue, tally& all, std::size_t id) {
    auto&& handle = queue.producer();
    std::uint64_t n = 0;
    const auto fill = [&](auto& payload) { stamp(payload, make_tag(id, n)); };
    const auto push = [&] {
        while (!handle.try_push(fill)) {
            if (!w.wait()) return false;
            if (w.now() >= phase::stop) return false; // refused to the end: never sent, so never missed
        }
        w.progressed();
        ++n;
        return true;
    };
    const int most = w.stride();
    while (w.keep_going(n))
        for (int k = 0; k < most && push(); ++k) {
        }
    if constexpr (requires { handle.flush(); }) handle.flush();
    all.pushed[id] = n;
    all.done.fetch_add(1, std::memory_order_release);
}

/// After the stop: takes what is still on its way, then checks that everything arrived, once, in order and whole.
template <class Payload, class Handle, class Use, class Check>
void drain(worker& w, Handle& handle, const Use& use, const tally& all, const Check& check,
           const std::uint64_t& sum) {
    const std::size_t producers = all.pushed.size();
    for (steady::time_point quiet_since{};;) { // the epoch: not quiet yet
        if (handle.try_pop(use)) {
            quiet_since = {};
            continue;
        }
        if (!w.wait()) return;
        if (all.done.load(std::memory_order_acquire) < producers) continue;
        if (check.count() >= all.total()) break;
        // Everything was pushed before `done`, so it must be there; some queues need a second look.
        if (quiet_since == steady::time_point{}) quiet_since = steady::now();
        if (seconds(steady::now() - quiet_since).count() > 0.2)
            return w.fail("lost: " + std::to_string(all.total() - check.count()) + " of " +
                          std::to_string(all.total()) + " never arrived");
    }
    if (!check.in_order()) return w.fail(check.complaint());
    if (check.count() != all.total())
        return w.fail("received " + std::to_string(check.count()) + " of " + std::to_string(all.total()) +
                      " sent");
    std::uint64_t expected = 0;
    for (std::size_t id = 0; id < producers; ++id) expected += expected_checksum<Payload>(id, all.pushed[id]);
    if (sum != expected) w.fail("damaged: the checksum of what arrived is not that of what was sent");
}

template <class Adapter>
void consume(worker& w, Adapter& queue, tally& all) {
    auto&& handle = queue.consumer();
    arrival_check<Adapter::one_producer> check(all.pushed.size());
    std::uint64_t sum = 0;
    const auto use = [&](const auto& payload) {
        check(tag_of(payload));
        sum += checksum(payload);
    };
    while (w.keep_going(check.count())) {
        if constexpr (requires { handle.pop_some(use, stride); }) {
            if (handle.pop_some(use, stride) > 0)
                w.progressed();
            else if (!w.wait())
                return;
        } else {
            for (int k = 0; k < stride; ++k) {
                if (handle.try_pop(use))
                    w.progressed();
                else if (!w.wait())
                    return;
            }
        }
        if (!check.in_order()) return w.fail(check.complaint());
    }
    drain<typename Adapter::payload>(w, handle, use, all, check, sum);
}

/// Collects the windows of a finished crew; `counted` is the member whose operations count.
inline run_result collect(const crew& c, const std::vector<window>& windows, std::size_t counted) {
    run_result result;
    result.error = c.error();
    result.stuck = c.stuck();
    if (!result.error.empty()) return result;
    result.operations = windows[counted].count;
    result.seconds = windows[counted].wall;
    for (const window& w : windows) {
        result.cpu_seconds += w.cpu;
        result.off_cpu = std::max(result.off_cpu, w.wall > 0 ? w.off_cpu() : 1);
    }
    return result;
}

} // namespace detail

template <class Adapter>
run_result run_throughput(const placement& where, const run_settings& settings) {
    std::unique_ptr<Adapter> queue;
    detail::tally all;
    all.pushed.assign(where.producers.size(), 0);
    crew c(settings.times, where.oversubscribed(), settings.priority);
    std::vector<crew::member> members;
    // The consumer makes the queue, so that its memory lies at the consumer's node.
    members.push_back({where.consumer,
                       [&] {
                           queue = std::make_unique<Adapter>(capacity_for<typename Adapter::payload>(),
                                                             where.producers.size());
                       },
                       [&](worker& w) {
                           if (queue) detail::consume(w, *queue, all);
                       }});
    for (std::size_t id = 0; id < where.producers.size(); ++id)
        members.push_back({where.producers[id], {}, [&, id](worker& w) {
                               if (queue) detail::produce(w, *queue, all, id);
                           }});
    const auto windows = c.run(members);
    return detail::collect(c, windows, 0);
}

} // namespace ringproof::bench
