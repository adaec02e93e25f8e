// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// The words that the two sides of a ring share, or that several producers do.
enum class shared_word : std::uint8_t { head, tail, reserved, lost, reported, paused, aux_head, aux_tail };

/// Where a ring's shared words are: in the ring object, those of the producers and those of the consumer on line
/// pairs of their own. Any memory will do for the data.
struct padded {
    static constexpr bool has_page = false;
    static constexpr bool many_processes = false;
    static constexpr bool has_aux = true;

    template <shared_word>
    class word {
      public:
        word(std::uint64_t start, const ring_memory*) noexcept : value_(start) {}
        [[nodiscard]] std::atomic<std::uint64_t>& operator*() noexcept { return value_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& operator*() const noexcept { return value_; }

      private:
        std::atomic<std::uint64_t> value_;
    };

    struct positions {
        std::uint64_t head, tail;
    };

    /// What the memory must have, and where a ring in it begins.
    /// @throws std::invalid_argument for memory that already contains a ring: its positions are in that memory, not here
    static positions begin(const ring_memory& memory, std::uint64_t start) {
        if (memory.attached())
            throw std::invalid_argument(
                "layout `padded` keeps head and tail outside the shared memory; to attach to an existing "
                "ring use `perf_abi` or `between_processes`");
        return {start, start};
    }

    /// The same for an AUX area beside a ring in this memory.
    static positions begin_aux(const ring_memory&, std::uint64_t start, std::uint64_t) noexcept {
        return {start, start};
    }
};

} // namespace ringproof
