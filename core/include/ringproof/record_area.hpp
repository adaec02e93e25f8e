// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "ringproof/capacity.hpp"
#include "ringproof/record.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof::detail {

/// The data area of a record ring: 2^n bytes, addressed by free-running positions, zero at first.
/// Whatever the position and length, an access stays inside (a length over the capacity is cut).
class record_area {
  public:
    explicit record_area(std::size_t bytes) : record_area(ring_memory::heap(bytes)) {}

    /// @param takes_over whether a consumer may store into what it has read; of attached memory it may not
    /// @throws std::invalid_argument for memory that has been moved away
    explicit record_area(ring_memory memory, bool takes_over = true)
        : mask_(usable(memory).capacity() - 1), reach_(memory.reach()),
          words_(reinterpret_cast<std::uint64_t*>(memory.data())), memory_(std::move(memory)),
          left_alone_(!takes_over || memory_.attached()) {}

    record_area(const record_area&) = delete;
    record_area& operator=(const record_area&) = delete;

    [[nodiscard]] const ring_memory& memory() const noexcept { return memory_; }

    [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

    /// Whether the consumer only reads here.
    [[nodiscard]] bool left_alone() const noexcept { return left_alone_; }

    /// The 8 bytes at `position`, a multiple of 8.
    [[nodiscard]] std::uint64_t& word(std::uint64_t position) const noexcept {
        return words_[offset(position) / sizeof(std::uint64_t)];
    }

    [[nodiscard]] ring_bytes<std::byte> bytes(std::uint64_t position, std::size_t length) const noexcept {
        auto* const start = reinterpret_cast<std::byte*>(words_);
        length = std::min(length, capacity());
        const std::size_t front = std::min(length, reach_ - offset(position));
        return {{start + offset(position), front}, {start, length - front}};
    }

    /// Writes `from` at `position`; it is not longer than the capacity.
    void copy_in(std::uint64_t position, std::span<const std::byte> from) const noexcept {
        // In one piece, with a size that the compiler may know: a few moves instead of a call.
        if (from.size() <= reach_ - offset(position)) {
            if (!from.empty())
                std::memcpy(reinterpret_cast<std::byte*>(words_) + offset(position), from.data(),
                            from.size());
            return;
        }
        const auto run = bytes(position, from.size());
        std::memcpy(run.first.data(), from.data(), run.first.size());
        std::memcpy(run.second.data(), from.data() + run.first.size(), run.second.size());
    }

    /// Writes whole words that somebody may be copying at the same time.
    template <class Barriers>
    void put_words(std::uint64_t position, std::span<const std::byte> from) const noexcept {
        if (from.size() <= reach_ - offset(position)) [[likely]]
            Barriers::put_words(&word(position), from.data(), from.size() / 8);
        else
            put_split<Barriers>(position, from);
    }

    /// Copies the `count` words from `position` on, which somebody may be overwriting.
    template <class Barriers>
    void get_words(std::uint64_t position, std::uint64_t* to, std::size_t count) const noexcept {
        const std::size_t front = std::min(count, (reach_ - offset(position)) / 8);
        Barriers::get_words(to, &word(position), front);
        Barriers::get_words(to + front, words_, count - front);
    }

    /// Stores one word in each line of what has been read, which leaves the lines in the hands of whoever did: a line
    /// that was only read is several times dearer for the producer to overwrite on its next lap.
    void take_over(std::uint64_t position, std::size_t length) const noexcept {
        for (std::size_t at = 0; at < length; at += cache_line) word(position + at) = 0;
    }

    /// Has the line at `position` on its way when it is read. Nothing is read or written.
    void fetch(std::uint64_t position) const noexcept { __builtin_prefetch(&word(position)); }

    void clear(std::uint64_t position, std::size_t length) const noexcept {
        const auto run = bytes(position, length);
        std::memset(run.first.data(), 0, run.first.size());
        if (!run.second.empty()) std::memset(run.second.data(), 0, run.second.size());
    }

  private:
    [[nodiscard]] static const ring_memory& usable(const ring_memory& memory) {
        if (memory.data() == nullptr)
            throw std::invalid_argument("this memory is in use elsewhere: it was moved from");
        return memory;
    }

    /// Apart, so that the usual way needs no registers for it.
    template <class Barriers>
    [[gnu::noinline, gnu::cold]] void put_split(std::uint64_t position,
                                                std::span<const std::byte> from) const noexcept {
        const std::size_t front = reach_ - offset(position);
        Barriers::put_words(&word(position), from.data(), front / 8);
        Barriers::put_words(words_, from.data() + front, (from.size() - front) / 8);
    }

    [[nodiscard]] std::size_t offset(std::uint64_t position) const noexcept {
        return static_cast<std::size_t>(position) & mask_;
    }

    std::size_t mask_;
    std::size_t reach_; ///< the capacity, or twice that where the data is mapped twice in a row
    std::uint64_t* words_;
    ring_memory memory_;
    bool left_alone_;
};

} // namespace ringproof::detail
