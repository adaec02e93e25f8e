// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "ringproof/capacity.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"

namespace ringproof::detail {

/// The consumer of a ring whose head says how far records are complete: `single`, `nested`, the kernel's.
template <class Barriers>
class reads_to_head {
  public:
    explicit reads_to_head(std::uint64_t start) noexcept : known_head_(start) {}

    /// A batch begins at `tail`.
    template <class ProducerSide>
    [[nodiscard]] read_error look(const ProducerSide& producer, std::uint64_t tail,
                                  std::uint64_t capacity) noexcept {
        if (known_head_ != tail) return read_error::none; // Something is left of what was seen last time.
        // C <- B: the records before head may be read.
        const std::uint64_t head = Barriers::load_head(producer.head());
        if (head - tail > capacity) return read_error::head_out_of_range;
        known_head_ = head;
        return read_error::none;
    }

    /// How many bytes from `at` on can be records.
    [[nodiscard]] std::uint64_t available(std::uint64_t at, std::uint64_t, std::uint64_t) const noexcept {
        return known_head_ - at;
    }

    /// The header of the record at `at`, within what is available. Atomic, so that it is loaded once: whoever shares the
    /// memory and changes it under the reader's eyes does not come in between its check and its use.
    [[nodiscard]] std::uint64_t header(const record_area& area, std::uint64_t at) const noexcept {
        return Barriers::get_word(area.word(at));
    }

    /// While the record at `at` is used. What is complete comes from the producer's cache, and where the next record
    /// begins is known only from this one: without this the consumer waits for each line.
    void fetch_ahead(const record_area& area, std::uint64_t at) const noexcept {
        if (known_head_ - at > look_ahead) area.fetch(at + look_ahead);
    }

    /// Before [from, from + size) is given back.
    void scrub(const record_area& area, std::uint64_t from, std::size_t size) const noexcept {
        // A few lines are dearer to take than to leave: the stores wait for them before the next record's. What somebody
        // else made is not written to.
        if (size > 2 * detail::cache_line && !area.left_alone()) area.take_over(from, size);
    }

    /// Is there more than was known when the batch ended at `tail`?
    template <class ProducerSide>
    [[nodiscard]] bool more(const ProducerSide& producer, const record_area&,
                            std::uint64_t tail) const noexcept {
        return Barriers::load_head(producer.head()) != tail; // C <- B
    }

    /// Head never passes a record that is not complete: nobody can hold the reader up.
    template <class ProducerSide>
    [[nodiscard]] bool held_up(const ProducerSide&, std::uint64_t) const noexcept {
        return false;
    }

    /// After an error: where good records can begin again, which is head. @return a multiple of 8
    template <class ProducerSide>
    [[nodiscard]] std::uint64_t resynchronise(const ProducerSide& producer) noexcept {
        known_head_ = Barriers::load_head(producer.head()) / 8 * 8; // C <- B
        return known_head_;
    }

    static constexpr bool zero_is_uncommitted = false;
    static constexpr bool can_resynchronise = true;
    static constexpr bool tells_held_up = true;

  private:
    static constexpr std::uint64_t look_ahead = 1024; ///< bytes

    std::uint64_t known_head_;
};

} // namespace ringproof::detail
