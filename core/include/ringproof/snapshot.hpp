// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ringproof/barriers.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/snapshot_error.hpp"

namespace ringproof {

/// A copy of what an overwriting ring held, newest record first. The writer was not stopped: what it overwrote
/// while the copy was made is left out.
class snapshot {
  public:
    /// An empty one, which `recorder::take_into` fills.
    snapshot() = default;

    snapshot(snapshot&&) noexcept = default;
    snapshot& operator=(snapshot&&) noexcept = default;
    snapshot(const snapshot&) = delete; // the records point into it
    snapshot& operator=(const snapshot&) = delete;

    /// Newest first, valid as long as this snapshot.
    [[nodiscard]] std::span<const record> records() const noexcept { return records_; }

    /// Where this one begins; the next snapshot with `since(head())` has only what is newer.
    [[nodiscard]] std::uint64_t head() const noexcept { return head_; }

    /// Bytes between the oldest record here and where the one before it began, or where the ring did: they were
    /// overwritten. 0: nothing is missing.
    [[nodiscard]] std::uint64_t missed_bytes() const noexcept { return missed_; }

    [[nodiscard]] snapshot_error error() const noexcept { return error_; }

    /// Copies and walks. @param intent how far the writer may have got with overwriting
    /// @param since where the last snapshot or the ring began @throws std::bad_alloc
    template <class Direction, class Barriers>
    static snapshot take(const detail::record_area& area, const std::atomic<std::uint64_t>& head,
                         const std::atomic<std::uint64_t>& intent, std::uint64_t since) {
        snapshot result;
        result.fill<Direction, Barriers>(area, head, intent, since);
        return result;
    }

    /// The same into this one, whose records end. What it has allocated before is used again.
    template <class Direction, class Barriers>
    void fill(const detail::record_area& area, const std::atomic<std::uint64_t>& head,
              const std::atomic<std::uint64_t>& intent, std::uint64_t since) {
        const std::size_t capacity = area.capacity();
        records_.clear();
        words_.resize(capacity / 8);
        error_ = snapshot_error::none;
        // C <- B: the records on head's side are complete.
        const std::uint64_t at = head_ = Barriers::load_head(head) / 8 * 8;
        const std::uint64_t from = Direction::downwards ? at : at - capacity;
        area.get_words<Barriers>(from, words_.data(), words_.size());
        // J <- I: of what I copied, this much may have been overwritten by then.
        const std::uint64_t now = Barriers::load_intent(intent);
        const std::uint64_t overwritten = Direction::downwards ? at - now : now - at;
        const std::uint64_t written = Direction::downwards ? since - at : at - since;
        walk<Direction>(overwritten, written);
    }

  private:
    template <class Direction>
    void walk(std::uint64_t overwritten, std::uint64_t written) {
        const std::uint64_t capacity = words_.size() * 8;
        if (overwritten >= capacity) {
            error_ = snapshot_error::overtaken;
            missed_ = written;
            return;
        }
        const auto limit = static_cast<std::size_t>(std::min(capacity - overwritten, written) / 8 * 8);
        std::size_t distance = 0;
        while (distance < limit) {
            const auto found = Direction::next(words_, distance, limit);
            error_ = found.error;
            if (found.error != snapshot_error::none || found.header.size == 0) break;
            distance += found.header.size;
            if (found.header.type == record_type::padding) continue;
            const std::size_t payload = found.header.size - detail::header_size - Direction::trailer_size -
                                        detail::filling(found.header);
            const auto* const bytes = reinterpret_cast<const std::byte*>(words_.data());
            records_.emplace_back(
                found.header,
                ring_bytes<const std::byte>{{bytes + found.begin + detail::header_size, payload}, {}});
        }
        missed_ = written - distance;
    }

    std::vector<std::uint64_t> words_; ///< the whole ring, in one piece
    std::vector<record> records_;
    std::uint64_t head_ = 0;
    std::uint64_t missed_ = 0;
    snapshot_error error_ = snapshot_error::none;
};

/// Reads an overwriting ring that somebody else writes, in perf's layout: the kernel's (write_backward, mapped
/// read-only), or another process's `recorder`.
///
/// The page has no intent, only head. So the writer has to be paused, and pausing is a flag that a writer on another
/// CPU may have looked at before (PERF_EVENT_IOC_PAUSE_OUTPUT returns before that writer is done): take the snapshot
/// where no such writer can be, or twice, and use the second if both have the same head.
template <class Direction, class Barriers = acquire_release>
class snapshot_reader {
  public:
    /// @throws std::invalid_argument when the memory is no ring in perf's layout
    explicit snapshot_reader(ring_memory memory)
        : area_(checked(std::move(memory))), head_(0, &area_.memory()) {}

    /// @param since `head()` of the last one, or where the ring began
    [[nodiscard]] snapshot take(std::uint64_t since = 0) const {
        return snapshot::take<Direction, Barriers>(area_, *head_, *head_, since);
    }

  private:
    static ring_memory checked(ring_memory memory) {
        if (!memory.attached())
            throw std::invalid_argument("a snapshot is read from a ring that somebody else made");
        perf_abi::begin(memory, 0);
        return memory;
    }

    detail::record_area area_;
    perf_abi::word<shared_word::head> head_;
};

} // namespace ringproof
