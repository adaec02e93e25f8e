// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/recorder.hpp"
#include "ringproof/direction/backward.hpp"
#include "ringproof/direction/forward.hpp"
#include "ringproof/direction/paged.hpp"
#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/layout/padded.hpp"
#include "ringproof/producer/nested.hpp"
#include "ringproof/producer/shared.hpp"
#include "ringproof/producer/single.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/record_ring.hpp" // ring_options
#include "ringproof/ring_memory.hpp"
#include "ringproof/snapshot.hpp"

namespace ringproof {

namespace detail {
/// @throws std::invalid_argument, with the reason
template <class Layout>
void begin_recorder(const ring_memory& memory, const ring_options& options) {
    if (options.start % 8 != 0)
        throw std::invalid_argument("the start of a recorder must be a multiple of 8");
    if (memory.attached())
        throw std::invalid_argument("this memory already contains a ring; give the recorder its own");
    Layout::begin(memory, options.start);
}

template <class Producer>
using usual_direction = std::conditional_t<std::is_same_v<Producer, shared>, paged, backward>;
} // namespace detail

/// A flight recorder, perf's overwritable ring: it always takes the new record and overwrites the oldest. Nobody
/// consumes; anybody takes a `snapshot` whenever something has happened.
///
///     recorder.write(bytes);                 const auto seen = recorder.take();
///                                            for (const auto& record : seen.records()) …   // newest first
///
/// The snapshot is live: the writer goes on. Before it overwrites it says how far (I), and the snapshot looks at
/// that after it has copied (J), so it knows what of its copy can't be trusted. Data are written and copied word by
/// word as atomics, so that this is no race; for the same reason a record is not filled in place. (Perf has to pause
/// the writer, and pausing is not enough: a writer that looked at the flag before is still at work.)
///
/// A paused recorder refuses, and tells the number in a LOST record before the next one, as perf does.
///
/// @tparam Producer `single`, or `nested` (a thread and its signal handlers); `shared`, for many threads, is another
///         class of the same name: paged_recorder.hpp
/// @tparam Direction `backward`, or `forward` with the size at the end of each record; `paged` for `shared`
/// @par Progress
/// Writing is wait-free and never calls the system. A snapshot takes one look at the capacity, however often the
/// writer overtakes it.
/// @par Threads
/// `write`: see Producer. The rest: anybody, at the same time.
template <class Producer = single, class Direction = detail::usual_direction<Producer>,
          class Barriers = acquire_release, class Layout = padded>
class recorder {
    using side_type = typename Producer::template producer_side<Barriers, Layout>;

  public:
    /// @param capacity bytes, a power of two, at least 64
    /// @param start first position
    /// @throws std::invalid_argument, with the reason
    explicit recorder(std::size_t capacity, std::uint64_t start = 0)
        : recorder(ring_memory::heap(capacity), {start, 0, 0}) {}

    /// @throws std::invalid_argument, with the reason
    explicit recorder(ring_memory memory, ring_options options = {})
        : area_((detail::begin_recorder<Layout>(memory, options), std::move(memory))), id_(options.id),
          start_(options.start),
          max_payload_(std::min(area_.capacity() - size_of(sizeof(lost_record)), detail::largest_record) -
                       size_of(0)),
          side_(options.start, &area_.memory()) {}

    recorder(const recorder&) = delete;
    recorder& operator=(const recorder&) = delete;

    /// Writes one record over the oldest. @return whether it was written: not when paused, nor when it is too large
    bool write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
        if (payload.size() > max_payload_ || (tag.misc & detail::filling_mask) != 0 ||
            tag.type == record_type::padding || Barriers::stat(side_.paused()) != 0) {
            side_.count_lost();
            return false;
        }
        if (side_.unreported() != 0) [[unlikely]]
            return write_told(payload, tag);
        const std::size_t size = size_of(payload.size());
        const auto mine = reserve(size);
        put(begin(mine, size), tag, payload, size);
        side_.publish_over(mine);
        return true;
    }

    /// A copy of what is there now. @throws std::bad_alloc
    [[nodiscard]] snapshot take() const { return take_since(start_); }

    /// Only what is newer than the snapshot whose `head()` this is.
    [[nodiscard]] snapshot take_since(std::uint64_t head) const {
        return snapshot::take<Direction, Barriers>(area_, side_.head(), side_.intent(), head);
    }

    /// The same into a snapshot of before, whose records end. From the second time on it allocates hardly anything,
    /// which is what a snapshot costs most.
    void take_into(snapshot& into) const { take_into(into, start_); }
    void take_into(snapshot& into, std::uint64_t since) const {
        into.fill<Direction, Barriers>(area_, side_.head(), side_.intent(), since);
    }

    /// From now on every record is refused, and counted as lost. A writer that has looked before goes on.
    void pause() noexcept { Barriers::set_own(side_.paused(), std::uint64_t{1}); }
    void resume() noexcept { Barriers::set_own(side_.paused(), std::uint64_t{0}); }

    [[nodiscard]] std::size_t capacity() const noexcept { return area_.capacity(); }
    [[nodiscard]] const ring_memory& memory() const noexcept { return area_.memory(); }

    /// The largest payload that fits, also with a LOST record before it.
    [[nodiscard]] std::size_t max_payload() const noexcept { return max_payload_; }

    /// How many records were refused.
    [[nodiscard]] std::uint64_t lost() const noexcept { return Barriers::stat(side_.lost()); }

  private:
    static constexpr std::size_t size_of(std::size_t payload) noexcept {
        return detail::record_size(payload) + Direction::trailer_size;
    }

    [[nodiscard]] auto reserve(std::size_t size) noexcept {
        return side_.reserve_over(Direction::downwards ? 0 - std::uint64_t{size} : size);
    }
    [[nodiscard]] static std::uint64_t begin(typename side_type::over mine, std::size_t size) noexcept {
        return Direction::downwards ? mine.before - size : mine.before;
    }

    /// With a LOST record before it, as older records are.
    [[gnu::noinline, gnu::cold]] bool write_told(std::span<const std::byte> payload,
                                                 record_tag tag) noexcept {
        const std::size_t report = size_of(sizeof(lost_record)), size = size_of(payload.size());
        const auto mine = reserve(report + size);
        const std::uint64_t at = begin(mine, report + size);
        const lost_record lost{id_, side_.take_unreported()};
        put(at, {record_type::lost, 0}, std::as_bytes(std::span(&lost, 1)), report);
        put(at + report, tag, payload, size);
        side_.publish_over(mine);
        return true;
    }

    void put(std::uint64_t at, record_tag tag, std::span<const std::byte> payload,
             std::size_t size) noexcept {
        Barriers::put_word(area_.word(at), detail::header_word(tag, payload.size(), Direction::trailer_size));
        const std::size_t words = payload.size() / 8, rest = payload.size() % 8;
        area_.put_words<Barriers>(at + detail::header_size, payload.first(8 * words));
        if (rest != 0) {
            std::uint64_t word = 0;
            std::memcpy(&word, payload.data() + 8 * words, rest);
            Barriers::put_word(area_.word(at + detail::header_size + 8 * words), word);
        }
        if constexpr (Direction::trailer_size != 0)
            Barriers::put_word(area_.word(at + size - Direction::trailer_size), Direction::trailer(size));
    }

    alignas(line_pair) detail::record_area area_;
    std::uint64_t id_;
    std::uint64_t start_;
    std::size_t max_payload_;
    alignas(line_pair) side_type side_; ///< written by the writer
};

/// Refused: the sentence says why. What is derived from keeps the compiler from complaining of anything else.
template <class Producer, class Direction, class Barriers, class Layout>
requires(!sound_recorder<Producer, Direction, Barriers, Layout>) class recorder<Producer, Direction, Barriers,
                                                                                Layout>
    : public recorder<single, forward> {
    static_assert(detail::explain_recorder<Producer, Direction, Barriers, Layout>());

  public:
    using recorder<single, forward>::recorder;
};

} // namespace ringproof

#include "ringproof/paged_recorder.hpp" // recorder<shared>
