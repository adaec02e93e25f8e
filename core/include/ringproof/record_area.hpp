// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "ringproof/record.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof::detail {

/// The data area of a record ring: 2^n bytes, addressed by free-running positions, zero at first.
/// Whatever the position and length, an access stays inside (a length over the capacity is cut).
class record_area {
  public:
    explicit record_area(std::size_t bytes) : record_area(ring_memory::heap(bytes)) {}

    explicit record_area(ring_memory memory)
        : mask_(memory.capacity() - 1), reach_(memory.reach()),
          words_(reinterpret_cast<std::uint64_t*>(memory.data())), memory_(std::move(memory)) {}

    record_area(const record_area&) = delete;
    record_area& operator=(const record_area&) = delete;

    [[nodiscard]] const ring_memory& memory() const noexcept { return memory_; }

    [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

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

    void clear(std::uint64_t position, std::size_t length) const noexcept {
        const auto run = bytes(position, length);
        std::memset(run.first.data(), 0, run.first.size());
        if (!run.second.empty()) std::memset(run.second.data(), 0, run.second.size());
    }

  private:
    [[nodiscard]] std::size_t offset(std::uint64_t position) const noexcept {
        return static_cast<std::size_t>(position) & mask_;
    }

    std::size_t mask_;
    std::size_t reach_; ///< the capacity, or twice that where the data is mapped twice in a row
    std::uint64_t* words_;
    ring_memory memory_;
};

} // namespace ringproof::detail
