// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "ringproof/aux/aux_record.hpp"
#include "ringproof/aux/aux_window.hpp"
#include "ringproof/barriers.hpp"
#include "ringproof/concepts/barriers.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// What has been written since the last look at an AUX area in snapshot mode.
struct fresh_trace {
    std::uint64_t offset; ///< position of the first byte
    std::uint64_t size;   ///< bytes that are still there, at most the area
    std::uint64_t missed; ///< bytes that were overwritten before anybody looked
    bool certain; ///< false: it may have gone around more often, or not yet; all of the area is given then
};

/// Turns an aux_head in snapshot mode into positions that run freely.
///
/// An aux_head that is a position says it all. One that is an offset does not say how often it went around since the
/// last look; the AUX records do: the sum of their sizes is what was written. If records were lost, or the sum doesn't
/// lead to head, all of the area is announced, and that it isn't certain. (Perf looks for bytes that are not zero near
/// the end of the area, or compares them with a copy, and sticks to a "yes": then it delivers the same bytes again and
/// again, and trace that is zero there it never sees go around.)
class aux_head_fix_up {
  public:
    /// @param convention what aux_head is
    /// @param size of the area, a power of two (a contract)
    /// @param start where the area began
    aux_head_fix_up(aux_head_is convention, std::uint64_t size, std::uint64_t start = 0) noexcept
        : convention_(convention), size_(size), at_(start) {
        RINGPROOF_CONTRACT(std::has_single_bit(size), "the size of an AUX area is a power of two");
    }

    /// An AUX record, as the data ring had it.
    void told(const aux_record& one) noexcept { sum_ += one.size; }

    /// Records were lost: some of them may have been AUX records.
    void lost() noexcept { all_told_ = false; }

    /// What is new, with aux_head as it is now. The next look begins where this one ends.
    [[nodiscard]] fresh_trace look(std::uint64_t head) noexcept {
        std::uint64_t written = head - at_;
        bool certain = true;
        if (convention_ == aux_head_is::offset) {
            written &= size_ - 1;
            certain = all_told_ && (sum_ & (size_ - 1)) == written;
            written = certain ? sum_ : written + size_;
        }
        sum_ = 0;
        all_told_ = true;
        at_ += written;
        const std::uint64_t size = certain ? std::min(written, size_) : size_;
        return {at_ - size, size, certain ? written - size : 0, certain};
    }

  private:
    aux_head_is convention_;
    std::uint64_t size_;
    std::uint64_t at_;      ///< where the last look ended
    std::uint64_t sum_ = 0; ///< bytes that AUX records told of since
    bool all_told_ = true;
};

/// Reads an AUX area in snapshot mode from outside, by what perf's page says: another process's `aux_window`, or the
/// kernel's area (mapped read-only). The source has to be stopped while the bytes are read, since the page does not say
/// what it is about to overwrite.
template <class Barriers = acquire_release>
class aux_window_reader {
    static_assert(barriers_policy<Barriers> || detail::explain_barriers<Barriers>());

  public:
    /// Bytes in place, until the source goes on.
    struct trace : fresh_trace {
        ring_bytes<const std::byte> bytes;
    };

    /// @param ring the memory of the data ring beside the area, in perf's layout; it must outlive this
    /// @param area the memory of the AUX area
    /// @param convention what aux_head is
    /// @param start where the area began
    /// @throws std::invalid_argument when it has no such page, or that describes another area
    aux_window_reader(const ring_memory& ring, ring_memory area, aux_head_is convention,
                      std::uint64_t start = 0)
        : area_(std::move(area)), head_(checked(ring, area_.capacity())),
          fix_up_(convention, area_.capacity(), start) {}

    /// A record of the data ring: every one is to be shown before the area is read.
    void told(const record& one) noexcept {
        if (one.type() == record_type::lost) fix_up_.lost();
        if (one.type() != record_type::aux) return;
        // With a trailer the payload is longer.
        aux_record what{};
        if (one.copy_to(std::as_writable_bytes(std::span(&what, 1))) == sizeof what)
            fix_up_.told(what);
        else
            fix_up_.lost();
    }

    /// The newest bytes since the last call, at most `newest`.
    [[nodiscard]] trace read(std::uint64_t newest = std::numeric_limits<std::uint64_t>::max()) noexcept {
        // C <- B: the bytes before head are complete.
        trace result{fix_up_.look(Barriers::load_head(*head_)), {}};
        if (result.size > newest) {
            result.missed += result.size - newest;
            result.offset += result.size - newest;
            result.size = newest;
        }
        const auto run = area_.bytes(result.offset, static_cast<std::size_t>(result.size));
        result.bytes = {run.first, run.second};
        return result;
    }

  private:
    static const std::atomic<std::uint64_t>* checked(const ring_memory& ring, std::uint64_t capacity) {
        perf_abi::begin_aux(ring, 0, capacity);
        return &perf_abi::existing(ring, shared_word::aux_head);
    }

    detail::record_area area_;
    const std::atomic<std::uint64_t>* head_;
    aux_head_fix_up fix_up_;
};

} // namespace ringproof
