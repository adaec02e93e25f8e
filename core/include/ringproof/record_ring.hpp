// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/producer/shared.hpp"
#include "ringproof/producer/single.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"

namespace ringproof {

/// A ring of records of any size, filled and read in place, in perf's record format. When it is full the
/// oldest records stay and the new one is refused.
///
///     if (auto r = ring.begin(size)) {                       for (auto record : ring.read())
///         fill(r.bytes());         // one or two spans           use(record.bytes());
///         r.commit();              // or r.discard()         // the batch ends: one store gives it all back
///     }
///
/// Positions count bytes, are 64 bits wide, run freely and may wrap; all of the capacity can be in use.
///
/// @tparam Producer who writes: `single` (one thread) or `shared` (many); what each promises about progress
///         stands there
/// @par Threads
/// Producers' functions: see Producer. Consumer's functions: one thread at a time. The rest: anybody.
/// No function but the constructor and destructor allocates or calls the system, and none throws (apart
/// from what `consume` is given).
/// @par Trust
/// The consumer checks head and every size before it uses them. From the first that is wrong on it reads
/// nothing, and `error()` says what it met.
/// @par Verified by
/// verify/scenarios/ring/record_ring.cpp
///
/// After kernel/events/ring_buffer.c of Linux.
template <class Producer = single, class Barriers = acquire_release>
class record_ring {
  public:
    using producer = Producer;
    using barriers = Barriers;
    class reservation;
    class batch;

    /// @param capacity bytes, a power of two, at least 64
    /// @param start first position, a multiple of 8; tests begin near the wrap at 2^64
    /// @throws std::invalid_argument, with the reason
    explicit record_ring(std::size_t capacity, std::uint64_t start = 0)
        : area_(detail::checked_capacity(capacity, 64, 1, "bytes")), producer_(checked_start(start)),
          consumer_(start) {}

    record_ring(const record_ring&) = delete;
    record_ring& operator=(const record_ring&) = delete;

    // ---- producers -----------------------------------------------------------------------------

    /// Reserves room for `payload` bytes. A refused reservation is `false` and says `why()`; a record that is
    /// refused is lost and counted.
    [[nodiscard]] reservation begin(std::size_t payload, record_tag tag = {}) noexcept {
        reservation result = try_begin(payload, tag);
        if (!result) producer_.value.count_lost();
        return result;
    }

    /// The same for a caller who will try again: a refusal is not counted.
    [[nodiscard]] reservation try_begin(std::size_t payload, record_tag tag = {}) noexcept {
        if (payload > max_payload()) return reservation(refusal::too_large);
        if ((tag.misc & detail::filling_mask) != 0 || tag.type == record_type::padding)
            return reservation(refusal::reserved_misc);
        std::uint64_t at = 0;
        const refusal answer =
            producer_.value.reserve(at, detail::record_size(payload), area_.capacity(), consumer_.tail);
        if (answer != refusal::none) return reservation(answer);
        return reservation(*this, at, payload, tag);
    }

    /// Writes one record; refused, it is lost and counted. @return whether it was written
    bool write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
        return fill(begin(payload.size(), tag), payload);
    }

    /// The same for a caller who will try again.
    [[nodiscard]] bool try_write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
        return fill(try_begin(payload.size(), tag), payload);
    }

    // ---- consumer ------------------------------------------------------------------------------

    /// The records that are there now, in place. When the batch is destroyed, those that were handed out are
    /// given back by one store; also when the loop ended by `break` or an exception.
    [[nodiscard]] batch read() noexcept { return batch(*this); }

    /// Calls `use(record)` for up to `most` records. @return how many
    template <class Use>
    std::size_t consume(Use&& use, std::size_t most = std::numeric_limits<std::size_t>::max()) {
        std::size_t count = 0;
        if (most == 0) return count;
        for (auto one : read()) {
            use(one);
            if (++count == most) break;
        }
        return count;
    }

    /// What the last batch found wrong.
    [[nodiscard]] read_error error() const noexcept { return consumer_.error; }

    // ---- anybody -------------------------------------------------------------------------------

    [[nodiscard]] std::size_t capacity() const noexcept { return area_.capacity(); }

    /// The largest payload that can ever fit.
    [[nodiscard]] std::size_t max_payload() const noexcept {
        return std::min(area_.capacity(), detail::largest_record) - detail::header_size;
    }

    /// How many records were refused by `begin` and `write`.
    [[nodiscard]] std::uint64_t lost() const noexcept { return Barriers::stat(producer_.value.lost()); }

    /// A number of bytes (headers included) the ring may have held; exact when all sides rest.
    [[nodiscard]] std::size_t size_guess() const noexcept {
        const std::uint64_t tail = Barriers::stat(consumer_.tail);
        const std::uint64_t size = Barriers::stat(producer_.value.head()) - tail;
        return size < capacity() ? static_cast<std::size_t>(size) : capacity();
    }

  private:
    static std::uint64_t checked_start(std::uint64_t start) {
        if (start % 8 != 0) throw std::invalid_argument("a record ring starts at a multiple of 8");
        return start;
    }

    static bool fill(reservation&& room, std::span<const std::byte> payload) noexcept {
        if (!room) return false;
        room.ring_->area_.copy_in(room.at_ + detail::header_size, payload);
        room.commit();
        return true;
    }

    struct alignas(line_pair) producing {
        explicit producing(std::uint64_t start) noexcept : value(start) {}
        typename Producer::template producer_side<Barriers> value;
    };

    struct alignas(line_pair) consuming {
        explicit consuming(std::uint64_t start) noexcept : tail(start), position(start), view(start) {}
        std::atomic<std::uint64_t> tail;
        std::uint64_t position; ///< tail, without an atomic access
        typename Producer::template consumer_side<Barriers> view;
        read_error error = read_error::none;
        bool reading = false;
    };

    alignas(line_pair) detail::record_area area_; ///< where the data is; written by nobody after construction
    producing producer_;                          ///< written by the producers
    consuming consumer_;                          ///< written by the consumer
};

/// Room for one record. It is published by `commit()` or by its end, and given up by `discard()`.
/// Bytes that are not written keep whatever was there before.
template <class Producer, class Barriers>
class [[nodiscard]] record_ring<Producer, Barriers>::reservation {
  public:
    reservation(reservation&& other) noexcept
        : ring_(std::exchange(other.ring_, nullptr)), at_(other.at_), payload_(other.payload_),
          tag_(other.tag_), why_(other.why_) {}

    reservation& operator=(reservation&& other) noexcept {
        if (this != &other) {
            commit();
            ring_ = std::exchange(other.ring_, nullptr);
            at_ = other.at_, payload_ = other.payload_, tag_ = other.tag_, why_ = other.why_;
        }
        return *this;
    }

    ~reservation() { commit(); }

    /// Is there room, neither committed nor discarded yet?
    [[nodiscard]] explicit operator bool() const noexcept { return ring_ != nullptr; }

    [[nodiscard]] refusal why() const noexcept { return why_; }
    [[nodiscard]] std::size_t size() const noexcept { return ring_ == nullptr ? 0 : payload_; }

    /// Where the payload goes: one span, or two when it goes around the end of the ring.
    [[nodiscard]] ring_bytes<std::byte> bytes() const noexcept {
        if (ring_ == nullptr) return {};
        return ring_->area_.bytes(at_ + detail::header_size, payload_);
    }

    /// Copies `from` into the payload at `offset`, never beyond its end. @return how many bytes
    std::size_t copy_from(std::span<const std::byte> from, std::size_t offset = 0) const noexcept {
        if (offset >= size()) return 0;
        from = from.first(std::min(from.size(), payload_ - offset));
        ring_->area_.copy_in(at_ + detail::header_size + offset, from);
        return from.size();
    }

    void commit() noexcept {
        if (auto* const ring = std::exchange(ring_, nullptr))
            ring->producer_.value.commit(ring->area_, at_, detail::header_word(tag_, payload_),
                                         detail::record_size(payload_));
    }

    /// The record will not be delivered.
    void discard() noexcept {
        if (auto* const ring = std::exchange(ring_, nullptr))
            ring->producer_.value.discard(ring->area_, at_, detail::record_size(payload_));
    }

  private:
    friend record_ring;

    explicit reservation(refusal why) noexcept : why_(why) {}
    reservation(record_ring& ring, std::uint64_t at, std::size_t payload, record_tag tag) noexcept
        : ring_(&ring), at_(at), payload_(payload), tag_(tag) {}

    record_ring* ring_ = nullptr;
    std::uint64_t at_ = 0;
    std::size_t payload_ = 0;
    record_tag tag_;
    refusal why_ = refusal::none;
};

/// A single-pass range over records in place. A record counts as read when it has been handed out.
template <class Producer, class Barriers>
class [[nodiscard]] record_ring<Producer, Barriers>::batch {
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

    ~batch() {
        release();
        ring_.consumer_.reading = false;
    }

    [[nodiscard]] iterator begin() noexcept { return iterator(*this); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    /// What ended the batch, if it was not simply the last record.
    [[nodiscard]] read_error error() const noexcept { return ring_.consumer_.error; }

    /// Gives back what has been handed out so far, at once.
    void release() noexcept {
        auto& consumer = ring_.consumer_;
        if (done_ == consumer.position) return;
        consumer.view.scrub(ring_.area_, consumer.position,
                            static_cast<std::size_t>(done_ - consumer.position));
        consumer.position = done_;
        // D -> A: the records before tail have been read (and where needed, zeroed).
        Barriers::release_tail(consumer.tail, done_);
    }

  private:
    friend record_ring;

    explicit batch(record_ring& ring) noexcept
        : ring_(ring), at_(ring.consumer_.position), done_(ring.consumer_.position) {
        auto& consumer = ring.consumer_;
        RINGPROOF_CONTRACT(!consumer.reading, "a ring has one batch at a time");
        consumer.reading = true;
        consumer.error = consumer.view.look(ring.producer_.value, at_, ring.area_.capacity());
        if (consumer.error == read_error::none) find();
    }

    /// From `at_` on: the next record that is not padding, or none.
    void find() noexcept {
        auto& consumer = ring_.consumer_;
        for (;;) {
            header_ = {};
            const auto available = consumer.view.available(at_, consumer.position, ring_.area_.capacity());
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
        done_ = at_ + header_.size;
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
