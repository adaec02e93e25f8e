// SPDX-License-Identifier: Apache-2.0
// record_ring<robust> as it ships, between two processes that fork() makes: the child writes a record and may be killed at any of
// its accesses; the parent writes too, reads, and recovers what the child has left. That the child is dead is what /proc says.
// ring/robust.cpp has the same with threads, where two producers and a consumer fit.

#include "../ring/mutants.hpp"

#include <ringproof/layout/between_processes.hpp>
#include <ringproof/mapped_memory.hpp>
#include <ringproof/producer/robust.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/verify/process.h>

#include <array>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

namespace verify = ringproof::verify;

namespace {

using ringproof::between_processes, ringproof::mapped_memory, ringproof::record_ring, ringproof::refuse;
using namespace ringproof::scenarios;
using identity = ringproof::detail::process_identity;

/// Takes any other process for dead, as a time-out would.
struct hasty : identity {
    static bool dead(std::uint64_t who) noexcept { return !is_own(who); }
};

constexpr std::size_t words = 2;
using payload = std::array<std::uint64_t, words>;

template <class Ring>
bool write(Ring& to, std::uint64_t number) {
    auto room = to.try_begin(sizeof(payload));
    if (!room) return false;
    const payload content{number, number};
    room.copy_from(std::as_bytes(std::span(content)));
    return true;
}

/// What the consumer has seen: each record at most once, and whole.
struct reader {
    std::array<unsigned, 3> delivered{};
    template <class Ring>
    void drain(Ring& ring) {
        for (const auto record : ring.read()) {
            payload got{};
            VERIFY_THAT(record.copy_to(std::as_writable_bytes(std::span(got))) == sizeof got);
            VERIFY_THAT(got[0] == got[1] && (got[0] == 1 || got[0] == 2));
            VERIFY_THAT(++delivered[got[0]] == 1);
        }
        VERIFY_THAT(ring.error() == ringproof::read_error::none);
    }
};

/// Whether the child was killed; otherwise it has written its record.
bool was_killed(pid_t child) {
    int status = 0;
    VERIFY_THAT(::waitpid(child, &status, 0) == child);
    VERIFY_THAT(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

/// A child that attaches to the ring in `descriptor`, and writes record 1.
template <class Ring>
[[gnu::always_inline]] inline pid_t fork_writer(int descriptor) {
    const pid_t child = ::fork();
    if (child == 0) {
        Ring own(mapped_memory::attach(descriptor));
        ::_exit(write(own, 1) ? 0 : 1);
    }
    return child;
}

enum class dies { perhaps, by_kill };

template <class Identity, class Barriers>
void child_is_killed(dies how) {
    using ring_type = record_ring<ringproof::robust_producer<Identity>, Barriers, refuse, between_processes>;
    auto memory = mapped_memory::shared(4096);
    const int descriptor = memory.descriptor();
    ring_type ring(std::move(memory));
    const pid_t child = fork_writer<ring_type>(descriptor);
    how == dies::perhaps ? ringproof_may_be_killed(child) : void(::kill(child, SIGKILL));
    reader seen;
    VERIFY_THAT(write(ring, 2));
    seen.drain(ring);
    const auto early = ring.recover(); // of one that may be alive
    const bool killed = was_killed(child);
    const auto late = ring.recover();
    seen.drain(ring);
    const auto lost = early.records + late.records;
    VERIFY_THAT(late.complete && !early.orphan && !late.orphan);
    VERIFY_THAT(seen.delivered[2] == 1 && seen.delivered[1] + lost <= 1 && ring.lost() == lost);
    if (!killed) VERIFY_THAT(seen.delivered[1] == 1);
    VERIFY_THAT(ring.size_guess() == 0);
    if (killed) verify::cover("killed");
    if (lost != 0) verify::cover("recovered");
    if (killed && seen.delivered[1] == 1) verify::cover("its record arrived");
    if (killed && lost + seen.delivered[1] == 0) verify::cover("it had claimed nothing");
}

/// What a killed child has reserved is never committed, and hides what comes behind it, until a process calls recover().
void child_is_killed_and_nobody_recovers() {
    using ring_type = record_ring<ringproof::robust_producer<identity>, watched, refuse, between_processes>;
    auto memory = mapped_memory::shared(4096);
    const int descriptor = memory.descriptor();
    ring_type ring(std::move(memory));
    const pid_t child = fork_writer<ring_type>(descriptor);
    ringproof_may_be_killed(child);
    reader seen;
    was_killed(child);
    VERIFY_THAT(write(ring, 2));
    seen.drain(ring);
    VERIFY_THAT(seen.delivered[2] == 1);
}

} // namespace

VERIFY("robust, two processes: a child may be killed at any access", .models = {rc11, sc, tso},
       .covers = {"killed", "recovered", "its record arrived", "it had claimed nothing"}) {
    child_is_killed<identity, watched>(dies::perhaps);
}
VERIFY("robust, two processes: a child is killed by kill()", .models = {rc11},
       .covers = {"killed", "recovered", "its record arrived", "it had claimed nothing"}) {
    child_is_killed<identity, watched>(dies::by_kill);
}
VERIFY("robust, two processes: taken for dead while it may live", .expect = refuted) {
    child_is_killed<hasty, watched>(dies::perhaps);
}
VERIFY("robust, two processes: B relaxed", .expect = refuted, .mutant = 'B') {
    child_is_killed<identity, without_b>(dies::perhaps);
}
VERIFY("robust, two processes: C relaxed", .expect = refuted, .mutant = 'C') {
    child_is_killed<identity, without_c>(dies::perhaps);
}
VERIFY("robust, two processes: a child is killed, and nobody recovers", .expect = refuted) {
    child_is_killed_and_nobody_recovers();
}
