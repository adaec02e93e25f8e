// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/record_ring.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/full/refuse.hpp"
#include "ringproof/layout/padded.hpp"
#include "ringproof/producer/nested.hpp"
#include "ringproof/producer/shared.hpp"
#include "ringproof/producer/single.hpp"
#include "ringproof/producer/single_in_band.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/ring_memory.hpp"
#include "ringproof/wake/silent.hpp"

namespace ringproof {

/// What a ring is made with, apart from its memory.
struct ring_options {
    std::uint64_t start = 0; ///< first position, a multiple of 8; tests begin near the wrap at 2^64
    std::uint64_t id = 0;    ///< what LOST records call the ring; with `one_cpu` the number of its CPU
    std::size_t watermark =
        0; ///< bytes after which the consumer is woken; 0: half the capacity, which is the most
    /// Bytes that gather before what is read a few records at a time is given back; at most a sixteenth of the
    /// capacity, and 0 where others look at tail (perf's layout, between processes). What is read to its end is given
    /// back at once.
    std::size_t give_back = 8192;
    /// Does the consumer store a word into each line that it gives back, if it gives back more than a few? The producer
    /// gets such a line back at once on some processors, and later on others: `ringproof bench --recommend` tells.
    /// Memory that others have made a ring in is never stored into.
    bool take_over = true;
};

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
/// @tparam Producer who writes: `single` (one thread; also `single_in_band` for the least latency and
///         `single_batched<>` for the most throughput), `nested` (one thread and its signal handlers), `shared`
///         (many threads) or `robust` (many processes, any of which may be killed); what each promises about
///         progress stands there
/// @tparam Barriers how A to D are made: barriers.hpp
/// @tparam Full what happens when it is full: `refuse` (counted) or `keep_oldest` (also told in band, as in perf);
///         for `keep_newest` see recorder.hpp
/// @tparam Layout where the positions are: `padded` or `perf_abi`
/// @tparam Wake how the consumer is woken: `silent`, `futex_wakeup` or `descriptor_wakeup`
/// What each has to provide: concepts.hpp. What does not, or does not go together, is refused with the reason.
/// @par Threads
/// Producers' functions: see Producer. Consumer's functions: one thread at a time. The rest: anybody.
/// No function but the constructor and destructor allocates or calls the system, and none throws (apart
/// from what `consume` is given).
/// @par Trust
/// The consumer checks head and every size before it uses them. From the first that is wrong on it reads
/// nothing, and `error()` says what it met; `resynchronise()` goes on from head, and counts.
/// @par Verified by
/// verify/scenarios/ring/record_ring.cpp
///
/// After kernel/events/ring_buffer.c of Linux.
template <class Producer = single, class Barriers = acquire_release, class Full = refuse,
          class Layout = padded, class Wake = silent>
class record_ring {
    using producer_type = typename Producer::template producer_side<Barriers, Layout>;
    using view_type = typename Producer::template consumer_side<Barriers>;

  public:
    using producer = Producer;
    using barriers = Barriers;
    using layout = Layout;
    class reservation;
    class batch;

    /// What it can do, for those who use it whatever it is made of.
    static constexpr bool wakes = Wake::wakes;
    static constexpr bool has_descriptor = Wake::has_descriptor;
    static constexpr bool batches = Producer::batches;
    static constexpr bool can_resynchronise = view_type::can_resynchronise;
    static constexpr bool recovers = Producer::marks_crashes;

    /// @param capacity bytes, a power of two, at least 64
    /// @param start first position, a multiple of 8; tests begin near the wrap at 2^64
    /// @throws std::invalid_argument, with the reason
    explicit record_ring(std::size_t capacity, std::uint64_t start = 0)
        : record_ring(ring_memory::heap(capacity), {start, 0, 0}) {}

    /// @param memory where the ring lives; the ring keeps it. In memory that somebody else has made a ring in, this
    ///        is that ring's other side; that `single` and `nested` have one producer there is the callers' to see to
    /// @param options first position, identity, and how late room may be given back
    /// @throws std::invalid_argument, with the reason; what the wake-up's system calls throw
    explicit record_ring(ring_memory memory, ring_options options = {})
        : record_ring(std::move(memory), options, 0) {}

    record_ring(const record_ring&) = delete;
    record_ring& operator=(const record_ring&) = delete;

    /// All that came from it has ended: batches, and reservations.
    ~record_ring() {
        RINGPROOF_CONTRACT(!consumer_.reading, "a ring goes while a batch of it is open");
        if constexpr (Producer::tells_open)
            RINGPROOF_CONTRACT(!producer_.value.open(), "a ring goes while a reservation is open");
    }

    // ---- producers -----------------------------------------------------------------------------

    /// Reserves room for `payload` bytes. A refused reservation is `false` and says `why()`; a record that is
    /// refused is lost and counted.
    [[nodiscard, gnu::always_inline]] reservation begin(std::size_t payload, record_tag tag = {}) noexcept {
        reservation result = try_begin(payload, tag);
        if (!result && result.why() != refusal::elsewhere) producer_.value.count_lost();
        return result;
    }

    /// The same for a caller who will try again: a refusal is not counted.
    [[nodiscard, gnu::always_inline]] reservation try_begin(std::size_t payload,
                                                            record_tag tag = {}) noexcept {
        if (payload > max_payload()) return reservation(refusal::too_large);
        if ((tag.misc & detail::filling_mask) != 0 || tag.type == record_type::padding)
            return reservation(refusal::reserved_misc);
        if constexpr (Producer::marks_crashes)
            if (Producer::takes_type(tag.type)) return reservation(refusal::reserved_misc);
        std::uint64_t at = 0;
        auto& side = producer_.value;
        if constexpr (Full::can_pause)
            if (Barriers::stat(side.paused()) != 0) return reservation(refusal::paused);
        const std::size_t report = Full::wanted(side);
        const std::size_t size = report + detail::record_size(payload);
        const refusal answer = side.reserve(at, size, area_.capacity(), *consumer_.tail);
        if (answer == refusal::full) wake_.refused(side.refused());
        if (answer != refusal::none) return reservation(answer);
        if constexpr (Producer::marks_crashes) side.mark(area_, at);
        wake_.reserved(at + size);
        if (report != 0) Full::report(side, area_, at, id_);
        return reservation(*this, at + report, payload, tag);
    }

    /// Writes one record; refused, it is lost and counted. @return whether it was written
    bool write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
        return fill(begin(payload.size(), tag), payload);
    }

    /// The same for a caller who will try again.
    [[nodiscard]] bool try_write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
        return fill(try_begin(payload.size(), tag), payload);
    }

    /// Hands over what has gathered. Producer only; nothing to do where every record is handed over at once.
    void flush() noexcept {
        if constexpr (Producer::batches) wake_.flushed(producer_.value.flush());
    }

    // ---- consumer ------------------------------------------------------------------------------

    /// The records that are there now, in place. When the batch is destroyed, those that were handed out are
    /// given back by one store. When the loop ended by `break` or an exception, they have been read as well, but their
    /// room may come back later: with ring_options::give_back bytes, with the last record, or by `batch::release()`.
    [[nodiscard]] batch read() noexcept { return batch(*this); }

    /// Calls `use(record)` for up to `most` records; those before the last are given back as by `break`. @return how many
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

    /// After an error: goes on where head says that good records begin again. What lies before is skipped, and
    /// counted in `skipped_bytes()`. No batch may be open.
    /// @return how many bytes were skipped
    std::uint64_t resynchronise() noexcept requires(can_resynchronise) {
        RINGPROOF_CONTRACT(!consumer_.reading, "a ring is not resynchronised within a batch");
        const std::uint64_t to = consumer_.view.resynchronise(producer_.value);
        const std::uint64_t skipped = to - consumer_.position;
        consumer_.position = consumer_.given = to;
        consumer_.error = read_error::none;
        consumer_.skipped += skipped;
        Barriers::release_tail(*consumer_.tail, to); // D -> A: what lies before has been given up.
        return skipped;
    }

    /// Turns what dead producers have left unfinished into padding and counts it as lost. Between batches, when the
    /// consumer gets no further.
    auto recover() noexcept requires(recovers) {
        RINGPROOF_CONTRACT(!consumer_.reading, "a ring is not recovered within a batch");
        return producer_.value.recover(area_, consumer_.position);
    }

    /// Bytes that were given up by `resynchronise`. Consumer only.
    [[nodiscard]] std::uint64_t skipped_bytes() const noexcept { return consumer_.skipped; }

    /// Sleeps until the ring is `ready()`. Consumer only.
    void wait() noexcept requires(Wake::wakes) { wake_.wait(); }

    // ---- anybody -------------------------------------------------------------------------------

    /// A watermark has been crossed, or a producer refused, and the consumer has not found the ring empty since.
    [[nodiscard]] bool ready() const noexcept requires(Wake::wakes) { return wake_.ready(); }

    /// Makes the ring `ready()`, whatever is in it: the end of a stream, or data that can't wait.
    void wake() noexcept requires(Wake::wakes) { wake_.raise(); }

    /// Readable as long as the ring is `ready()`; for poll and epoll only.
    [[nodiscard]] int descriptor() const noexcept requires(Wake::has_descriptor) {
        return wake_.sink().descriptor();
    }

    /// From now on every record is refused, and counted as lost. A producer that has looked before goes on.
    void pause() noexcept requires(Full::can_pause) {
        Barriers::set_own(producer_.value.paused(), std::uint64_t{1});
    }

    void resume() noexcept requires(Full::can_pause) {
        Barriers::set_own(producer_.value.paused(), std::uint64_t{0});
    }

    /// How many of the lost no LOST record has told of yet; exact when all sides rest.
    [[nodiscard]] std::uint64_t unreported() const noexcept requires(Full::report_size != 0) {
        return producer_.value.unreported();
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return area_.capacity(); }

    [[nodiscard]] const ring_memory& memory() const noexcept { return area_.memory(); }

    /// The largest payload that can ever fit.
    [[nodiscard]] std::size_t max_payload() const noexcept {
        return std::min(area_.capacity() - Producer::keeps_free - Full::report_size, detail::largest_record) -
               detail::header_size;
    }

    /// How many records were refused by `begin` and `write`.
    [[nodiscard]] std::uint64_t lost() const noexcept { return Barriers::stat(producer_.value.lost()); }

    /// A number of bytes (headers included) the ring may have held, what is read and not given back among them; exact
    /// when all sides rest.
    [[nodiscard]] std::size_t size_guess() const noexcept {
        const std::uint64_t tail = Barriers::stat(*consumer_.tail);
        const std::uint64_t size = Barriers::stat(producer_.value.head()) - tail;
        return size < capacity() ? static_cast<std::size_t>(size) : capacity();
    }

    /// The position up to which room has been reserved or, with `single` and `nested`, published. Orders nothing.
    [[nodiscard]] std::uint64_t head_guess() const noexcept { return Barriers::stat(producer_.value.head()); }

    /// Have the records before a position, such as an earlier `head_guess()`, been read? Consumer only.
    [[nodiscard]] bool has_read(std::uint64_t before) const noexcept {
        return static_cast<std::int64_t>(consumer_.position - before) >= 0;
    }

  private:
    using positions = typename Layout::positions;

    // Layout::begin looks at the memory before anything else does, and may refuse it.
    record_ring(ring_memory&& memory, const ring_options& options, int)
        : record_ring(checked(Layout::begin(memory, checked_start(options.start))), std::move(memory),
                      options) {}
    record_ring(positions first, ring_memory&& memory, const ring_options& options)
        : area_(std::move(memory), options.take_over), id_(options.id),
          producer_(first.head, &area_.memory()), consumer_(first.tail, &area_.memory(), gathered(options)),
          wake_(area_.capacity(), first.head, options.watermark) {
        if constexpr (Producer::belongs_to_cpu) producer_.value.belongs_to(options.id);
    }

    /// A producer would write its headers there.
    static positions checked(positions there) {
        if (there.head % 8 != 0)
            throw std::invalid_argument("the control page's head is not a multiple of 8");
        return there;
    }
    static std::uint64_t checked_start(std::uint64_t start) {
        if (start % 8 != 0) throw std::invalid_argument("the start of a record ring must be a multiple of 8");
        return start;
    }

    [[nodiscard]] std::size_t gathered(const ring_options& options) const noexcept {
        return Layout::has_page || Layout::many_processes
                   ? 0
                   : std::min(options.give_back, area_.capacity() / 16);
    }

    static bool fill(reservation&& room, std::span<const std::byte> payload) noexcept {
        if (!room) return false;
        room.ring_->area_.copy_in(room.at_ + detail::header_size, payload);
        room.commit();
        return true;
    }

    struct alignas(line_pair) producing {
        producing(std::uint64_t start, const ring_memory* memory) : value(start, memory) {}
        producer_type value;
    };

    struct alignas(line_pair) consuming {
        consuming(std::uint64_t start, const ring_memory* memory, std::size_t bytes) noexcept
            : tail(start, memory), position(start), given(start), gather(bytes), view(start) {}
        typename Layout::template word<shared_word::tail> tail;
        alignas(line_pair) std::uint64_t position; ///< up to where records have been read
        std::uint64_t given;                       ///< tail, without an atomic access
        std::size_t gather;                        ///< so many bytes are given back at once
        view_type view;
        read_error error = read_error::none;
        bool reading = false;
        std::uint64_t skipped = 0;
    };

    alignas(line_pair) detail::record_area area_; ///< where the data is; written by nobody after construction
    std::uint64_t id_;
    producing producer_; ///< written by the producers
    consuming consumer_; ///< written by the consumer
    [[no_unique_address]] typename Wake::template state<Barriers, Producer> wake_;
};

/// Refused: the sentence says why. What is derived from keeps the compiler from complaining of anything else.
template <class Producer, class Barriers, class Full, class Layout, class Wake>
requires(!sound_record_ring<Producer, Barriers, Full, Layout, Wake>) class record_ring<Producer, Barriers,
                                                                                       Full, Layout, Wake>
    : public record_ring<single, acquire_release, keep_oldest> {
    static_assert(detail::explain_record_ring<Producer, Barriers, Full, Layout, Wake>());

  public:
    using record_ring<single, acquire_release, keep_oldest>::record_ring;
};

/// Room for one record. It is published by `commit()` or by its end, and given up by `discard()`.
/// Bytes that are not written keep whatever was there before.
///
/// What makes, commits and ends it is always inlined: then it lives in registers, and a size that is constant makes the
/// header one. Left to the compiler, `commit()` and the end are two copies of the same and become a call, for which the
/// reservation is stored and loaded again between the payload and head.
template <class Producer, class Barriers, class Full, class Layout, class Wake>
class [[nodiscard]] record_ring<Producer, Barriers, Full, Layout, Wake>::reservation {
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

    [[gnu::always_inline]] ~reservation() { commit(); }

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

    [[gnu::always_inline]] void commit() noexcept {
        auto* const ring = std::exchange(ring_, nullptr);
        if (ring == nullptr) return;
        const std::size_t size = detail::record_size(payload_);
        const bool all =
            ring->producer_.value.commit(ring->area_, at_, detail::header_word(tag_, payload_), size);
        ring->wake_.published(all, at_, at_ + size);
    }

    /// The record will not be delivered.
    void discard() noexcept {
        auto* const ring = std::exchange(ring_, nullptr);
        if (ring == nullptr) return;
        const std::size_t size = detail::record_size(payload_);
        const bool all = ring->producer_.value.discard(ring->area_, at_, size);
        ring->wake_.published(all, at_, at_ + size);
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

} // namespace ringproof

#include "ringproof/record_batch.hpp" // IWYU pragma: export
