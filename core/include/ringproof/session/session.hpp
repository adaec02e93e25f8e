// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/barriers.hpp"
#include "ringproof/concepts/clock.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/session/announcement.hpp"
#include "ringproof/session/output.hpp"
#include "ringproof/session/session_options.hpp"
#include "ringproof/session/session_ring.hpp"
#include "ringproof/session/time_merge.hpp"

namespace ringproof {

/// Many threads' records through one reader, in the order of time.
///
///     ringproof::session<> s({.mode = deployment::system_wide});
///     const auto event = s.open();
///     s.map(event);                                     // rings
///     auto writer = s.attach();                         // each thread           // the reader
///     writer.write(event, bytes);                                                s.wait();
///     auto child = s.spawn(writer, [](auto& mine) { … });   // inherits          s.read([](const session_record&) …);
///
/// A record is in the ring of the CPU on which its thread reserved room for it, by a restartable sequence and without
/// LOCK where there are such; or of its thread. The reader empties all rings in rounds and gives out what no older record
/// can follow any more: see announcement.hpp. `close` ends a session: then everything is given out.
///
/// **Rings come and go under load.** Under one mutex, which no write takes: a ring is taken away from all events that
/// write it, those redirected to it too, and is closing; without the mutex, whoever was writing it is waited for; then the
/// reader empties it and it is freed. So no event goes on writing a ring that nobody reads, none is redirected to one that
/// is going, and none leaves it while its neighbours are being looked for (what perf had to learn as three bugs of mmap,
/// set_output and its event list).
///
/// @par Progress
/// `write` is lock-free, and wait-free but for other threads on the same ring. `map`, `unmap`, `redirect`, `attach`, and
/// the end of a writer take a mutex; `unmap` waits for writes that are under way, and holds nobody else up meanwhile.
/// @par Threads
/// A writer is of one thread at a time, and not of its signal handlers; `read` and `close` of one thread; the rest anybody.
/// @par Verified by
/// verify/scenarios/ring/session.cpp, verify/scenarios/ring/session_rings.cpp
/// @tparam Mutex guards the list of rings; one with priority inheritance, say, or `std::mutex`
template <class Clock = monotonic_clock, class Barriers = acquire_release, class Mutex = std::mutex>
class session {
    static_assert(clock_policy<Clock> || detail::explain_clock<Clock>());
    static_assert(barriers_policy<Barriers> || detail::explain_barriers<Barriers>());
    static_assert(mutex_policy<Mutex> || detail::explain_mutex<Mutex>());

  public:
    static constexpr std::size_t most_events = 16;
    static constexpr int most_cpu = 8191; ///< as many as Linux can have
    using event = std::uint32_t;
    class writer;

    /// @throws std::invalid_argument
    explicit session(session_options options = {}) : options_(std::move(options)) {
        detail::checked_capacity(options_.capacity, 64, 1, "bytes");
        if (options_.mode == deployment::per_thread) return;
        if (options_.mode == deployment::cpu_list && options_.cpus.empty())
            throw std::invalid_argument("a session by a list of CPUs needs at least one CPU");
        std::vector<int> every;
        if (options_.mode != deployment::cpu_list)
            for (int cpu = 0; cpu < ::sysconf(_SC_NPROCESSORS_CONF); ++cpu) every.push_back(cpu);
        for (const int cpu : options_.mode == deployment::cpu_list ? options_.cpus : every) {
            if (cpu < 0 || cpu > most_cpu)
                throw std::invalid_argument("a session's CPUs are numbers from 0 to " +
                                            std::to_string(most_cpu) + ", not " + std::to_string(cpu));
            if (place_of_cpu_.size() <= static_cast<std::size_t>(cpu))
                place_of_cpu_.resize(static_cast<std::size_t>(cpu) + 1);
            if (place_of_cpu_[static_cast<std::size_t>(cpu)] != nullptr) continue;
            places_.push_back(std::make_unique<place>());
            places_.back()->cpu = cpu;
            place_of_cpu_[static_cast<std::size_t>(cpu)] = places_.back().get();
        }
    }

    session(const session&) = delete;
    session& operator=(const session&) = delete;

    /// Its writers have ended before.
    ~session() {
        RINGPROOF_CONTRACT(
            std::none_of(slots_.begin(), slots_.end(), [](const auto& one) { return one->taken; }),
            "a session goes while it has writers");
    }

    /// Opens an event; it has no ring yet, and what is written to it goes nowhere.
    /// @throws std::length_error when there are too many, std::invalid_argument for a CPU of a session per thread, a
    /// thread of one per CPU, or a CPU where the session has no rings
    [[nodiscard]] event open(event_options options = {}) {
        const bool per_thread = options_.mode == deployment::per_thread;
        if (per_thread ? options.cpu != -1 : options.thread != 0)
            throw std::invalid_argument(
                per_thread ? "a session per thread has no rings of a CPU: an event of one can't be there"
                           : "a session per CPU has no rings of a thread: an event of one can't be there");
        if (options.cpu != -1 &&
            (options.cpu < 0 || static_cast<std::size_t>(options.cpu) >= place_of_cpu_.size() ||
             place_of_cpu_[static_cast<std::size_t>(options.cpu)] == nullptr))
            throw std::invalid_argument("a session has no rings of CPU " + std::to_string(options.cpu));
        const std::lock_guard lock(mutex_);
        if (events_.size() == most_events) throw std::length_error("a session has at most 16 events");
        events_.push_back({options, false, false, none});
        return static_cast<event>(events_.size() - 1);
    }

    /// Gives an event a ring at each place. Nothing happens when it has them, or is redirected.
    /// @throws std::out_of_range for an event that is not open, std::bad_alloc; then it has none
    void map(event which) {
        std::unique_lock lock(mutex_);
        wait_until_closed(which, lock);
        entry& one = known(which);
        if (one.mapped || one.output != none) return;
        // All of them first: what can fail is over before a writer finds one.
        std::vector<std::unique_ptr<open_ring>> made;
        for (const auto& where : places_) made.push_back(ring_for(*where, which));
        rings_.reserve(rings_.size() + made.size());
        for (std::size_t i = 0; i != made.size(); ++i) install(*places_[i], which, std::move(made[i]));
        one.mapped = true;
    }

    /// Takes the rings of an event away, from all that write them. What is in them is still read.
    /// @throws std::out_of_range for an event that is not open
    void unmap(event which) {
        std::unique_lock lock(mutex_);
        wait_until_closed(which, lock);
        if (!known(which).mapped) return;
        events_[which].closing = true; // mapped until it is over
        for (entry& other : events_)
            if (other.output == which) other.output = none;
        std::vector<open_ring*> going;
        for (const auto& where : places_)
            if (where->own[which] != nullptr) {
                for (word& one : where->to)
                    if (Barriers::own(one) == address(where->own[which])) Barriers::announce(one, 0);
                going.push_back(std::exchange(where->own[which], nullptr));
            }
        Barriers::settle();
        // Who had looked before has announced it.
        std::vector<std::pair<const slot*, std::uint64_t>> writing;
        for (const auto& one : slots_)
            if (const std::uint64_t since = one->announced.oldest(); since != announcement<Barriers>::idle)
                writing.emplace_back(one.get(), since);
        lock.unlock();
        for (const auto& [one, since] : writing)
            while (!one->announced.has_passed(since)) std::this_thread::yield();
        lock.lock();
        for (open_ring* const one : going) one->orphan = true;
        events_[which].mapped = events_[which].closing = false;
        wake();
    }

    /// From now on what is written to `from` goes to the rings of `to`; `none` as `to`: nowhere.
    /// @throws std::out_of_range for an event that is not open
    output_refusal redirect(event from, event to) {
        const std::lock_guard lock(mutex_);
        entry& one = known(from);
        if (to != none) {
            output_description target = described(to);
            const bool same = from == to;
            if (const event owner = events_[to].output; owner != none) { // whose ring it is that `to` writes
                to = owner;
                target.mapped = events_[owner].mapped;
                target.closing = events_[owner].closing;
            }
            const output_refusal why = may_redirect(described(from), target, same);
            if (why != output_refusal::none) return why;
        }
        one.output = to;
        for (const auto& where : places_)
            Barriers::announce(where->to[from], to == none ? 0 : address(where->own[to]));
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
        const slot* behind = nullptr;
        std::uint64_t vouched = 0;
        {
            const std::lock_guard lock(mutex_);
            for (const auto& one : slots_)
                if (const std::uint64_t since = one->announced.oldest(); since < horizon)
                    horizon = since, behind = one.get();
            vouched = horizon;
            // Behind the announcements: what is older than the horizon has been reserved, at least.
            for (auto& one : rings_) vouched = std::min(vouched, drain(*one, horizon));
            // An orphan's writers had passed before it became one: it is empty now.
            std::erase_if(rings_, [](const auto& one) { return one->orphan; });
        }
        // What this round has not found is not older than that.
        const std::size_t count = give_out(vouched, use);
        const std::lock_guard lock(mutex_);
        const bool holds_back = merge_.waiting_items() != 0;
        held_up_by_ = holds_back ? behind : nullptr;
        held_up_since_ = horizon;
        held_up_in_a_ring_ = holds_back && vouched < horizon;
        return count;
    }

    /// Takes all rings away and gives out everything that was in them.
    template <class Use>
    std::size_t close(Use&& use) {
        for (event which = 0; which != opened(); ++which) unmap(which);
        {
            const std::lock_guard lock(mutex_);
            for (auto& one : rings_) drain(*one, std::numeric_limits<std::uint64_t>::max());
            rings_.clear();
        }
        return give_out(std::numeric_limits<std::uint64_t>::max(), use);
    }

    /// Sleeps until a ring has passed its watermark, a writer was refused, or somebody has called `wake`. All who wait
    /// are woken. Where the last round had to hold records back, also until the writer who was in their way has gone on;
    /// nobody tells of that, so it is looked for every 50 microseconds.
    void wait() {
        const slot* by = nullptr;
        std::uint64_t since = 0;
        {
            const std::lock_guard lock(mutex_);
            by = held_up_by_, since = held_up_since_;
            // The writer who is in the way there has begun after the round had. The next one sees it.
            if (by == nullptr && held_up_in_a_ring_) return;
        }
        while (Barriers::raised(news_) == 0) {
            if (by == nullptr)
                Barriers::sleep_while(news_, 0);
            else if (by->announced.has_passed(since))
                return;
            else
                std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
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
    /// Records that came in after a later one had been given out: 0, unless the clock goes back. Reader only.
    [[nodiscard]] std::uint64_t late() const { return merge_.late(); }

  private:
    struct open_ring {
        open_ring(std::size_t capacity, int cpu) : ring(capacity, cpu) {}
        detail::session_ring<Barriers> ring;
        bool orphan = false; ///< nobody writes it any more
    };
    using word = std::atomic<std::uint64_t>;
    /// A CPU or a thread: where each event is written there.
    struct place {
        int cpu = -1;                              ///< -1: of a thread
        std::uint32_t thread = 0;                  ///< the number of its writer
        std::array<word, most_events> to{};        ///< addresses of open_rings; 0: nowhere
        std::array<open_ring*, most_events> own{}; ///< under the mutex
    };
    struct slot {
        announcement<Barriers> announced;
        std::uint32_t number = 0;
        bool taken = false; ///< under the mutex
    };
    struct entry {
        event_options options;
        bool mapped, closing;
        event output;
    };

    static std::uint64_t address(const open_ring* ring) noexcept {
        return reinterpret_cast<std::uintptr_t>(ring);
    }

    [[nodiscard]] output_description described(event which) const {
        const entry& one = known(which);
        return {one.options.cpu,      one.options.thread, one.options.clock, one.options.aux_source,
                one.options.backward, one.mapped,         one.closing};
    }

    [[nodiscard]] const entry& known(event which) const {
        if (which >= events_.size())
            throw std::out_of_range("a session with " + std::to_string(events_.size()) +
                                    " events, numbered from 0, has no event " + std::to_string(which));
        return events_[which];
    }
    [[nodiscard]] entry& known(event which) {
        return const_cast<entry&>(static_cast<const session&>(*this).known(which));
    }
    [[nodiscard]] event opened() const {
        const std::lock_guard lock(mutex_);
        return static_cast<event>(events_.size());
    }

    /// The ring of an event at a place, or nullptr: it has none there. @throws std::bad_alloc
    [[nodiscard]] std::unique_ptr<open_ring> ring_for(const place& where, event which) const {
        const event_options& options = events_[which].options;
        if ((options.cpu != -1 && options.cpu != where.cpu) ||
            (options.thread != 0 && options.thread != where.thread))
            return nullptr;
        return std::make_unique<open_ring>(options_.capacity, where.cpu);
    }

    /// There is room for it in `rings_`.
    void install(place& where, event which, std::unique_ptr<open_ring> ring) noexcept {
        if (ring == nullptr) return;
        where.own[which] = ring.get();
        rings_.push_back(std::move(ring));
        Barriers::announce(where.to[which], address(where.own[which]));
    }

    /// Until no `unmap` of it is under way.
    void wait_until_closed(event which, std::unique_lock<Mutex>& lock) const {
        while (known(which).closing) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
    }

    /// @return what everything still to come from it is no older than
    std::uint64_t drain(open_ring& from, std::uint64_t horizon) {
        const std::uint64_t result = from.ring.drain(merge_, from.orphan, given_, horizon);
        if (from.orphan) lost_before_ += from.ring.lost();
        return result;
    }

    template <class Use>
    std::size_t give_out(std::uint64_t horizon, Use& use) {
        return merge_.release(horizon, [&](const detail::session_item& one, std::uint64_t time) {
            given_ = time;
            use(session_record{time, one.type, one.event, one.writer, one.payload});
        });
    }

    /// Bytes in a ring that wake the reader.
    [[nodiscard]] std::size_t mark() const noexcept {
        return options_.watermark == 0 ? options_.capacity / 2
                                       : std::min(options_.watermark, options_.capacity / 2);
    }

    slot& take_slot() {
        for (const auto& one : slots_)
            if (!one->taken) return *one;
        slots_.push_back(std::make_unique<slot>());
        return *slots_.back();
    }

    session_options options_;
    mutable Mutex mutex_;
    std::vector<std::unique_ptr<place>> places_;
    std::vector<place*> place_of_cpu_;              ///< not changed after construction
    std::vector<std::unique_ptr<open_ring>> rings_; ///< an orphan until it has been read
    std::vector<std::unique_ptr<slot>> slots_; ///< never freed before the session, so that all can be asked
    std::vector<entry> events_;
    std::uint32_t writers_ = 0;
    std::uint64_t lost_before_ = 0; ///< in rings that are gone
    time_merge<detail::session_item> merge_;
    std::uint64_t given_ = 0;          ///< time of the last that was given out
    const slot* held_up_by_ = nullptr; ///< whose record on its way holds others back; under the mutex
    std::uint64_t held_up_since_ = 0;
    bool held_up_in_a_ring_ = false; ///< a record behind one that is not complete holds others back
    alignas(line_pair) std::atomic<std::uint32_t> news_{0};
};

} // namespace ringproof

#include "ringproof/session/session_writer.hpp" // IWYU pragma: export
