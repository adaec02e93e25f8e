// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory> // std::uninitialized_fill_n
#include <new>
#include <span>

#include "ringproof/capacity.hpp"
#include "ringproof/record.hpp"

namespace ringproof::detail {

/// The data area of a record ring: 2^n bytes, addressed by free-running positions, zero at first.
/// Whatever the position and length, an access stays inside (a length over the capacity is cut).
class record_area {
  public:
    explicit record_area(std::size_t bytes)
        : mask_(bytes - 1), words_(static_cast<std::uint64_t*>(
                                ::operator new (allocated(bytes), std::align_val_t{line_pair}))) {
        std::uninitialized_fill_n(words_, bytes / sizeof(std::uint64_t), std::uint64_t{0});
    }

    record_area(const record_area&) = delete;
    record_area& operator=(const record_area&) = delete;

    ~record_area() { ::operator delete (words_, std::align_val_t{line_pair}); }

    [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

    /// The 8 bytes at `position`, a multiple of 8.
    [[nodiscard]] std::uint64_t& word(std::uint64_t position) const noexcept {
        return words_[offset(position) / sizeof(std::uint64_t)];
    }

    [[nodiscard]] ring_bytes<std::byte> bytes(std::uint64_t position, std::size_t length) const noexcept {
        auto* const start = reinterpret_cast<std::byte*>(words_);
        length = std::min(length, capacity());
        const std::size_t front = std::min(length, capacity() - offset(position));
        return {{start + offset(position), front}, {start, length - front}};
    }

    /// Writes `from` at `position`; it is not longer than the capacity.
    void copy_in(std::uint64_t position, std::span<const std::byte> from) const noexcept {
        // In one piece, with a size that the compiler may know: a few moves instead of a call.
        if (from.size() <= capacity() - offset(position)) {
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

    static constexpr std::size_t allocated(std::size_t bytes) noexcept { return std::max(bytes, line_pair); }

    std::size_t mask_;
    std::uint64_t* words_;
};

} // namespace ringproof::detail
