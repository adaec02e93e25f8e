// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "ringproof/aux/aux_area.hpp"
#include "ringproof/aux/aux_record.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/record.hpp"

namespace ringproof {

namespace record_type {
inline constexpr std::uint32_t auxtrace_info = 70; ///< PERF_RECORD_AUXTRACE_INFO: whose trace it is
inline constexpr std::uint32_t auxtrace = 71;      ///< PERF_RECORD_AUXTRACE: trace follows
} // namespace record_type

/// What stands before bytes of trace in a perf.data file. They follow it at once, and `header.size` does not count them.
struct auxtrace_header {
    record_header header;    ///< of these 48 bytes
    std::uint64_t size;      ///< of the trace, filled up to a multiple of 8
    std::uint64_t offset;    ///< position of the first byte
    std::uint64_t reference; ///< number of the piece: what the tool takes for a time
    std::uint32_t index;     ///< of the ring
    std::uint32_t thread;    ///< that was traced, or ~0
    std::uint32_t cpu;       ///< that was traced, or ~0
    std::uint32_t reserved;
};
static_assert(sizeof(auxtrace_header) == 48 && std::has_unique_object_representations_v<auxtrace_header>);

/// A piece of trace as it came out of the area: the header, one or two segments, and so many zero bytes.
struct auxtrace {
    auxtrace_header header;
    ring_bytes<const std::byte> bytes;
    std::size_t padding;
};

[[nodiscard]] constexpr std::size_t auxtrace_padding(std::uint64_t size) noexcept {
    return static_cast<std::size_t>((8 - size % 8) % 8);
}

/// What the AUX records say about a run of bytes.
struct trace_part {
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t flags; ///< aux_flag; `truncated`: something is missing behind the last byte
    bool told;           ///< false: no AUX record does; it was lost, or the source skipped the bytes

    /// May a decoder not go on as if nothing had happened?
    [[nodiscard]] bool discontinuous() const noexcept {
        return !told || (flags & (aux_flag::truncated | aux_flag::partial)) != 0;
    }
};

/// Finds for each byte of trace the AUX record that told of it, by position.
class trace_correlation {
  public:
    explicit trace_correlation(std::uint64_t start) noexcept : at_(start) {}

    /// An AUX record, in the order of the ring.
    void told(const aux_record& one) {
        const bool ends = (one.flags & aux_flag::overwrite) != 0; // in snapshot mode `offset` is the end
        told_.push_back({ends ? one.offset - one.size : one.offset, one.size, one.flags});
    }

    /// All records of the bytes before `end` have been told, or were lost: calls `use(const trace_part&)` for each run.
    template <class Use>
    void resolve(std::uint64_t end, Use&& use) {
        while (!told_.empty() || at_ != end) {
            // Signed distances: positions run over 2^64.
            const auto left = static_cast<std::int64_t>(end - at_);
            if (told_.empty()) return untold(end, use);
            aux_record& one = told_.front();
            const auto ahead = static_cast<std::int64_t>(one.offset - at_);
            if (ahead > 0 && left > 0) {
                untold(at_ + static_cast<std::uint64_t>(std::min(ahead, left)), use);
            } else if (ahead < 0) {
                // Bytes before it have been resolved without it; what is left of it counts.
                const auto gone = std::min(static_cast<std::uint64_t>(-ahead), one.size);
                one.offset += gone, one.size -= gone;
                if (one.size == 0) told_.pop_front();
            } else if (ahead == 0 && static_cast<std::int64_t>(one.size) <= left) {
                use(trace_part{at_, one.size, one.flags, true});
                at_ += one.size;
                told_.pop_front();
            } else if (ahead == 0 && left > 0) {
                // Goes on in the next piece, and what it says about its end is said there.
                use(trace_part{at_, end - at_, one.flags & ~aux_flag::truncated, true});
                one.offset = end, one.size -= end - at_;
                at_ = end;
            } else
                return;
        }
    }

    /// Bytes up to there will never come: overwritten before anybody looked.
    void skip_to(std::uint64_t position) noexcept { at_ = position; }

    [[nodiscard]] std::uint64_t position() const noexcept { return at_; }

  private:
    template <class Use>
    void untold(std::uint64_t end, Use& use) {
        use(trace_part{at_, end - at_, 0, false});
        at_ = end;
    }

    std::deque<aux_record> told_;
    std::uint64_t at_; ///< everything before has been resolved
};

/// Where trace comes from, for its records.
struct trace_origin {
    std::uint32_t index = 0;
    std::uint32_t thread = ~0U;
    std::uint32_t cpu = ~0U;
};

/// The consumer of a ring and its AUX area: hands out records and trace as perf writes them into a file.
///
///     trace_reader reader(ring, aux);
///     reader.round(visitor);      // again and again; when all has ended: reader.finish(visitor)
///
/// A visitor has `on_record(const record&)`, `on_trace(const auxtrace&)` and `on_part(const trace_part&)`. In each round
/// the ring is drained before the area is read, so a stop of the source can't be missed. An AUX record is in the ring
/// before its bytes are in the area, so after that the records of all trace of the *last* round have been there: its
/// parts are told then. Trace is handed out up to a multiple of `alignment`; what is over comes with the next piece.
///
/// @par Threads
/// The consumer's.
///
/// After auxtrace_mmap__read in tools/perf/util/auxtrace.c of Linux, which cuts a piece to its alignment by throwing
/// bytes away.
template <class Ring>
class trace_reader {
  public:
    /// @param ring beside the area; it must outlive this
    /// @param aux the area; it must outlive this
    /// @param origin what the AUXTRACE records name as their source
    /// @param alignment of the trace, a power of two up to half the capacity; 1: any
    /// @param start where the area began
    /// @throws std::invalid_argument for another alignment: at the whole capacity, which is never full, nothing would come
    trace_reader(Ring& ring, aux_area<Ring>& aux, trace_origin origin = {}, std::uint64_t alignment = 1,
                 std::uint64_t start = 0)
        : ring_(&ring), aux_(&aux), origin_(origin), alignment_(alignment), end_(start), correlation_(start) {
        if (!std::has_single_bit(alignment) || alignment > aux.capacity() / 2)
            throw std::invalid_argument(
                "trace is handed out in multiples of a power of two, up to half the capacity");
    }

    template <class Visitor>
    void round(Visitor&& visitor) {
        take(visitor, alignment_);
    }

    /// The last round: the source has ended.
    template <class Visitor>
    void finish(Visitor&& visitor) {
        take(visitor, 1);
        drain(visitor);
    }

    /// Bytes of trace that were handed out.
    [[nodiscard]] std::uint64_t trace_bytes() const noexcept { return bytes_; }

  private:
    template <class Visitor>
    void drain(Visitor& visitor) {
        for (const auto one : ring_->read()) {
            if (one.type() == record_type::aux) {
                aux_record what{};
                if (one.copy_to(std::as_writable_bytes(std::span(&what, 1))) == sizeof what)
                    correlation_.told(what);
            }
            visitor.on_record(one);
        }
        correlation_.resolve(end_, [&](const trace_part& part) { visitor.on_part(part); });
    }

    template <class Visitor>
    void take(Visitor& visitor, std::uint64_t alignment) {
        drain(visitor);
        auto chunk = aux_->read();
        const std::uint64_t over = (chunk.offset() + chunk.size()) % alignment;
        const std::size_t size = over >= chunk.size() ? 0 : chunk.size() - static_cast<std::size_t>(over);
        if (size != 0) {
            auto bytes = chunk.bytes();
            const std::size_t front = std::min(size, bytes.first.size());
            bytes = {bytes.first.first(front), bytes.second.first(size - front)};
            const std::size_t padding = auxtrace_padding(size);
            visitor.on_trace(auxtrace{{{record_type::auxtrace, 0, sizeof(auxtrace_header)},
                                       size + padding,
                                       chunk.offset(),
                                       ++pieces_,
                                       origin_.index,
                                       origin_.thread,
                                       origin_.cpu,
                                       0},
                                      bytes,
                                      padding});
            end_ = chunk.offset() + size;
            bytes_ += size;
        }
        chunk.give_back(size);
    }

    Ring* ring_;
    aux_area<Ring>* aux_;
    trace_origin origin_;
    std::uint64_t alignment_;
    std::uint64_t end_; ///< of the trace that was handed out
    std::uint64_t pieces_ = 0;
    std::uint64_t bytes_ = 0;
    trace_correlation correlation_;
};

} // namespace ringproof
