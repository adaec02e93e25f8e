// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ringproof {

/// Puts what comes from several rings, read one after the other, into the order of its time stamps.
///
/// A record may only go out when no older one can still come in. The merge does not know when that is; who drains the
/// rings says so at the end of each round:
///
///     for (each ring) for (each record in it) merge.add(time, item);
///     merge.release(horizon, [](auto& item, std::uint64_t time) { … });    // all up to the horizon, oldest first
///
/// `horizon` is a time that everything still to come is later than. A `session` proves one from what its writers
/// announce. Of the kernel's rings nobody can: there it is the time at which the round before began, since a stamped
/// record has been published by the time a second round looks. An item that comes in too late all the same goes out
/// next, and is counted.
///
/// After the FINISHED_ROUND logic of tools/perf/util/ordered-events.c of Linux.
template <class Item>
class time_merge {
  public:
    /// Items of the same time go out in the order of their coming.
    void add(std::uint64_t time, Item item) {
        if (time < released_) ++late_;
        heap_.push_back({time, count_++, std::move(item)});
        std::push_heap(heap_.begin(), heap_.end(), later);
    }

    /// Calls `use(item, time)` for all with a time up to `horizon`, oldest first. @return how many
    template <class Use>
    std::size_t release(std::uint64_t horizon, Use&& use) {
        std::size_t result = 0;
        for (; !heap_.empty() && heap_.front().time <= horizon; ++result) {
            std::pop_heap(heap_.begin(), heap_.end(), later);
            waiting one = std::move(heap_.back());
            heap_.pop_back();
            released_ = std::max(released_, one.time);
            use(one.item, one.time);
        }
        return result;
    }

    /// All that is left: nothing will come any more.
    template <class Use>
    std::size_t release_all(Use&& use) {
        return release(std::numeric_limits<std::uint64_t>::max(), std::forward<Use>(use));
    }

    /// Items that came in after a later one had gone out.
    [[nodiscard]] std::uint64_t late() const noexcept { return late_; }
    [[nodiscard]] std::size_t waiting_items() const noexcept { return heap_.size(); }

  private:
    struct waiting {
        std::uint64_t time, order;
        Item item;
    };
    static bool later(const waiting& a, const waiting& b) noexcept {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }

    std::vector<waiting> heap_;
    std::uint64_t count_ = 0;
    std::uint64_t released_ = 0;
    std::uint64_t late_ = 0;
};

} // namespace ringproof
