// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

#include "ringproof/aux/aux_record.hpp"
#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/trace.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Why an AUX transaction was not begun.
enum class aux_refusal : std::uint8_t {
    none,
    open,    ///< there is one already: they don't nest
    no_room, ///< the consumer has to read first; the source has stopped
    stopped, ///< it was stopped before, and the consumer has not restarted it
};

/// What an AUX area is made with, apart from its memory.
struct aux_options {
    std::uint64_t start = 0; ///< first position, of any alignment; tests begin near the wrap at 2^64
    std::uint64_t watermark =
        0; ///< bytes after which the consumer is woken; 0: half the capacity, which is the most
    /// The consumer is in another process and can call nothing here: a stopped source goes on when aux_tail has moved since,
    /// or nothing is left to be read.
    bool restart_by_tail = false;
};

/// The area for bulk trace beside a record ring, perf's AUX area in its normal mode: a source writes opaque bytes
/// here, and small AUX records in the ring say which bytes appeared and what is wrong with them.
///
///     source (the thread that writes the ring)          consumer
///     if (auto t = aux.begin()) {                       for (auto record : ring.read()) …     // first the ring
///         t.append(bytes);   // never beyond t.room()   if (auto chunk = aux.read())          // then the area
///         t.commit();        // AUX record, head (B)        use(chunk.offset(), chunk.bytes());
///     }                                                 // the chunk ends: tail (D), the source goes on
///
/// Positions count bytes, are 64 bits wide and run freely. One byte of the area stays free, as in perf.
///
/// **No room.** A source that finds no room, or that commits with `truncated`, stops: `begin` refuses until the
/// consumer has restarted it, which the end of a chunk does, an empty one too. The stop is told by a wake-up after it
/// has been stored, so a consumer that drains the ring, which lowers the flag, and then reads the area can't miss it.
///
/// **The AUX record comes first**, head after it: a consumer may meet a record whose bytes it doesn't see yet. When
/// the ring is full the record is lost and counted there, but the bytes are delivered: they are found by position.
///
/// @tparam Ring the record_ring beside it, whose barriers, layout and wake-up it shares
/// @par Progress
/// Wait-free on both sides.
/// @par Trust
/// A tail that can't be is no room; a head that can't be is an `error()`, and nothing is read.
/// @par Verified by
/// verify/scenarios/ring/aux_area.cpp
///
/// After perf_aux_output_begin, _end and _skip in kernel/events/ring_buffer.c of Linux.
template <class Ring>
class aux_area {
    static_assert(ring_beside_trace<Ring> || detail::explain_ring_beside_trace<Ring>());

  public:
    using barriers = typename Ring::barriers;
    using layout = typename Ring::layout;
    class transaction;
    class chunk;

    /// @param ring must outlive this
    /// @param memory of the area; its control page, if it has one, is not used
    /// @param options first position, when the consumer is woken, and how a stopped source restarts
    /// @throws std::invalid_argument, with the reason
    aux_area(Ring& ring, ring_memory memory, aux_options options = {})
        : area_(std::move(memory)), ring_(&ring),
          source_(first(ring, options, area_.capacity()).head, &ring.memory()),
          reader_(first(ring, options, area_.capacity()).tail, &ring.memory()),
          watermark_(watermark(options.watermark, area_.capacity())), wakeup_(source_.position),
          by_tail_(options.restart_by_tail) {}

    /// An area on the heap.
    /// @param ring must outlive this
    /// @param capacity bytes, a power of two, at least 64
    /// @param options first position, when the consumer is woken, and how a stopped source restarts
    aux_area(Ring& ring, std::size_t capacity, aux_options options = {})
        : aux_area(ring, ring_memory::heap(capacity), options) {}

    aux_area(const aux_area&) = delete;
    aux_area& operator=(const aux_area&) = delete;

    ~aux_area() {
        RINGPROOF_CONTRACT(!source_.open, "an AUX area goes while a transaction is open");
        RINGPROOF_CONTRACT(!reader_.reading, "an AUX area goes while a chunk of it is being read");
    }

    // ---- the source ----------------------------------------------------------------------------

    /// Asks for room: as much as there is. @return false, and `why()`, when there is none
    [[nodiscard]] transaction begin() noexcept {
        if (source_.open) return transaction(aux_refusal::open);
        // With the restart comes the tail that it was for.
        if (barriers::raised(state_) == stopped && !restarted_by_tail())
            return transaction(aux_refusal::stopped);
        const std::uint64_t room = free_bytes();
        if (room == 0) {
            // With it comes head to a consumer that restarts: else it might do so for nothing, again and again.
            barriers::raise(state_, stopped);
            wake();
            return transaction(aux_refusal::no_room);
        }
        source_.open = true;
        return transaction(*this, room);
    }

    /// Sleeps while the source is stopped. With `restart_by_tail` it looks every 50 microseconds.
    void wait_for_restart() {
        while (barriers::raised(state_) == stopped) {
            if (!by_tail_)
                barriers::sleep_while(state_, stopped);
            else if (!restarted_by_tail())
                std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }

    // ---- consumer ------------------------------------------------------------------------------

    /// The bytes that are there now, at most `most`, in place. To be called after the ring has been drained, so that
    /// no wake-up is lost. Also an empty chunk restarts a stopped source when it ends.
    [[nodiscard]] chunk read(std::size_t most = std::numeric_limits<std::size_t>::max()) noexcept {
        RINGPROOF_CONTRACT(!reader_.reading, "an AUX area is read by one chunk at a time");
        // C <- B: the bytes before head are complete.
        const std::uint64_t size = barriers::load_head(*source_.head) - reader_.position;
        reader_.error = size > area_.capacity() ? read_error::head_out_of_range : read_error::none;
        reader_.reading = true;
        return chunk(*this, reader_.error == read_error::none
                                ? static_cast<std::size_t>(std::min<std::uint64_t>(size, most))
                                : 0);
    }

    /// What the last `read` found wrong.
    [[nodiscard]] read_error error() const noexcept { return reader_.error; }

    // ---- anybody -------------------------------------------------------------------------------

    /// Lets a stopped source go on, on behalf of a consumer that is another process and has stored aux_tail there; the
    /// end of a chunk does it by itself, and `restart_by_tail` makes it needless. What PERF_EVENT_IOC_ENABLE is to the
    /// kernel's.
    void restart() noexcept {
        if (barriers::stat(state_) != stopped) return;
        barriers::raise(state_, running);
        state_.notify_all();
    }

    /// Has the source stopped, for want of room or because it dropped something?
    [[nodiscard]] bool is_stopped() const noexcept { return barriers::stat(state_) == stopped; }

    [[nodiscard]] std::size_t capacity() const noexcept { return area_.capacity(); }
    [[nodiscard]] std::uint64_t watermark() const noexcept { return watermark_; }
    [[nodiscard]] const ring_memory& memory() const noexcept { return area_.memory(); }

  private:
    enum state : std::uint32_t { running, stopped };
    using positions = typename layout::positions;

    static positions first(const Ring& ring, const aux_options& options, std::uint64_t capacity) {
        return layout::begin_aux(ring.memory(), options.start, capacity);
    }

    static std::uint64_t watermark(std::uint64_t wanted, std::size_t capacity) noexcept {
        return wanted == 0 ? capacity / 2 : std::min<std::uint64_t>(wanted, capacity / 2);
    }

    [[nodiscard]] std::uint64_t free_bytes() noexcept {
        // A <- D: licence to overwrite the bytes before tail.
        const std::uint64_t tail = source_.tail_seen = barriers::load_tail(*reader_.tail);
        if (source_.position - tail >= area_.capacity()) return 0;
        return (tail - (source_.position + 1)) & (area_.capacity() - 1);
    }

    /// Is a stop over because the consumer has read? What it had read when room was last asked for does not count.
    bool restarted_by_tail() noexcept {
        if (!by_tail_) return false;
        const std::uint64_t tail = barriers::load_tail(*reader_.tail); // A <- D
        if (tail == source_.tail_seen && tail != source_.position) return false;
        restart();
        return true;
    }

    /// The bytes up to `head` are complete. @return whether the consumer is to be woken
    bool publish(std::uint64_t head) noexcept {
        source_.position = head;
        barriers::publish_head(*source_.head, head); // B -> C
        if (head - wakeup_ < watermark_) return false;
        // Down to a multiple, not one watermark on: a stamp that lags behind a large transaction would make every
        // small one after it wake.
        wakeup_ = head - head % watermark_;
        return true;
    }

    void finish(std::uint64_t size, std::uint64_t flags) noexcept {
        const aux_record told{source_.position, size, flags & ~aux_flag::overwrite};
        if (detail::worth_telling(told))
            ring_->write(std::as_bytes(std::span(&told, 1)), {record_type::aux, 0});
        const bool crossed = publish(source_.position + size);
        const bool truncated = (flags & aux_flag::truncated) != 0;
        if (truncated) barriers::raise(state_, stopped);
        source_.open = false;
        if (crossed || truncated) wake();
    }

    void wake() noexcept {
        if constexpr (Ring::wakes) ring_->wake();
    }

    void give_back(std::size_t size) noexcept {
        if (size != 0) {
            reader_.position += size;
            barriers::release_tail(*reader_.tail, reader_.position); // D -> A
        }
        reader_.reading = false;
        restart();
    }

    struct alignas(line_pair) source {
        source(std::uint64_t start, const ring_memory* page) : head(start, page), position(start) {}
        typename layout::template word<shared_word::aux_head> head;
        std::uint64_t position;      ///< head, without an atomic access
        std::uint64_t tail_seen = 0; ///< when room was last asked for
        bool open = false;
    };
    struct alignas(line_pair) reader {
        reader(std::uint64_t start, const ring_memory* page) : tail(start, page), position(start) {}
        typename layout::template word<shared_word::aux_tail> tail;
        std::uint64_t position; ///< tail, without an atomic access
        read_error error = read_error::none;
        bool reading = false;
    };

    alignas(line_pair) detail::record_area area_;
    Ring* ring_;
    source source_;
    reader reader_;
    std::uint64_t watermark_;
    std::uint64_t wakeup_; ///< source: where the last wake-up was due
    bool by_tail_;
    alignas(line_pair) std::atomic<std::uint32_t> state_{running};
};

/// Room for trace. It is published by `commit()`, or by its end with what has been appended.
template <class Ring>
class [[nodiscard]] aux_area<Ring>::transaction {
  public:
    static constexpr bool bounded = true;

    transaction(transaction&& other) noexcept
        : area_(std::exchange(other.area_, nullptr)), room_(other.room_), size_(other.size_),
          flags_(other.flags_), why_(other.why_) {}
    transaction& operator=(transaction&&) = delete;
    ~transaction() { commit(); }

    [[nodiscard]] explicit operator bool() const noexcept { return area_ != nullptr; }
    [[nodiscard]] aux_refusal why() const noexcept { return why_; }

    /// How many bytes may still be appended.
    [[nodiscard]] std::uint64_t room() const noexcept { return area_ == nullptr ? 0 : room_ - size_; }

    /// Where the next byte goes.
    [[nodiscard]] std::uint64_t position() const noexcept {
        return area_ == nullptr ? 0 : area_->source_.position + size_;
    }

    /// The position past which a device should interrupt, so that the consumer is woken in time.
    [[nodiscard]] std::uint64_t wake_at() const noexcept {
        return area_ == nullptr ? 0 : area_->wakeup_ + area_->watermark_;
    }

    /// The room itself, for a source that fills it in place; then `commit(size)`.
    [[nodiscard]] ring_bytes<std::byte> bytes() const noexcept {
        if (area_ == nullptr) return {};
        return area_->area_.bytes(position(), static_cast<std::size_t>(room()));
    }

    /// Copies as much of `from` as there is room for. @return how many bytes; fewer set `truncated`
    std::size_t append(std::span<const std::byte> from) noexcept {
        if (area_ == nullptr) return 0;
        const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(from.size(), room()));
        area_->area_.copy_in(position(), from.first(size));
        size_ += size;
        if (size != from.size()) flags_ |= aux_flag::truncated;
        return size;
    }

    /// Leaves out `size` bytes before anything has been appended, to get to an alignment: they are given to the
    /// consumer without an AUX record, and hold whatever was there. @return false when there is not so much room
    bool skip(std::uint64_t size) noexcept {
        if (area_ == nullptr || size_ != 0 || size > room_) return false;
        const bool crossed = area_->publish(area_->source_.position + size);
        room_ -= size;
        if (crossed) area_->wake();
        return true;
    }

    /// Adds to what the AUX record will say; `overwrite` is not the source's to say and is left out.
    void flag(std::uint64_t flags) noexcept { flags_ |= flags; }

    /// Publishes what was appended and the next `more` bytes, which were filled in place: the bytes must have been
    /// written by this thread or be visible to it, then this call (its B) makes them visible to the consumer.
    /// @return how many bytes in all; more than the room is cut, and sets `truncated`
    std::uint64_t commit(std::uint64_t more = 0) noexcept {
        auto* const area = std::exchange(area_, nullptr);
        if (area == nullptr) return 0;
        if (more > room_ - size_) {
            more = room_ - size_;
            flags_ |= aux_flag::truncated;
        }
        area->finish(size_ + more, flags_);
        return size_ + more;
    }

  private:
    friend aux_area;
    explicit transaction(aux_refusal why) noexcept : why_(why) {}
    transaction(aux_area& area, std::uint64_t room) noexcept : area_(&area), room_(room) {}

    aux_area* area_ = nullptr;
    std::uint64_t room_ = 0;
    std::uint64_t size_ = 0; ///< appended
    std::uint64_t flags_ = 0;
    aux_refusal why_ = aux_refusal::none;
};

/// Bytes of trace in place, given back when the chunk ends.
template <class Ring>
class [[nodiscard]] aux_area<Ring>::chunk {
  public:
    chunk(chunk&& other) noexcept
        : area_(std::exchange(other.area_, nullptr)), offset_(other.offset_), size_(other.size_) {}
    chunk& operator=(chunk&&) = delete;
    ~chunk() { give_back(size_); }

    [[nodiscard]] explicit operator bool() const noexcept { return size() != 0; }

    /// Position of the first byte; what AUX records call `offset`.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    [[nodiscard]] std::size_t size() const noexcept { return area_ == nullptr ? 0 : size_; }
    [[nodiscard]] ring_bytes<const std::byte> bytes() const noexcept {
        if (area_ == nullptr) return {};
        const auto run = area_->area_.bytes(offset_, size_);
        return {run.first, run.second};
    }

    /// Ends the chunk before its time and gives back only the first `size` bytes; the rest comes again.
    void give_back(std::size_t size) noexcept {
        auto* const area = std::exchange(area_, nullptr);
        if (area != nullptr) area->give_back(std::min(size, size_));
    }

  private:
    friend aux_area;
    chunk(aux_area& area, std::size_t size) noexcept
        : area_(&area), offset_(area.reader_.position), size_(size) {}

    aux_area* area_;
    std::uint64_t offset_;
    std::size_t size_;
};

} // namespace ringproof
