// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/recorder.hpp"
#include "ringproof/direction/paged.hpp"
#include "ringproof/producer/shared.hpp"
#include "ringproof/producer/writer_marks.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/recorder.hpp"
#include "ringproof/ring_memory.hpp"
#include "ringproof/snapshot.hpp"

namespace ringproof {

/// A flight recorder that many threads share: `recorder<shared>`.
///
///     ring.write(bytes);                  // any thread, any signal handler
///     auto mine = ring.writer();          // for a thread that writes often: one locked instruction a record instead
///     mine.write(bytes);                  // of two
///
/// The area is divided into pages. A writer marks the position it is at, claims its bytes by moving head, writes,
/// and marks that it is at nothing.
///
///        page 0            page 1            page 2            page 3
///     | older, complete | stopped …       | newer, complete | newest … |
///                         ^ a mark                           head ^ ^ marks
///
/// A page is entered again only where no mark of an earlier lap lies in it: everything there is complete. Where one
/// does, a writer has been stopped in it for a whole lap, and the page is passed over. So nobody waits for anybody,
/// nobody writes into another's record, and a writer that is stopped (or has died) takes one page out of service.
///
/// @par Progress
/// Writing is lock-free: an attempt fails only because another writer's succeeded. Nothing on the way allocates or
/// calls the system. A record is refused, and counted, when every page has a writer stopped in it. A snapshot is one
/// pass, however often it is overtaken.
/// @par Threads
/// `write`, `take` and the rest: anybody, at any time. A `writer()`: one thread at a time and the signal handlers that
/// interrupt it.
/// @par Verified by
/// scenarios "recorder, shared: …"
template <class Barriers, class Layout>
class recorder<shared, paged, Barriers, Layout> {
    using marks_type = detail::writer_marks<Barriers>;
    using mark = typename marks_type::mark;

  public:
    static constexpr std::size_t usual_writers = 64;

    /// A thread's own place among the writers, given back at the end. It must not outlive its recorder.
    class own_writer {
      public:
        own_writer(own_writer&& other) noexcept
            : ring_(other.ring_), mark_(std::exchange(other.mark_, nullptr)) {}
        own_writer& operator=(own_writer&& other) noexcept {
            std::swap(ring_, other.ring_);
            std::swap(mark_, other.mark_);
            return *this;
        }
        ~own_writer() {
            if (mark_ != nullptr) Barriers::mark(*mark_, marks_type::nobodys); // K -> L: see writer_marks
        }

        /// As recorder::write.
        bool write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
            // A handler that has interrupted this writer at work finds the mark in use.
            if (mark_ == nullptr || Barriers::own(*mark_) != marks_type::idle) [[unlikely]]
                return ring_->write(payload, tag);
            return ring_->accepts(payload.size(), tag) &&
                   ring_->write_marked(*mark_, marks_type::idle, payload, tag);
        }

      private:
        friend class recorder;
        own_writer(recorder& ring, mark* place) noexcept : ring_(&ring), mark_(place) {}

        recorder* ring_;
        mark* mark_; ///< nullptr: all were taken
    };

    /// @param capacity bytes, a power of two, at least 64
    /// @param start first position
    /// @param writers how many can be at work at the same time
    /// @throws std::invalid_argument, with the reason
    explicit recorder(std::size_t capacity, std::uint64_t start = 0, std::size_t writers = usual_writers)
        : recorder(ring_memory::heap(capacity), {start, 0, 0}, writers) {}

    /// @param memory where the recorder lives; the recorder keeps it
    /// @param options start is rounded up to a page
    /// @param writers how many can be at work at the same time
    /// @throws std::invalid_argument, with the reason
    explicit recorder(ring_memory memory, ring_options options = {}, std::size_t writers = usual_writers)
        : area_((detail::begin_recorder<Layout>(memory, options), std::move(memory))),
          page_(paged::page_size(area_.capacity())), id_(options.id),
          start_((options.start + page_ - 1) & (0 - std::uint64_t{page_})), side_(start_), marks_(writers) {}

    recorder(const recorder&) = delete;
    recorder& operator=(const recorder&) = delete;

    /// Writes one record over the oldest. @return whether it was written: not when paused, nor when it is too large,
    /// nor when every page has a writer stopped in it, or every place among the writers is taken
    bool write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
        if (!accepts(payload.size(), tag)) return false;
        mark* const place = marks_.take(Barriers::claimed(side_.position()));
        if (place == nullptr) {
            side_.count_lost();
            return false;
        }
        return write_marked(*place, marks_type::nobodys, payload, tag);
    }

    /// A place for a thread that writes often. When all are taken, it does as well without one as `write` does.
    [[nodiscard]] own_writer writer() noexcept { return {*this, marks_.take(marks_type::idle)}; }

    /// A copy of what is there now. @throws std::bad_alloc
    [[nodiscard]] snapshot take() const { return take_since(start_); }

    /// Only what is newer than the snapshot whose `head()` this is.
    [[nodiscard]] snapshot take_since(std::uint64_t head) const {
        snapshot result;
        take_into(result, head);
        return result;
    }

    /// The same into a snapshot of before, whose records end.
    void take_into(snapshot& into) const { take_into(into, start_); }
    void take_into(snapshot& into, std::uint64_t since) const {
        into.template fill_pages<Barriers>(area_, page_, side_.position(), marks_, since);
    }

    /// From now on every record is refused, and counted as lost. A writer that has looked before goes on.
    void pause() noexcept { Barriers::set_own(side_.paused(), std::uint64_t{1}); }
    void resume() noexcept { Barriers::set_own(side_.paused(), std::uint64_t{0}); }

    [[nodiscard]] std::size_t capacity() const noexcept { return area_.capacity(); }
    [[nodiscard]] const ring_memory& memory() const noexcept { return area_.memory(); }

    /// Bytes of a page, a power of two.
    [[nodiscard]] std::size_t page_size() const noexcept { return page_; }

    /// The largest payload that fits.
    [[nodiscard]] std::size_t max_payload() const noexcept {
        return std::min(page_ - paged::stamp_size, detail::largest_record) - detail::header_size;
    }

    /// How many records were refused.
    [[nodiscard]] std::uint64_t lost() const noexcept { return Barriers::stat(side_.lost()); }

  private:
    /// What the words of a `shared` ring's producers are good for here: head, losses, the pause.
    struct side : shared::producer_side<Barriers, padded> {
        using shared::producer_side<Barriers, padded>::producer_side;
        [[nodiscard]] std::atomic<std::uint64_t>& position() noexcept { return *this->head_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& position() const noexcept { return *this->head_; }
    };

    enum class turn : std::uint8_t {
        entered, ///< the record's place is claimed, at the start of a page
        moved,   ///< head is elsewhere now
        nowhere, ///< every page has a writer stopped in it
    };

    [[nodiscard]] bool accepts(std::size_t payload, record_tag tag) noexcept {
        if (payload <= max_payload() && (tag.misc & detail::filling_mask) == 0 &&
            tag.type != record_type::padding && Barriers::stat(side_.paused()) == 0) [[likely]]
            return true;
        side_.count_lost();
        return false;
    }

    /// @param home what the mark is when the writer is at nothing
    bool write_marked(mark& mine, std::uint64_t home, std::span<const std::byte> payload,
                      record_tag tag) noexcept {
        if (side_.unreported() != 0) [[unlikely]]
            tell(mine);
        const std::size_t size = detail::record_size(payload.size());
        std::uint64_t at = 0;
        const bool room = claim(mine, at, size);
        if (room) [[likely]]
            put(at, tag, payload);
        else
            side_.count_lost();
        Barriers::mark(mine, home); // K -> L: the record is complete.
        return room;
    }

    /// A LOST record for what has been refused since the last one. Other writers' records may come between it and
    /// the next of this one.
    [[gnu::noinline, gnu::cold]] void tell(mark& mine) noexcept {
        std::uint64_t at = 0;
        if (!claim(mine, at, detail::record_size(sizeof(lost_record)))) return;
        const lost_record lost{id_, side_.take_unreported()};
        put(at, {record_type::lost, 0}, std::as_bytes(std::span(&lost, 1)));
    }

    /// Takes [at, at + size) for the caller, whose mark says so until it says something else.
    [[nodiscard]] bool claim(mark& mine, std::uint64_t& at, std::size_t size) noexcept {
        at = Barriers::claimed(side_.position());
        for (;;) {
            Barriers::mark(mine, at); // K -> L: here I may be at work; what I was at before is complete.
            if (size <= room(at)) [[likely]] {
                // M -> C: with my mark. M <- M: the page has been looked at by whoever entered it.
                if (!Barriers::claim_over(side_.position(), at, at + size)) continue;
                Barriers::intended(); // I -> J: what head implies is about to be overwritten.
                return true;
            }
            const turn now = turn_page(at, size);
            if (now != turn::moved) return now == turn::entered;
        }
    }

    /// Bytes from here to the end of the page; 0: the page that begins here has not been entered.
    [[nodiscard]] std::size_t room(std::uint64_t at) const noexcept {
        return static_cast<std::size_t>(0 - at) & (page_ - 1);
    }

    [[gnu::noinline, gnu::cold]] turn turn_page(std::uint64_t& at, std::size_t size) noexcept {
        if (const std::size_t rest = room(at); rest != 0) {
            const std::uint64_t here = at;
            if (!Barriers::claim_over(side_.position(), at, here + rest)) return turn::moved; // M: as above
            Barriers::intended();                                                             // I -> J
            Barriers::put_word(area_.word(here),
                               detail::header_word({record_type::padding, 0}, rest - detail::header_size));
            at = here + rest;
            return turn::moved;
        }
        // C <- M: the marks of all who have claimed before are there to be seen.
        if (const std::uint64_t now = Barriers::load_head(side_.position()); now != at) {
            at = now;
            return turn::moved;
        }
        for (std::uint64_t page = at; page != at + area_.capacity(); page += page_) {
            if (in_use(page)) continue;
            if (page != at) { // passes over those between; nothing is written there
                if (Barriers::claim_over(side_.position(), at, page)) at = page; // M: as above
                return turn::moved;
            }
            const std::uint64_t end = page + paged::stamp_size + size;
            if (!Barriers::claim_over(side_.position(), at, end)) return turn::moved; // M: as above
            Barriers::intended();                                                     // I -> J
            Barriers::put_word(area_.word(page), page);
            at = page + paged::stamp_size;
            return turn::entered;
        }
        // Seen from an old head, pages look in use long after they are not: only if this is head there is no place.
        return Barriers::claim_over(side_.position(), at, at) ? turn::nowhere : turn::moved;
    }

    /// Is somebody still at work in an earlier lap of this page? Others that are about to enter it have it as their
    /// mark, too, and so has this writer.
    [[nodiscard]] bool in_use(std::uint64_t page) const noexcept {
        bool found = false;
        marks_.for_each([&](std::uint64_t at) {
            found |= at != page && ((at ^ page) & (area_.capacity() - 1) & (0 - page_)) == 0;
        });
        return found;
    }

    void put(std::uint64_t at, record_tag tag, std::span<const std::byte> payload) noexcept {
        Barriers::put_word(area_.word(at), detail::header_word(tag, payload.size()));
        const std::size_t words = payload.size() / 8, rest = payload.size() % 8;
        area_.put_words<Barriers>(at + detail::header_size, payload.first(8 * words));
        if (rest != 0) {
            std::uint64_t word = 0;
            std::memcpy(&word, payload.data() + 8 * words, rest);
            Barriers::put_word(area_.word(at + detail::header_size + 8 * words), word);
        }
    }

    alignas(line_pair) detail::record_area area_;
    std::size_t page_;
    std::uint64_t id_;
    std::uint64_t start_;
    alignas(line_pair) side side_; ///< written by all writers
    alignas(line_pair) marks_type marks_;
};

/// Refused: the sentence says why. What is derived from keeps the compiler from complaining of anything else.
template <class Barriers, class Layout>
requires(!sound_shared_recorder<Barriers, Layout>) class recorder<shared, paged, Barriers, Layout>
    : public recorder<shared, paged, acquire_release, padded> {
    static_assert(detail::explain_shared_recorder<Barriers, Layout>());

  public:
    using recorder<shared, paged, acquire_release, padded>::recorder;
};

} // namespace ringproof
