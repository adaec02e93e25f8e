// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ringproof/aux/aux_record.hpp"
#include "ringproof/barriers.hpp"
#include "ringproof/concepts/barriers.hpp"

namespace ringproof {

/// An entry of the dispatch trace log of a powerpc hypervisor: why and when a virtual CPU ran.
struct dispatch_entry {
    std::uint8_t reason, preempt_reason;
    std::uint16_t processor;
    std::uint32_t enqueue_to_dispatch, ready_to_enqueue, waiting_to_ready;
    std::uint64_t timebase; ///< 0: this is the header of a stream, see dispatch_header
    std::uint64_t fault_address, srr0, srr1;
};
static_assert(sizeof(dispatch_entry) == 48 && std::has_unique_object_representations_v<dispatch_entry>);

/// What a stream of entries begins with, once: how to turn their time base into time.
struct dispatch_header {
    std::uint64_t boot_timebase, timebase_frequency;
    std::uint64_t zero; ///< where an entry has its time base
    std::array<std::uint64_t, 3> reserved;
};
static_assert(sizeof(dispatch_header) == sizeof(dispatch_entry));

/// The log as the hypervisor fills it: a circle of entries and an index that runs freely, which asks nobody.
template <class Barriers = acquire_release>
class dispatch_log {
    static_assert(barriers_policy<Barriers> || detail::explain_barriers<Barriers>());

  public:
    static constexpr std::size_t words = sizeof(dispatch_entry) / 8;

    /// @param entries at least 2: the one that is being written is never read @throws std::invalid_argument
    explicit dispatch_log(std::size_t entries) : entries_(checked(entries)), data_(entries * words) {}

    /// The hypervisor's.
    void log(const dispatch_entry& one) noexcept {
        const std::uint64_t at = Barriers::own(index_);
        // I -> J: from the index before on, this slot was said to be in use.
        Barriers::intended();
        const auto raw = std::bit_cast<std::array<std::uint64_t, words>>(one);
        for (std::size_t i = 0; i != words; ++i)
            Barriers::put_word(data_[static_cast<std::size_t>(at % entries_) * words + i], raw[i]);
        Barriers::publish_head(index_, at + 1); // B -> C
    }

    /// Entries there have been.
    [[nodiscard]] std::uint64_t index() const noexcept { return Barriers::load_head(index_); } // C <- B
    /// The same after copying. J <- I: entries up to `size() - 1` before it are as they were.
    [[nodiscard]] std::uint64_t index_after() const noexcept { return Barriers::load_intent(index_); }

    void copy(std::uint64_t at, dispatch_entry& to) const noexcept {
        std::array<std::uint64_t, words> raw;
        for (std::size_t i = 0; i != words; ++i)
            raw[i] = Barriers::get_word(data_[static_cast<std::size_t>(at % entries_) * words + i]);
        to = std::bit_cast<dispatch_entry>(raw);
    }

    [[nodiscard]] std::size_t size() const noexcept { return entries_; }

  private:
    static std::size_t checked(std::size_t entries) {
        if (entries < 2 || entries > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(dispatch_entry))
            throw std::invalid_argument("a dispatch trace log of " + std::to_string(entries) +
                                        " entries is not possible: it has 2, and fits the address space");
        return entries;
    }

    std::size_t entries_;
    mutable std::vector<std::uint64_t> data_;
    std::atomic<std::uint64_t> index_{0};
};

/// What a timer does with the log of a CPU: moves what is new into an AUX area.
///
/// Entries that find no room stay in the log until the next time; nothing is taken from it before it is granted. What
/// the hypervisor has overwritten by then is lost, counted, and told: the AUX record of the entries that come next says
/// `partial`. The slot that is being written is never read, so at most one entry less than the log has is kept.
///
/// @par Threads
/// `capture`: that of the ring beside the area.
///
/// After vpa_dtl_capture in arch/powerpc/perf/vpa-dtl.c of Linux, which takes entries from the log before it knows that
/// there is room, and says nothing of those that it drops.
template <class Barriers = acquire_release>
class dispatch_capture {
    static_assert(barriers_policy<Barriers> || detail::explain_barriers<Barriers>());

  public:
    dispatch_capture(const dispatch_log<Barriers>& log, std::uint64_t boot_timebase, std::uint64_t frequency)
        : log_(&log), header_{boot_timebase, frequency, 0, {}} {
        batch_.reserve(log.size());
    }

    /// @param area an aux_area @return how many entries were moved
    template <class Area>
    std::size_t capture(Area& area) {
        auto room = area.begin();
        if (!room) return 0;
        if (!begun_) {
            if (room.room() < sizeof header_) return 0;
            room.append(std::as_bytes(std::span(&header_, 1)));
            begun_ = true;
        }
        const std::uint64_t newest = log_->index();
        drop_to(newest, newest);
        const auto many = std::min<std::uint64_t>(newest - next_, room.room() / sizeof(dispatch_entry));
        batch_.resize(static_cast<std::size_t>(many));
        for (std::size_t i = 0; i != batch_.size(); ++i) log_->copy(next_ + i, batch_[i]);
        // What the hypervisor may have overwritten while I copied.
        const std::uint64_t first = next_;
        drop_to(log_->index_after(), next_ + many);
        const auto whole = std::span(batch_).subspan(static_cast<std::size_t>(next_ - first));
        if (whole.empty()) return 0;
        room.append(std::as_bytes(whole));
        next_ += whole.size();
        if (std::exchange(gap_, false)) room.flag(aux_flag::partial);
        return whole.size();
    }

    /// Entries that were overwritten before they were captured.
    [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

  private:
    /// Gives up what is no longer in the log when its index is `index`, as far as `most`.
    void drop_to(std::uint64_t index, std::uint64_t most) noexcept {
        const std::uint64_t kept = log_->size() - 1;
        if (index - next_ <= kept) return;
        const std::uint64_t to = std::min(index - kept, most);
        lost_ += to - next_;
        gap_ = gap_ || to != next_;
        next_ = to;
    }

    const dispatch_log<Barriers>* log_;
    dispatch_header header_;
    std::vector<dispatch_entry> batch_;
    std::uint64_t next_ = 0; ///< entry to be captured
    std::uint64_t lost_ = 0;
    bool begun_ = false;
    bool gap_ = false; ///< not told yet
};

} // namespace ringproof
