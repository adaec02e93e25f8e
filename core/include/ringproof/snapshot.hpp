// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ringproof/barriers.hpp"
#include "ringproof/concepts/barriers.hpp"
#include "ringproof/concepts/direction.hpp"
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

    /// Where bytes are missing between two records, from the newest on: between records()[i] and records()[i + 1] for
    /// each i here. Only of a recorder that many threads share: behind a record that was not complete its page cannot
    /// be read, and the writers may overtake the copy in its middle.
    [[nodiscard]] std::span<const std::size_t> gaps() const noexcept { return gaps_; }

    [[nodiscard]] snapshot_error error() const noexcept { return error_; }

    /// Copies and walks.
    /// @param area what is copied
    /// @param head the position behind the newest record
    /// @param intent how far the writer may have got with overwriting
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
        gaps_.clear();
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

    /// The same of an area that many threads write in pages: `recorder<shared>`. Each page is copied and looked at
    /// again by itself, the oldest first, as it is overwritten first.
    template <class Barriers, class Marks>
    void fill_pages(const detail::record_area& area, std::size_t page, const std::atomic<std::uint64_t>& head,
                    const Marks& marks, std::uint64_t since) {
        const std::size_t capacity = area.capacity();
        records_.clear();
        gaps_.clear();
        words_.resize(capacity / 8);
        error_ = snapshot_error::none;
        // C <- M: who has claimed something before head is at work, as its mark says, or done.
        const std::uint64_t at = Barriers::load_head(head);
        const std::uint64_t top = (at - 8) & (0 - std::uint64_t{page}); // the page written last
        complete_.assign(capacity / page, page);
        complete_[0] = static_cast<std::size_t>(at - top);
        marks.for_each([&](std::uint64_t mark) {
            const std::uint64_t before = top - (mark & (0 - std::uint64_t{page}));
            if (before >= capacity) return; // not here, or not in this lap
            auto& complete = complete_[static_cast<std::size_t>(before / page)];
            complete = std::min(complete, static_cast<std::size_t>(mark) & (page - 1));
        });
        head_ = top + complete_[0];
        missed_ = head_ - since;
        if (static_cast<std::int64_t>(missed_) <= 0) { // nothing is newer
            head_ = since;
            missed_ = 0;
            return;
        }
        const std::uint64_t pages = (top - (since & (0 - std::uint64_t{page}))) / page + 1;
        auto left = static_cast<std::size_t>(std::min<std::uint64_t>(pages, capacity / page));
        bool trusted = false, overtaken = false, gap = false;
        while (left-- != 0) {
            const std::uint64_t from = top - std::uint64_t{left} * page;
            const std::uint64_t skip = left + 1 == pages ? since - from : 0; // of the oldest
            const std::size_t complete = complete_[left],
                              index = static_cast<std::size_t>(from & (capacity - 1)) / 8;
            if (complete != 0) area.get_words<Barriers>(from, words_.data() + index, complete / 8);
            // J <- I: this page may have been entered again by then.
            const bool again = complete > skip && Barriers::load_intent(head) - from > capacity;
            if (complete <= skip || again) {
                overtaken |= again;
                gap = true;
                continue;
            }
            trusted = true;
            missed_ -= complete - skip;
            // One that was passed over in this lap has records of an older one.
            if (words_[index] == from) walk_page(index, complete, static_cast<std::size_t>(skip), gap);
            gap |= complete != page;
        }
        if (overtaken && !trusted) error_ = snapshot_error::overtaken;
        std::reverse(records_.begin(), records_.end());
        std::reverse(gaps_.begin(), gaps_.end());
        for (auto& one : gaps_)
            one = records_.size() - 1 - one; // as records are counted from the other end now
    }

  private:
    /// The records of a page from `since` on, oldest first. @param gap is something missing before the next one?
    void walk_page(std::size_t index, std::size_t complete, std::size_t since, bool& gap) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(words_.data() + index);
        for (std::size_t at = 8; at < complete;) {
            const auto header = std::bit_cast<record_header>(words_[index + at / 8]);
            if (detail::check(header, complete - at) != read_error::none) {
                error_ = snapshot_error::header_damaged;
                missed_ += complete - at;
                gap = true;
                return;
            }
            if (at >= since && header.type != record_type::padding) {
                if (std::exchange(gap, false) && !records_.empty()) gaps_.push_back(records_.size());
                records_.emplace_back(header, ring_bytes<const std::byte>{{bytes + at + detail::header_size,
                                                                           header.size - detail::header_size -
                                                                               detail::filling(header)},
                                                                          {}});
            }
            at += header.size;
        }
    }

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
    std::vector<std::size_t> gaps_;
    std::vector<std::size_t> complete_; ///< of pages, the newest first: bytes up to the first open record
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
    static_assert(direction_policy<Direction> || detail::explain_direction<Direction>());
    static_assert(
        !detail::written_in_pages<Direction>,
        "in pages only a `recorder<shared>` is written, which keeps what its writers are at to itself");
    static_assert(barriers_policy<Barriers> || detail::explain_barriers<Barriers>());

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
            throw std::invalid_argument(
                "a snapshot_reader needs memory that already contains a ring: attach to it or open it");
        perf_abi::begin(memory, 0);
        return memory;
    }

    detail::record_area area_;
    perf_abi::word<shared_word::head> head_;
};

} // namespace ringproof
