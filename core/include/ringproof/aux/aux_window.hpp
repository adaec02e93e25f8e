// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "ringproof/aux/aux_record.hpp"
#include "ringproof/aux/aux_snapshot.hpp"
#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/trace.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// What aux_head says in snapshot mode; sources differ.
enum class aux_head_is : std::uint8_t {
    position, ///< of the end of the newest byte, running freely (CoreSight)
    offset,   ///< the same within the area (Intel PT): who reads it has to find out how often it went around
};

/// What an AUX window is made with, apart from its memory.
struct window_options {
    std::uint64_t start = 0; ///< first position, of any alignment; tests begin near the wrap at 2^64
    aux_head_is head = aux_head_is::position;
};

/// The area for bulk trace beside a record ring, perf's AUX area in snapshot mode: a source writes opaque bytes over
/// the oldest ones, for ever, and somebody takes a snapshot of the newest whenever something has happened.
///
///     source (the thread that writes the ring)          anybody
///     auto t = aux.begin();                             const auto seen = aux.take(1 << 20);
///     t.append(bytes);   // always room                 use(seen.offset(), seen.bytes());
///     t.commit();        // AUX record, head (B)        … aux.take_since(seen.head());
///
/// The snapshot is live: the source goes on. Before it overwrites it says how far (I), and the snapshot looks at that
/// after it has copied (J), so it knows what of its copy can't be trusted. Bytes are written and copied in atomic words,
/// so that this is no race; on x86 in the machine's wide moves (`put_words`). (Perf has to stop the source, and to guess from the contents whether an aux_head of
/// the second kind went around. Who reads such an area from outside finds it out by aux_window_reader.hpp.)
///
/// There is always room, so nothing is truncated, nobody is woken, and the source never stops: `aux_flag::truncated`
/// is left out of what it says, `aux_flag::overwrite` is in every AUX record. Their `offset` is aux_head, the end of
/// the bytes that they tell of. Tail is not used.
///
/// @tparam Ring the record_ring beside it, whose barriers and layout it shares
/// @par Progress
/// Writing is wait-free and never calls the system. A snapshot is one pass, however often it is overtaken.
/// @par Threads
/// `begin` and the transaction: the source. The rest: anybody, at the same time.
/// @par Verified by
/// verify/scenarios/ring/aux_window.cpp
///
/// After perf_aux_output_begin and _end in kernel/events/ring_buffer.c of Linux.
template <class Ring>
class aux_window {
    static_assert(ring_beside_trace<Ring> || detail::explain_ring_beside_trace<Ring>());

  public:
    using barriers = typename Ring::barriers;
    using layout = typename Ring::layout;
    class transaction;

    /// @param ring must outlive this
    /// @param memory of the area; its control page, if it has one, is not used
    /// @param options first position, and what aux_head is
    /// @throws std::invalid_argument, with the reason
    aux_window(Ring& ring, ring_memory memory, window_options options = {})
        : area_(std::move(memory)), ring_(&ring), options_(options),
          source_(layout::begin_aux(ring.memory(), options.start, area_.capacity()).head, &ring.memory()) {
        options_.start = source_.at;
    }

    /// An area on the heap.
    /// @param ring must outlive this
    /// @param capacity bytes, a power of two, at least 64
    /// @param options first position, and what aux_head is
    /// @throws std::invalid_argument
    aux_window(Ring& ring, std::size_t capacity, window_options options = {})
        : aux_window(ring, ring_memory::heap(capacity), options) {}

    aux_window(const aux_window&) = delete;
    aux_window& operator=(const aux_window&) = delete;

    ~aux_window() { RINGPROOF_CONTRACT(!source_.open, "an AUX window goes while a transaction is open"); }

    /// Begins to write. `false` only while another transaction is open: they don't nest.
    [[nodiscard]] transaction begin() noexcept {
        if (source_.open) return transaction(nullptr);
        source_.open = true;
        return transaction(this);
    }

    /// A copy of the newest bytes, at most `newest`. @throws std::bad_alloc
    [[nodiscard]] aux_snapshot take(std::size_t newest = std::numeric_limits<std::size_t>::max()) const {
        return take_since(options_.start, newest);
    }

    /// Only what is newer than the snapshot whose `head()` this is. @throws std::bad_alloc
    [[nodiscard]] aux_snapshot
    take_since(std::uint64_t since, std::size_t newest = std::numeric_limits<std::size_t>::max()) const {
        return aux_snapshot::take<barriers>(area_, source_.position, source_.intent, since, newest);
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return area_.capacity(); }
    [[nodiscard]] aux_head_is convention() const noexcept { return options_.head; }
    [[nodiscard]] const ring_memory& memory() const noexcept { return area_.memory(); }

  private:
    struct alignas(line_pair) source {
        source(std::uint64_t start, const ring_memory* page)
            : position(start), intent(start), aux_head(start, page), at(start) {}
        std::atomic<std::uint64_t> position; ///< of the end of the newest byte; for snapshots
        std::atomic<std::uint64_t> intent;   ///< how far what is being written reaches
        typename layout::template word<shared_word::aux_head>
            aux_head;     ///< by its convention; for those outside
        std::uint64_t at; ///< position, without an atomic access
        bool open = false;
    };

    /// Writes `from`, which ends at position `end`.
    void put(std::uint64_t end, std::span<const std::byte> from) noexcept {
        if (from.size() > area_.capacity())
            from = from.last(area_.capacity()); // the rest would be overwritten
        std::uint64_t at = end - from.size();
        barriers::intend(source_.intent, end); // I -> J
        const auto part = [&](std::size_t size) {
            if (size == 0) return; // also: from nowhere
            // A word with bytes of others in it: those are complete, and stay as they are.
            std::uint64_t& word = area_.word(at / 8 * 8);
            std::uint64_t value = barriers::get_word(word);
            std::memcpy(reinterpret_cast<std::byte*>(&value) + at % 8, from.data(), size);
            barriers::put_word(word, value);
            at += size, from = from.subspan(size);
        };
        if (at % 8 != 0) part(std::min<std::size_t>(8 - at % 8, from.size()));
        if (const std::size_t whole = from.size() / 8 * 8; whole != 0) {
            area_.template put_words<barriers>(at, from.first(whole));
            at += whole, from = from.subspan(whole);
        }
        if (!from.empty()) part(from.size());
    }

    void finish(std::uint64_t size, std::uint64_t flags) noexcept {
        source_.at += size;
        const std::uint64_t head =
            options_.head == aux_head_is::position ? source_.at : source_.at & (area_.capacity() - 1);
        const aux_record told{head, size, (flags & ~aux_flag::truncated) | aux_flag::overwrite};
        if (detail::worth_telling(told))
            ring_->write(std::as_bytes(std::span(&told, 1)), {record_type::aux, 0});
        barriers::publish_head(source_.position, source_.at);                            // B -> C
        if constexpr (layout::has_page) barriers::publish_head(*source_.aux_head, head); // B -> C, outside
        source_.open = false;
    }

    alignas(line_pair) detail::record_area area_;
    Ring* ring_;
    window_options options_;
    source source_; ///< written by the source
};

/// Trace on its way. It is published by `commit()`, or by its end.
template <class Ring>
class [[nodiscard]] aux_window<Ring>::transaction {
  public:
    static constexpr bool bounded = false; ///< there is always room

    transaction(transaction&& other) noexcept
        : window_(std::exchange(other.window_, nullptr)), size_(other.size_), flags_(other.flags_) {}
    transaction& operator=(transaction&&) = delete;
    ~transaction() { commit(); }

    [[nodiscard]] explicit operator bool() const noexcept { return window_ != nullptr; }

    /// Where the next byte goes.
    [[nodiscard]] std::uint64_t position() const noexcept {
        return window_ == nullptr ? 0 : window_->source_.at + size_;
    }

    /// Writes all of `from`; of more than the capacity only the newest bytes, as hardware that goes around would.
    void append(std::span<const std::byte> from) noexcept {
        if (window_ == nullptr) return;
        size_ += from.size();
        window_->put(position(), from);
    }

    /// Adds to what the AUX record will say; `truncated` is left out.
    void flag(std::uint64_t flags) noexcept { flags_ |= flags; }

    /// @return how many bytes were appended
    std::uint64_t commit() noexcept {
        auto* const window = std::exchange(window_, nullptr);
        if (window == nullptr) return 0;
        window->finish(size_, flags_);
        return size_;
    }

  private:
    friend aux_window;
    explicit transaction(aux_window* window) noexcept : window_(window) {}

    aux_window* window_;
    std::uint64_t size_ = 0; ///< appended
    std::uint64_t flags_ = 0;
};

} // namespace ringproof
