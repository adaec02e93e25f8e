// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"

namespace ringproof::detail {

/// What consumers have in common to whom each record's own header word says that it is complete: `shared`,
/// `single_in_band` and `robust`. Each has a way of its own to give back what it has read (`scrub`), and its own answer to
/// who may hold it up.
template <class Barriers>
class reads_in_band {
  public:
    explicit reads_in_band(std::uint64_t) noexcept {}

    template <class ProducerSide>
    [[nodiscard]] read_error look(const ProducerSide&, std::uint64_t, std::uint64_t) noexcept {
        return read_error::none;
    }

    /// Everything from `at` to where this lap began; beyond it lie the records of this batch again.
    [[nodiscard]] std::uint64_t available(std::uint64_t at, std::uint64_t tail,
                                          std::uint64_t capacity) const noexcept {
        return capacity - (at - tail);
    }

    [[nodiscard]] std::uint64_t header(const record_area& area, std::uint64_t at) const noexcept {
        return Barriers::load_commit(area.word(at)); // C <- B: the record behind it may be read.
    }

    /// Is there more than was known when the batch ended at `tail`?
    template <class ProducerSide>
    [[nodiscard]] bool more(const ProducerSide&, const record_area& area, std::uint64_t tail) const noexcept {
        return header(area, tail) != 0;
    }

    static constexpr bool zero_is_uncommitted = true;
    /// Producers may be at work anywhere up to head, and none of them looks back.
    static constexpr bool can_resynchronise = false;
    /// Those derived from this that can be slept for hide it, and have `held_up`.
    static constexpr bool tells_held_up = false;
};

} // namespace ringproof::detail
