// SPDX-License-Identifier: Apache-2.0
// What the others do while a writer is held up in the middle of a record.
#include "ringproof/session/session.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <thread>

#include <pthread.h>
#include <sched.h>

#include "delivery_check.hpp"

using namespace ringproof;

namespace {

/// A clock that holds a writer up where it has chosen its ring and taken its stamp.
struct held_clock {
    static inline std::atomic<int> looks_left{-1}; ///< of the thread that is to be held up
    static inline std::atomic<bool> inside{false};
    static inline std::atomic<bool> gone{false};     ///< the ring has been taken away
    static inline std::atomic<bool> was_gone{false}; ///< under the writer's eyes
    static inline std::atomic<bool> waits{false};    ///< until it is let go, instead of a while
    static inline std::atomic<bool> let_go{false};
    static inline thread_local bool to_be_held = false;
    static std::uint64_t now() {
        const std::uint64_t time = monotonic_clock::now(); // before it is held up: others get newer ones
        if (to_be_held && --looks_left == 0) {
            inside = true;
            if (!waits)
                std::this_thread::sleep_for(std::chrono::milliseconds(50)); // time enough to do it wrong
            while (waits && !let_go) std::this_thread::yield();
            was_gone = gone.load();
        }
        return time;
    }
};

/// Holds a writer up where its record is complete but for the word that says so.
struct held_commit : acquire_release {
    static inline std::atomic<bool> inside{false}, let_go{false};
    static inline thread_local bool to_be_held = false;
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        if (to_be_held) inside = true;
        while (to_be_held && !let_go) std::this_thread::yield();
        acquire_release::commit(word, value);
    }
};

/// While it lives, a thread that is to be held up stays so until it is let go, from its look at the clock number `looks` on.
class until_let_go {
  public:
    explicit until_let_go(int looks) {
        held_clock::looks_left = looks;
        held_clock::inside = held_clock::let_go = false;
        held_commit::inside = held_commit::let_go = false;
        held_clock::waits = true;
    }
    ~until_let_go() { held_clock::waits = false; }
    until_let_go(const until_let_go&) = delete;
    until_let_go& operator=(const until_let_go&) = delete;
};

/// A writer that is held would find another ring, or none any more, where it is moved to meanwhile. Threads that are made
/// meanwhile stay there too.
class stay_on_one_cpu {
  public:
    stay_on_one_cpu() {
        static_cast<void>(::pthread_getaffinity_np(::pthread_self(), sizeof before_, &before_));
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one);
        static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof one, &one));
    }
    ~stay_on_one_cpu() {
        static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof before_, &before_));
    }
    stay_on_one_cpu(const stay_on_one_cpu&) = delete;
    stay_on_one_cpu& operator=(const stay_on_one_cpu&) = delete;

  private:
    cpu_set_t before_;
};

/// A thread that writes one record and is held up in the middle of it; it has got there when this is made.
class held_writer {
  public:
    template <class Session>
    held_writer(Session& s, std::uint32_t event, bool stays)
        : thread_([this, &s, event, stays] {
              auto writer = s.attach();
              std::optional<stay_on_one_cpu> here;
              if (stays) here.emplace();
              held_clock::to_be_held = true;
              written_ = number(writer, event, 1);
              held_clock::to_be_held = false;
          }) {
        while (!held_clock::inside) std::this_thread::yield();
    }
    /// Ends when it has been let go. @return whether it wrote
    bool end() {
        thread_.join();
        return written_;
    }

  private:
    bool written_ = false;
    std::thread thread_;
};

/// A thread that writes one record, which is reserved and not complete when this is made.
class writer_in_front {
  public:
    template <class Session>
    writer_in_front(Session& s, std::uint32_t event)
        : thread_([&s, event] {
              auto writer = s.attach();
              held_commit::to_be_held = true;
              number(writer, event, 1);
              held_commit::to_be_held = false;
          }) {
        while (!held_commit::inside) std::this_thread::yield();
    }
    void end() {
        held_commit::let_go = true;
        thread_.join();
    }

  private:
    std::thread thread_;
};

} // namespace

TEST_CASE("a ring is not taken away while somebody writes it, and what is written is read") {
    held_clock::looks_left = 2;
    session<held_clock> s({deployment::system_wide, {}});
    const auto event = s.open();
    s.map(event);
    held_writer writing(s, event, true);
    delivery_check all;
    s.read(all); // nothing to be seen, and nothing newer to be given out
    s.unmap(event);
    held_clock::gone = true;
    CHECK(writing.end());
    CHECK_FALSE(held_clock::was_gone);
    s.close(all);
    CHECK(all.delivered == 1);
}

TEST_CASE("what is newer than a record on its way waits for it") {
    const until_let_go held(2);
    session<held_clock> s({deployment::per_thread, {}});
    const auto event = s.open();
    s.map(event);
    held_writer writing(s, event, false);
    auto other = s.attach();
    CHECK(number(other, event, 1));
    delivery_check all;
    CHECK(s.read(all) == 0);
    held_clock::let_go = true;
    CHECK(writing.end());
    CHECK(s.read(all) == 2);
    CHECK(all.in_time);
    CHECK(s.late() == 0);
}

TEST_CASE("a ring that is going is not shared any more, and nobody else waits until it has gone") {
    const until_let_go held(2);
    session<held_clock> s({deployment::system_wide, {}});
    const auto going = s.open(), guest = s.open();
    s.map(going);
    held_writer writing(s, going, true);
    std::atomic<bool> gone{false};
    std::thread unmapping([&] {
        s.unmap(going);
        gone = true;
    });
    // From here on the others go on: they share, attach, write and read.
    while (s.redirect(guest, going) != output_refusal::closing) std::this_thread::yield();
    auto other = s.attach();
    CHECK_FALSE(number(other, going, 2));
    delivery_check all;
    s.read(all);
    CHECK_FALSE(gone);
    held_clock::let_go = true;
    CHECK(writing.end());
    unmapping.join();
    CHECK(s.redirect(guest, going) == output_refusal::no_ring);
    s.close(all);
    CHECK(all.delivered == 1);
}

TEST_CASE("what is newer than a record that lies behind an incomplete one waits for both") {
    const until_let_go held(2);
    session<held_clock, held_commit> s({deployment::system_wide, {}});
    const auto shared_ring = s.open(), other_ring = s.open();
    s.map(shared_ring);
    s.map(other_ring);
    const stay_on_one_cpu here; // they meet in its ring
    auto mine = s.attach();
    held_writer behind(s, shared_ring, false); // has its stamp, and no room yet
    CHECK(number(mine, other_ring, 1));
    writer_in_front in_front(s, shared_ring); // has the newest stamp
    held_clock::let_go = true;
    CHECK(behind.end()); // complete, idle, and not to be seen
    delivery_check all;
    CHECK(s.read(all) == 0);
    in_front.end();
    CHECK(s.read(all) == 3);
    CHECK(all.in_time);
    CHECK(s.late() == 0);
}

TEST_CASE("a reader does not sleep while an incomplete record that it did not know of holds others back") {
    const until_let_go held(1);
    session<held_clock, held_commit> s({deployment::system_wide, {}});
    const auto shared_ring = s.open(), other_ring = s.open();
    s.map(shared_ring);
    s.map(other_ring);
    const stay_on_one_cpu here;
    auto mine = s.attach();
    CHECK(number(mine, other_ring, 1));
    delivery_check all;
    std::size_t first = 1;
    std::thread reader([&] {
        held_clock::to_be_held = true; // behind its look at the clock
        first = s.read(all);
        held_clock::to_be_held = false;
    });
    while (!held_clock::inside) std::this_thread::yield();
    writer_in_front in_front(s, shared_ring);
    held_clock::let_go = true;
    reader.join();
    CHECK(first == 0);
    in_front.end();
    s.wait(); // without being woken
    CHECK(s.read(all) == 2);
    CHECK(all.in_time);
}
