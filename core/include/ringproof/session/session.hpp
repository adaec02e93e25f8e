// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <sched.h>
#include <unistd.h>

#include "ringproof/barriers.hpp"
#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/producer/shared.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/session/announcement.hpp"
#include "ringproof/session/output.hpp"
#include "ringproof/session/time_merge.hpp"

namespace ringproof {

/// Which rings a session has, and who writes them: perf's modes, with the threads of this program for its tasks.
enum class deployment : std::uint8_t {
    by_default,  ///< a ring per CPU; threads that were attached, and those they `spawn`
    per_thread,  ///< a ring per thread that was attached; what it spawns is left out
    cpu_list,    ///< a ring per CPU named; all threads, while they run there
    system_wide, ///< a ring per CPU; all threads
};

struct session_options {
    deployment mode = deployment::by_default;
    std::vector<int> cpus = {};       ///< for cpu_list
    std::size_t capacity = 1U << 16U; ///< bytes of each ring, a power of two
    std::size_t watermark = 0;        ///< bytes in a ring that wake the reader; 0: half the capacity
};

/// An event of a session: a kind of record, with rings of its own or in those of another.
struct event_options {
    std::uint32_t clock = 0;
    std::uint32_t aux_source = 0;
    bool backward = false;
};

/// The clock that records are stamped with unless another is given: CLOCK_MONOTONIC, nanoseconds.
struct monotonic_clock {
    [[nodiscard]] static std::uint64_t now() noexcept {
        timespec time{};
        ::clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
               static_cast<std::uint64_t>(time.tv_nsec);
    }
};

/// A record as the reader of a session gets it.
struct session_record {
    std::uint64_t time;                 ///< of its clock; those of one round to the next never go back
    std::uint32_t type;                 ///< record_type::sample, or lost
    std::uint32_t event;                ///< of the session
    std::uint32_t writer;               ///< number of the thread; 0 for LOST
    std::span<const std::byte> payload; ///< of a LOST record: a lost_record
};

/// Many threads' records through one reader, in the order of time.
///
///     ringproof::session<> s({.mode = deployment::system_wide});
///     const auto event = s.open();
///     s.map(event);                                     // rings
///     auto writer = s.attach();                         // each thread           // the reader
///     writer.write(event, bytes);                                                s.wait();
///     auto child = s.spawn(writer, [](auto& mine) { … });   // inherits          s.read([](const session_record&) …);
///
/// A record is in the ring of the CPU on which its thread was when it looked, or of its thread. The reader empties all
/// rings in rounds and gives out what no older record can follow any more: see announcement.hpp. `close` ends a session:
/// then everything is given out.
///
/// **Rings come and go under load.** Under one mutex, which no write takes: a ring is taken away from all events that
/// write it, those redirected to it too; whoever was writing it has passed; then the reader empties it and it is freed.
/// So no event goes on writing a ring that nobody reads, none is redirected to one that is going, and none leaves it while
/// its neighbours are being looked for (what perf had to learn as three bugs of mmap, set_output and its event list).
///
/// @par Progress
/// `write` is lock-free, and wait-free but for other threads on the same ring. `map`, `unmap`, `redirect`, `attach`, and
/// the end of a writer take a mutex; `unmap` and the end of a thread's ring wait for writes that are under way.
/// @par Threads
/// A writer is of one thread at a time; `read` and `close` of one thread; the rest anybody.
template <class Clock = monotonic_clock, class Barriers = acquire_release>
class session {
    using ring_type = record_ring<shared, Barriers, keep_oldest>;

  public:
    static constexpr std::size_t most_events = 16;
    using event = std::uint32_t;
    class writer;

    /// @throws std::invalid_argument
    explicit session(session_options options = {}) : options_(std::move(options)) {
        if (options_.mode == deployment::per_thread) return;
        std::vector<int> cpus = options_.cpus;
        if (options_.mode != deployment::cpu_list) {
            cpus.clear();
            for (int cpu = 0; cpu < ::sysconf(_SC_NPROCESSORS_CONF); ++cpu) cpus.push_back(cpu);
        }
        for (const int cpu : cpus) {
            if (cpu < 0) throw std::invalid_argument("a session's CPUs are numbers from 0 on");
            if (place_of_cpu_.size() <= static_cast<std::size_t>(cpu))
                place_of_cpu_.resize(static_cast<std::size_t>(cpu) + 1);
            if (place_of_cpu_[static_cast<std::size_t>(cpu)] != nullptr) continue;
            places_.push_back(std::make_unique<place>());
            place_of_cpu_[static_cast<std::size_t>(cpu)] = places_.back().get();
        }
    }

    session(const session&) = delete;
    session& operator=(const session&) = delete;

    /// Opens an event; it has no ring yet, and what is written to it goes nowhere.
    /// @throws std::length_error when there are too many
    [[nodiscard]] event open(event_options options = {}) {
        const std::lock_guard lock(mutex_);
        if (events_.size() == most_events) throw std::length_error("a session has at most 16 events");
        events_.push_back({options, false, none});
        return static_cast<event>(events_.size() - 1);
    }

    /// Gives an event a ring at each place. Nothing happens when it has them, or is redirected.
    /// @throws std::invalid_argument for a capacity that can't be, std::bad_alloc
    void map(event which) {
        const std::lock_guard lock(mutex_);
        entry& one = events_.at(which);
        if (one.mapped || one.output != none) return;
        for (const auto& where : places_) map_at(*where, which);
        one.mapped = true;
    }

    /// Takes the rings of an event away, from all that write them. What is in them is still read.
    void unmap(event which) {
        const std::lock_guard lock(mutex_);
        entry& one = events_.at(which);
        if (!one.mapped) return;
        one.mapped = false;
        for (entry& other : events_)
            if (other.output == which) other.output = none;
        for (const auto& where : places_) take_away(*where, where->own[which]);
    }

    /// From now on what is written to `from` goes to the rings of `to`; `none` as `to`: nowhere.
    output_refusal redirect(event from, event to) {
        const std::lock_guard lock(mutex_);
        entry& one = events_.at(from);
        if (to != none) {
            const output_refusal why = may_redirect(described(from), described(to), from == to);
            if (why != output_refusal::none) return why;
        }
        one.output = to;
        for (const auto& where : places_)
            Barriers::announce(where->to[from], to == none ? 0 : address(where->own[to].get()));
        wake(); // who waits may have been waiting for what goes elsewhere now
        return output_refusal::none;
    }
    static constexpr event none = std::numeric_limits<event>::max();

    /// The calling thread becomes a writer. @throws std::bad_alloc
    [[nodiscard]] writer attach() { return writer(*this, true); }

    /// A thread that runs `work(writer&)`. It is a writer too when the mode hands that down and `parent` is one; else its
    /// writes go nowhere. @throws std::system_error
    template <class Work>
    [[nodiscard]] std::thread spawn(const writer& parent, Work work) {
        // Before it runs, so that no record of it can be missed.
        writer its(*this, parent.attached() && options_.mode != deployment::per_thread);
        return std::thread([its = std::move(its), work = std::move(work)]() mutable { work(its); });
    }

    /// One round: empties all rings, and calls `use(const session_record&)` for each record that no older one can
    /// follow, oldest first. @return how many
    template <class Use>
    std::size_t read(Use&& use) {
        Barriers::lower(news_, 0); // what comes from now on raises it again
        std::uint64_t horizon = Clock::now();
        Barriers::settle();
        {
            const std::lock_guard lock(mutex_);
            for (const auto& one : slots_) horizon = std::min(horizon, one->announced.oldest());
            for (auto& one : rings_) drain(*one);
            // An orphan's writers had passed before it became one: it is empty now.
            std::erase_if(rings_, [](const auto& one) { return one->orphan; });
        }
        return horizon == 0 ? 0 : give_out(horizon - 1, use);
    }

    /// Takes all rings away and gives out everything that was in them.
    template <class Use>
    std::size_t close(Use&& use) {
        for (event which = 0; which != events_.size(); ++which) unmap(which);
        {
            const std::lock_guard lock(mutex_);
            for (auto& one : rings_) drain(*one);
            rings_.clear();
        }
        return give_out(std::numeric_limits<std::uint64_t>::max(), use);
    }

    /// Sleeps until a ring has passed its watermark, a writer was refused, or somebody has called `wake`. All who wait
    /// are woken.
    void wait() noexcept {
        while (Barriers::raised(news_) == 0) Barriers::sleep_while(news_, 0);
    }
    void wake() noexcept {
        if (Barriers::raise(news_, 1) == 0) news_.notify_all();
    }

    /// Records that were refused for want of room, of all rings there have been; exact when all rest.
    [[nodiscard]] std::uint64_t lost() const {
        const std::lock_guard lock(mutex_);
        std::uint64_t result = lost_before_;
        for (const auto& one : rings_) result += one->ring.lost();
        return result;
    }
    [[nodiscard]] std::size_t rings() const {
        const std::lock_guard lock(mutex_);
        return rings_.size();
    }
    /// Records that came in after a later one had been given out: 0, unless the clock goes back.
    [[nodiscard]] std::uint64_t late() const { return merge_.late(); }

  private:
    /// What a record's payload begins with.
    struct stamp {
        std::uint64_t time;
        std::uint32_t writer, event;
    };
    struct open_ring {
        explicit open_ring(std::size_t capacity) : ring(capacity) {}
        ring_type ring;
        bool orphan = false;         ///< nobody writes it any more
        std::uint64_t lost_told = 0; ///< LOST that waits for the record after it
        std::uint64_t last_time = 0;
    };
    using word = std::atomic<std::uint64_t>;
    /// A CPU or a thread: where each event is written there.
    struct place {
        std::array<word, most_events> to{};                      ///< addresses of open_rings; 0: nowhere
        std::array<std::shared_ptr<open_ring>, most_events> own; ///< under the mutex
    };
    struct slot {
        announcement<Barriers> announced;
        std::uint32_t number = 0;
        bool taken = false; ///< under the mutex
    };
    struct entry {
        event_options options;
        bool mapped;
        event output;
    };
    struct item {
        std::uint32_t type, event, writer;
        std::vector<std::byte> payload;
    };

    static std::uint64_t address(const open_ring* ring) noexcept {
        return reinterpret_cast<std::uintptr_t>(ring);
    }

    /// All places are alike, so of these only what differs between events of one place.
    [[nodiscard]] output_description described(event which) const {
        const entry& one = events_.at(which);
        output_description result;
        result.clock = one.options.clock;
        result.aux_source = one.options.aux_source;
        result.backward = one.options.backward;
        result.mapped = one.mapped;
        return result;
    }

    void map_at(place& where, event which) {
        auto made = std::make_shared<open_ring>(options_.capacity);
        rings_.push_back(made);
        where.own[which] = made;
        Barriers::announce(where.to[which], address(made.get()));
    }

    /// Under the mutex. After this nobody writes `ring`, and nobody will.
    void take_away(place& where, std::shared_ptr<open_ring>& ring) {
        if (ring == nullptr) return;
        for (word& one : where.to)
            if (Barriers::own(one) == address(ring.get())) Barriers::announce(one, 0);
        Barriers::settle();
        // Who had looked before has announced it.
        for (const auto& one : slots_)
            for (const std::uint64_t before = one->announced.oldest(); !one->announced.has_passed(before);)
                std::this_thread::yield();
        ring->orphan = true;
        ring.reset();
        wake();
    }

    void drain(open_ring& from) {
        const auto tell_lost = [&](std::uint64_t time) {
            if (from.lost_told == 0) return;
            const lost_record what{0, std::exchange(from.lost_told, 0)};
            const auto raw = std::as_bytes(std::span(&what, 1));
            merge_.add(time, {record_type::lost, 0, 0, {raw.begin(), raw.end()}});
        };
        for (const auto one : from.ring.read()) {
            if (one.type() == record_type::lost) {
                if (const auto what = one.template as<lost_record>()) from.lost_told += what->count;
                continue;
            }
            if (one.size() < sizeof(stamp)) continue;
            std::vector<std::byte> bytes(one.size());
            one.copy_to(bytes);
            stamp what;
            std::memcpy(&what, bytes.data(), sizeof what);
            bytes.erase(bytes.begin(), bytes.begin() + sizeof what);
            tell_lost(what.time);
            from.last_time = what.time;
            merge_.add(what.time, {one.type(), what.event, what.writer, std::move(bytes)});
        }
        if (!from.orphan) return;
        from.lost_told += from.ring.unreported();
        lost_before_ += from.ring.lost();
        tell_lost(std::max(from.last_time, given_));
    }

    template <class Use>
    std::size_t give_out(std::uint64_t horizon, Use& use) {
        return merge_.release(horizon, [&](const item& one, std::uint64_t time) {
            given_ = time;
            use(session_record{time, one.type, one.event, one.writer, one.payload});
        });
    }

    /// Bytes in a ring that wake the reader.
    [[nodiscard]] std::size_t mark(const ring_type& ring) const noexcept {
        return options_.watermark == 0 ? ring.capacity() / 2
                                       : std::min(options_.watermark, ring.capacity() / 2);
    }

    slot& take_slot() {
        for (const auto& one : slots_)
            if (!one->taken) return *one;
        slots_.push_back(std::make_unique<slot>());
        return *slots_.back();
    }

    session_options options_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<place>> places_;
    std::vector<place*> place_of_cpu_; ///< not changed after construction
    std::vector<std::shared_ptr<open_ring>> rings_;
    std::vector<std::unique_ptr<slot>> slots_; ///< never freed before the session, so that all can be asked
    std::vector<entry> events_;
    std::uint32_t writers_ = 0;
    std::uint64_t lost_before_ = 0; ///< in rings that are gone
    time_merge<item> merge_;
    std::uint64_t given_ = 0; ///< time of the last that was given out
    alignas(line_pair) std::atomic<std::uint32_t> news_{0};
};

/// A thread's way into a session. Its end is the thread's.
template <class Clock, class Barriers>
class session<Clock, Barriers>::writer {
  public:
    writer(writer&& other) noexcept
        : session_(std::exchange(other.session_, nullptr)), slot_(other.slot_), own_(other.own_),
          elsewhere_(other.elsewhere_) {}
    writer& operator=(writer&&) = delete;
    ~writer() {
        if (session_ == nullptr) return;
        const std::lock_guard lock(session_->mutex_);
        slot_->taken = false;
        if (own_ == nullptr) return;
        for (auto& ring : own_->own) session_->take_away(*own_, ring);
        std::erase_if(session_->places_, [&](const auto& one) { return one.get() == own_; });
    }

    /// Writes one record. @return false when it was lost (which is counted), or goes nowhere: this thread is no writer,
    /// the event has no ring, or it runs on a CPU that has none
    bool write(event which, std::span<const std::byte> payload) noexcept {
        if (session_ == nullptr || which >= most_events) return false;
        slot_->announced.begin(Clock::now());
        auto* const ring = find(which);
        const bool written = ring != nullptr && put(ring->ring, which, payload);
        if (ring != nullptr && (!written || ring->ring.size_guess() >= session_->mark(ring->ring)))
            session_->wake();
        slot_->announced.end();
        if (ring == nullptr) ++elsewhere_;
        return written;
    }

    [[nodiscard]] bool attached() const noexcept { return session_ != nullptr; }
    /// What its records are numbered by, from 1 on.
    [[nodiscard]] std::uint32_t number() const noexcept { return session_ == nullptr ? 0 : slot_->number; }
    /// Writes that went nowhere.
    [[nodiscard]] std::uint64_t elsewhere() const noexcept { return elsewhere_; }

  private:
    friend session;
    writer(session& to, bool attached) {
        if (!attached) return;
        const std::lock_guard lock(to.mutex_);
        slot_ = &to.take_slot();
        if (to.options_.mode == deployment::per_thread) {
            to.places_.push_back(std::make_unique<place>());
            own_ = to.places_.back().get();
            for (event which = 0; which != to.events_.size(); ++which)
                if (to.events_[which].mapped) to.map_at(*own_, which);
            for (event which = 0; which != to.events_.size(); ++which)
                if (const event other = to.events_[which].output; other != none)
                    Barriers::announce(own_->to[which], address(own_->own[other].get()));
        }
        slot_->taken = true;
        slot_->number = ++to.writers_;
        session_ = &to;
    }

    open_ring* find(event which) const noexcept {
        const place* where = own_;
        if (where == nullptr) {
            // It may be another by the time the record is written: hence a ring that many may write.
            const auto cpu = static_cast<std::size_t>(::sched_getcpu());
            if (cpu >= session_->place_of_cpu_.size()) return nullptr;
            where = session_->place_of_cpu_[cpu];
            if (where == nullptr) return nullptr;
        }
        return reinterpret_cast<open_ring*>(
            static_cast<std::uintptr_t>(Barriers::announced(where->to[which])));
    }

    bool put(ring_type& ring, event which, std::span<const std::byte> payload) const noexcept {
        const stamp front{Clock::now(), slot_->number, which};
        auto room = ring.begin(sizeof front + payload.size());
        if (!room) return false;
        const auto bytes = room.bytes();
        copy(bytes, 0, std::as_bytes(std::span(&front, 1)));
        copy(bytes, sizeof front, payload);
        return true;
    }
    static void copy(ring_bytes<std::byte> to, std::size_t at, std::span<const std::byte> from) noexcept {
        if (at < to.first.size()) {
            const std::size_t size = std::min(from.size(), to.first.size() - at);
            if (size != 0) std::memcpy(to.first.data() + at, from.data(), size);
            from = from.subspan(size);
            at += size;
        }
        if (!from.empty()) std::memcpy(to.second.data() + (at - to.first.size()), from.data(), from.size());
    }

    session* session_ = nullptr;
    slot* slot_ = nullptr;
    place* own_ = nullptr; ///< of a thread's rings
    std::uint64_t elsewhere_ = 0;
};

} // namespace ringproof
