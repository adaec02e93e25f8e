// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "ringproof/record_area.hpp"

namespace ringproof {

/// A copy of the newest bytes of an AUX window. The source was not stopped: what it overwrote while the copy was made
/// is left out.
class aux_snapshot {
  public:
    aux_snapshot(aux_snapshot&& other) noexcept
        : words_(std::move(other.words_)), first_(std::exchange(other.first_, 0)),
          size_(std::exchange(other.size_, 0)), head_(other.head_), missed_(other.missed_) {}
    aux_snapshot& operator=(aux_snapshot&& other) noexcept {
        words_ = std::move(other.words_);
        first_ = std::exchange(other.first_, 0), size_ = std::exchange(other.size_, 0);
        head_ = other.head_, missed_ = other.missed_;
        return *this;
    }

    /// Oldest first, valid as long as this snapshot.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {reinterpret_cast<const std::byte*>(words_.get()) + first_, size_};
    }

    /// Position of the first byte.
    [[nodiscard]] std::uint64_t offset() const noexcept { return head_ - size_; }

    /// Position behind the last byte; the next snapshot with `take_since(head())` has only what is newer.
    [[nodiscard]] std::uint64_t head() const noexcept { return head_; }

    /// Bytes from where the last snapshot ended, or the window began, to `offset()`: overwritten, or more than were
    /// asked for. 0: nothing is missing.
    [[nodiscard]] std::uint64_t missed_bytes() const noexcept { return missed_; }

    /// Copies.
    /// @param area what is copied
    /// @param head the position behind the newest byte
    /// @param intent how far the source may have got with overwriting
    /// @param since where the last snapshot ended, or the window began
    /// @param newest how many bytes at most
    template <class Barriers>
    static aux_snapshot take(const detail::record_area& area, const std::atomic<std::uint64_t>& head,
                             const std::atomic<std::uint64_t>& intent, std::uint64_t since,
                             std::size_t newest) {
        aux_snapshot result;
        // C <- B: the bytes before head are complete.
        const std::uint64_t end = result.head_ = Barriers::load_head(head);
        const std::uint64_t written = end - since;
        const std::size_t size = static_cast<std::size_t>(
            std::min<std::uint64_t>({written, area.capacity(), static_cast<std::uint64_t>(newest)}));
        const std::uint64_t begin = end - size;
        result.first_ = begin % 8;
        const std::size_t count = (result.first_ + size + 7) / 8;
        result.words_ = std::make_unique_for_overwrite<std::uint64_t[]>(count);
        area.template get_words<Barriers>(begin / 8 * 8, result.words_.get(), count);
        // J <- I: what I copied may have been overwritten up to a capacity before this.
        const std::uint64_t reached = Barriers::load_intent(intent) - begin;
        const std::size_t gone = static_cast<std::size_t>(std::min<std::uint64_t>(
            reached > area.capacity() ? reached - area.capacity() : 0, static_cast<std::uint64_t>(size)));
        result.first_ += gone;
        result.size_ = size - gone;
        result.missed_ = written - result.size_;
        return result;
    }

  private:
    aux_snapshot() = default;

    std::unique_ptr<std::uint64_t[]> words_;
    std::size_t first_ = 0; ///< byte of the words where the copy begins
    std::size_t size_ = 0;
    std::uint64_t head_ = 0;
    std::uint64_t missed_ = 0;
};

} // namespace ringproof
