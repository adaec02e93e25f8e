// SPDX-License-Identifier: Apache-2.0
// A session itself: its rings come and go while threads write and the reader reads. What was accepted is delivered, what
// was refused is told, in the order of time, and nobody touches a ring that is gone.

#include "sleeper.hpp"

#include <ringproof/session/session.hpp>

#include <array>
#include <cstring>
#include <mutex>
#include <thread>

namespace verify = ringproof::verify;

namespace {

using ringproof::deployment, ringproof::local_change, ringproof::session_record;
using ringproof::scenarios::watched;

/// A clock that never goes back, and synchronises nothing beyond that.
struct counter_clock {
    static inline std::atomic<std::uint64_t> time{1};
    static std::uint64_t now() { return time.fetch_add(1, std::memory_order_relaxed); }
};

/// Every thread is on CPU 0, and restartable sequences are what the kernel makes of them.
template <class Base>
struct on_cpu_0 : Base {
    using position = typename Base::position;
    template <class>
    static unsigned cpu() noexcept {
        return 0;
    }
    template <class>
    static local_change claim_on(unsigned, std::atomic<position>& reserved, position& expected,
                                 position desired) noexcept {
        return Base::claim(reserved, expected, desired) ? local_change::done : local_change::changed;
    }
};

/// What the reader got.
struct judge {
    std::uint64_t last = 0;
    unsigned delivered = 0, lost = 0;
    void operator()(const session_record& one) {
        VERIFY_THAT(one.time >= last);
        last = one.time;
        if (one.type == ringproof::record_type::lost) {
            ringproof::lost_record what{};
            std::memcpy(&what, one.payload.data(), sizeof what);
            lost += static_cast<unsigned>(what.count);
        } else
            ++delivered;
    }
};

/// Excludes nobody.
struct no_mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
};

template <class Barriers, class Mutex = std::mutex>
using session = ringproof::session<counter_clock, Barriers, Mutex>;

constexpr std::byte nothing[1]{};

/// One thread writes an event, by way of another's ring, which comes and goes; the reader makes a round.
template <class Barriers>
void rings_come_and_go() {
    session<Barriers> s({deployment::cpu_list, {0}, 64});
    const auto owner = s.open(), guest = s.open();
    bool written = false;
    std::thread thread([&, writer = s.attach()]() mutable { written = writer.write(guest, nothing); });
    s.map(owner);
    VERIFY_THAT(s.redirect(guest, owner) == ringproof::output_refusal::none);
    s.unmap(owner);
    judge all;
    s.read(all); // frees it
    if (all.delivered == 1) verify::cover("read before the end");
    thread.join();
    s.close(all);
    if (!written) verify::cover("before or after");
    VERIFY_THAT(all.delivered == (written ? 1U : 0U));
    VERIFY_THAT(s.rings() == 0);
}

/// Two threads with rings of their own write a record each; the reader makes a round meanwhile. With one of them its ring
/// goes.
template <class Barriers, class Mutex>
void threads_come_and_go() {
    session<Barriers, Mutex> s({deployment::per_thread, {}, 64});
    const auto event = s.open();
    s.map(event);
    std::thread first([&, writer = s.attach()]() mutable {
        VERIFY_THAT(writer.write(event, nothing));
        auto last = std::move(writer);
    });
    auto mine = s.attach();
    std::thread second([&] { VERIFY_THAT(mine.write(event, nothing)); });
    judge all;
    s.read(all);
    if (all.delivered == 1) verify::cover("one given out");
    if (s.rings() == 1) verify::cover("a ring has gone");
    first.join();
    second.join();
    s.close(all);
    VERIFY_THAT(all.delivered == 2);
    VERIFY_THAT(s.late() == 0);
}

/// An event is redirected to another's ring while that is written, and taken away: it never writes what nobody reads any
/// more.
template <class Barriers, class Mutex>
void redirected_to_what_goes() {
    session<Barriers, Mutex> s({deployment::cpu_list, {0}, 64});
    const auto owner = s.open(), guest = s.open();
    s.map(owner);
    auto writer = s.attach();
    bool written = false;
    std::thread writing([&] { written = writer.write(owner, nothing); });
    std::thread redirecting([&] {
        const auto answer = s.redirect(guest, owner);
        if (answer == ringproof::output_refusal::closing) verify::cover("closing");
        if (answer == ringproof::output_refusal::no_ring) verify::cover("gone");
        if (answer == ringproof::output_refusal::none) verify::cover("redirected");
    });
    s.unmap(owner);
    judge all;
    s.read(all);
    VERIFY_THAT(s.rings() == 0);
    redirecting.join();
    writing.join();
    VERIFY_THAT(!writer.write(guest, nothing));
    s.close(all);
    VERIFY_THAT(all.delivered == (written ? 1U : 0U));
}

/// The reader only reads when it has been woken. One writer's record is worth it; the other's is not, but may be in its way.
template <class Barriers>
void nobody_sleeps_for_ever() {
    session<Barriers> s({deployment::per_thread, {}, 128, 40});
    const auto event = s.open();
    s.map(event);
    auto writer = s.attach(), other = s.attach();
    std::thread large([&] { VERIFY_THAT(writer.write(event, std::array<std::byte, 17>{})); });
    std::thread small([&] { VERIFY_THAT(other.write(event, nothing)); });
    judge all;
    bool seen = false;
    unsigned rounds = 0;
    while (!seen) {
        s.wait();
        s.read([&](const session_record& one) {
            all(one);
            seen = seen || one.payload.size() == 17;
        });
        if (++rounds != 1) verify::cover("held back");
    }
    large.join();
    small.join();
}

/// Full fences left out: who takes a ring away does not see that somebody is writing it.
struct settle_left_out : watched {
    static void settle() noexcept {}
};
/// "Nothing on its way" is said before what was is there.
struct announced_relaxed : watched {
    static void announce(std::atomic<position>& word, position value) noexcept { set_own(word, value); }
};

/// The policy that ships, telling the checker that the reader slept.
template <class Base>
struct sleeping : Base {
    static void sleep_while(const std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        verify::cover("slept");
        Base::sleep_while(flag, value);
    }
};

} // namespace

VERIFY("session: rings come and go under a writer, and what was accepted is read", .models = {rc11, sc, tso},
       .covers = {"read before the end", "before or after"}) {
    rings_come_and_go<on_cpu_0<watched>>();
}
VERIFY("session: rings come and go under a writer, and what was accepted is read, settle left out",
       .models = {rc11, tso}, .expect = refuted) {
    rings_come_and_go<on_cpu_0<settle_left_out>>();
}
VERIFY("session: rings come and go under a writer, and what was accepted is read, announced relaxed",
       .expect = refuted) {
    rings_come_and_go<on_cpu_0<announced_relaxed>>();
}
VERIFY("session: threads and their rings come and go while the reader reads", .models = {rc11, sc, tso},
       .covers = {"one given out", "a ring has gone"}) {
    threads_come_and_go<watched, std::mutex>();
}
VERIFY("session: threads and their rings come and go while the reader reads, settle left out",
       .expect = refuted) {
    threads_come_and_go<settle_left_out, std::mutex>();
}
VERIFY("session: threads and their rings come and go while the reader reads, without the mutex",
       .models = {rc11, sc, tso}, .expect = refuted) {
    threads_come_and_go<watched, no_mutex>();
}
VERIFY("session: nothing is redirected to a ring that goes", .models = {rc11, sc, tso},
       .covers = {"redirected", "closing", "gone"}) {
    redirected_to_what_goes<on_cpu_0<watched>, std::mutex>();
}
VERIFY("session: nothing is redirected to a ring that goes, without the mutex", .models = {rc11, sc, tso},
       .expect = refuted) {
    redirected_to_what_goes<on_cpu_0<watched>, no_mutex>();
}
VERIFY("session: the reader does not sleep for ever", .models = {rc11, sc, tso},
       .covers = {"slept", "held back"}) {
    nobody_sleeps_for_ever<sleeping<watched>>();
}
VERIFY("session: the reader does not sleep for ever, raised relaxed", .expect = refuted) {
    nobody_sleeps_for_ever<sleeping<ringproof::scenarios::raised_relaxed>>();
}
