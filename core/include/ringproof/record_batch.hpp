// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "ringproof/contract.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_ring.hpp"

namespace ringproof {

/// A single-pass range over records in place. A record counts as read when it has been handed out. Always inlined, as
/// reservations are, for the same reason.
template <class Producer, class Barriers, class Full, class Layout, class Wake>
class [[nodiscard]] record_ring<Producer, Barriers, Full, Layout, Wake>::batch {
  public:
    class iterator {
      public:
        using value_type = record;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        [[nodiscard]] record operator*() const noexcept { return batch_->hand_out(); }
        iterator& operator++() noexcept {
            batch_->pass();
            return *this;
        }
        void operator++(int) noexcept { batch_->pass(); }
        [[nodiscard]] bool operator==(std::default_sentinel_t) const noexcept {
            return batch_->header_.size == 0;
        }

      private:
        friend batch;
        explicit iterator(batch& owner) noexcept : batch_(&owner) {}
        batch* batch_;
    };

    batch(const batch&) = delete;
    batch& operator=(const batch&) = delete;

    [[gnu::always_inline]] ~batch() {
        auto& consumer = ring_.consumer_;
        consumer.reading = false;
        consumer.position = done_;
        if (!more() || done_ - consumer.given >= consumer.gather) release();
        if (header_.size == 0 && consumer.error == read_error::none)
            ring_.wake_.drained(ring_.producer_.value, consumer.view, ring_.area_, consumer.position);
    }

    [[nodiscard]] iterator begin() noexcept { return iterator(*this); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    /// What ended the batch, if it was not simply the last record.
    [[nodiscard]] read_error error() const noexcept { return ring_.consumer_.error; }

    /// Gives back what has been handed out so far, at once.
    [[gnu::always_inline]] void release() noexcept {
        auto& consumer = ring_.consumer_;
        consumer.position = done_;
        if (done_ == consumer.given) return;
        consumer.view.scrub(ring_.area_, consumer.given, static_cast<std::size_t>(done_ - consumer.given));
        consumer.given = done_;
        // D -> A: the records before tail have been read (and where needed, zeroed).
        Barriers::release_tail(*consumer.tail, done_);
    }

  private:
    friend record_ring;

    [[gnu::always_inline]] explicit batch(record_ring& ring) noexcept
        : ring_(ring), at_(ring.consumer_.position), done_(ring.consumer_.position) {
        auto& consumer = ring.consumer_;
        RINGPROOF_CONTRACT(!consumer.reading, "a ring has one batch at a time");
        consumer.reading = true;
        consumer.error = consumer.view.look(ring.producer_.value, at_, ring.area_.capacity());
        if (consumer.error == read_error::none) find();
    }

    /// May there be more, as far as was seen, than what has been handed out?
    [[nodiscard]] bool more() const noexcept {
        const auto& consumer = ring_.consumer_;
        return header_.size != 0 &&
               consumer.view.available(done_, consumer.given, ring_.area_.capacity()) != 0;
    }

    /// From `at_` on: the next record that is not padding, or none.
    [[gnu::always_inline]] void find() noexcept {
        auto& consumer = ring_.consumer_;
        for (;;) {
            header_ = {};
            const auto available = consumer.view.available(at_, consumer.given, ring_.area_.capacity());
            if (available == 0) return;
            const std::uint64_t word = consumer.view.header(ring_.area_, at_);
            if (consumer.view.zero_is_uncommitted && word == 0) return;
            const auto header =
                std::bit_cast<record_header>(word); // one load: what is checked is what is used
            consumer.error = detail::check(header, available);
            if (consumer.error != read_error::none) return;
            if (header.type != record_type::padding) {
                header_ = header;
                return;
            }
            at_ += header.size;
            done_ = at_;
        }
    }

    [[nodiscard]] record hand_out() noexcept {
        RINGPROOF_CONTRACT(header_.size != 0, "there is no record at the end of a batch");
        done_ = at_ + header_.size;
        if constexpr (requires { ring_.consumer_.view.fetch_ahead(ring_.area_, at_); })
            ring_.consumer_.view.fetch_ahead(ring_.area_, at_);
        const auto run = ring_.area_.bytes(at_ + detail::header_size,
                                           header_.size - detail::header_size - detail::filling(header_));
        return {header_, {run.first, run.second}};
    }

    void pass() noexcept {
        at_ += header_.size;
        done_ = at_;
        find();
    }

    record_ring& ring_;
    std::uint64_t at_;       ///< where the current record begins
    std::uint64_t done_;     ///< up to here it has been handed out or passed over
    record_header header_{}; ///< of the current record, checked; size 0 when there is none
};

} // namespace ringproof
