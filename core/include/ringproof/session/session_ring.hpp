// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include <vector>

#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/producer/one_cpu.hpp"
#include "ringproof/producer/single.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/ring_memory.hpp"
#include "ringproof/session/ring_horizon.hpp"
#include "ringproof/session/time_merge.hpp"

namespace ringproof::detail {

/// A record on its way through the merge.
struct session_item {
    std::uint32_t type, event, writer;
    std::vector<std::byte> payload;
};

/// A ring of a session: of a CPU, reserved from by restartable sequences, or of a thread, which needs nothing of the kind.
template <class Barriers>
class session_ring {
    using of_cpu = record_ring<one_cpu, Barriers, keep_oldest>;
    using of_thread = record_ring<single, Barriers, keep_oldest>;

  public:
    /// What a record's payload begins with.
    struct stamp {
        std::uint64_t time;
        std::uint32_t writer, event;
    };

    /// @param cpu -1: of a thread @throws std::invalid_argument for a capacity that can't be, std::bad_alloc
    session_ring(std::size_t capacity, int cpu) {
        auto memory = ring_memory::heap(capacity);
        if (cpu < 0)
            of_thread_.emplace(std::move(memory));
        else
            of_cpu_.emplace(std::move(memory), ring_options{0, static_cast<std::uint64_t>(cpu), 0});
    }

    /// Writes a record. @return refusal::elsewhere: the thread has been moved, and is to look again where it is
    refusal write(const stamp& front, std::span<const std::byte> payload) noexcept {
        return use(*this, [&](auto& ring) { return write_to(ring, front, payload); });
    }

    /// Bytes that the reader has not given back, about.
    [[nodiscard]] std::size_t size_guess() const noexcept {
        return use(*this, [](const auto& ring) { return ring.size_guess(); });
    }

    // ---- the reader ----------------------------------------------------------------------------

    /// Empties the ring into the merge. LOST records take the time of the record behind them.
    /// @param last nobody writes it any more: also what was lost behind the last record is told
    /// @param given time of the last record that was given out
    /// @param horizon that the announcements have shown in this round
    /// @return what everything still to come from this ring is no older than
    std::uint64_t drain(time_merge<session_item>& merge, bool last, std::uint64_t given,
                        std::uint64_t horizon) {
        return use(*this, [&](auto& ring) {
            const std::uint64_t head = ring.head_guess();
            drain_from(ring, merge, last, given);
            return horizon_.after_round(ring, head, horizon);
        });
    }

    [[nodiscard]] std::uint64_t lost() const noexcept {
        return use(*this, [](const auto& ring) { return ring.lost(); });
    }

  private:
    /// Calls `what` with the one there is.
    template <class Self, class What>
    static auto use(Self& self, What&& what) {
        return self.of_cpu_ ? what(*self.of_cpu_) : what(*self.of_thread_);
    }

    template <class Ring>
    static refusal write_to(Ring& ring, const stamp& front, std::span<const std::byte> payload) noexcept {
        // What can't fit in any case needs no sum, which would wrap.
        const std::size_t stamped =
            payload.size() > largest_record ? payload.size() : sizeof front + payload.size();
        const auto room = ring.begin(stamped);
        room.copy_from(std::as_bytes(std::span(&front, 1)));
        room.copy_from(payload, sizeof front);
        return room ? refusal::none : room.why();
    }

    void tell_lost(time_merge<session_item>& merge, std::uint64_t time) {
        if (untold_ == 0) return;
        const lost_record what{0, std::exchange(untold_, 0)};
        const auto raw = std::as_bytes(std::span(&what, 1));
        merge.add(time, {record_type::lost, 0, 0, {raw.begin(), raw.end()}});
    }

    template <class Ring>
    void drain_from(Ring& ring, time_merge<session_item>& merge, bool last, std::uint64_t given) {
        for (const auto one : ring.read()) {
            if (one.type() == record_type::lost) {
                if (const auto what = one.template as<lost_record>()) untold_ += what->count;
                continue;
            }
            stamp what{};
            if (one.size() < sizeof what) continue;
            std::vector<std::byte> bytes(one.size());
            one.copy_to(bytes);
            std::memcpy(&what, bytes.data(), sizeof what);
            bytes.erase(bytes.begin(), bytes.begin() + sizeof what);
            tell_lost(merge, what.time);
            last_time_ = what.time;
            merge.add(what.time, {one.type(), what.event, what.writer, std::move(bytes)});
        }
        if (!last) return;
        untold_ += ring.unreported();
        tell_lost(merge, std::max(last_time_, given));
    }

    std::optional<of_cpu> of_cpu_;       ///< this one
    std::optional<of_thread> of_thread_; ///< or that one
    std::uint64_t untold_ = 0;           ///< LOST that waits for the record after it
    std::uint64_t last_time_ = 0;
    ring_horizon horizon_;
};

} // namespace ringproof::detail
