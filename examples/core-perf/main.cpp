// SPDX-License-Identifier: Apache-2.0
// perf as the consumer of our ring: `core_perf RECORDS FILE [lossy|newest]` starts an unmodified `perf record`, whose
// perf_event_open is that of shim.cpp, and writes RECORDS samples into a ring that perf maps and empties into FILE. The
// number of a sample is its instruction pointer: `perf script -D -i FILE` shows it.
//
// The producer waits for room. With `lossy` a sample that finds no room is lost, and the ring tells perf so. With `newest`
// a sample overwrites the oldest, and perf takes what there is at the end (`perf record --overwrite`).
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/mapped_memory.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/recorder.hpp>

namespace {

using ring_type = ringproof::record_ring<ringproof::single, ringproof::acquire_release,
                                         ringproof::keep_oldest, ringproof::perf_abi>;
using recorder_type = ringproof::recorder<ringproof::single, ringproof::backward, ringproof::acquire_release,
                                          ringproof::perf_abi>;

enum class when_full { wait, lose, overwrite };

constexpr const char* pages = "16"; // of the ring; perf maps as many, and the control page
// With `lossy`: twice as many samples as the ring holds, and time enough for perf to empty it.
constexpr long burst = 4096;
constexpr useconds_t pause = 10'000;

/// As perf reads a sample of which it has asked for PERF_SAMPLE_IP, PERF_SAMPLE_TID and PERF_SAMPLE_TIME.
struct sample {
    std::uint64_t ip;
    std::uint32_t pid, tid;
    std::uint64_t time; // nanoseconds
};

std::uint64_t now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

/// A process that runs perf. It inherits the ring's memory and `end`.
pid_t start_perf(int ring, int end, const char* file, when_full how) {
    const std::string producer = std::to_string(getpid());
    const pid_t child = fork();
    if (child != 0) return child;
    setenv("CORE_PERF_RING", std::to_string(dup(ring)).c_str(), 1); // the ring's own is closed by exec
    setenv("CORE_PERF_END", std::to_string(end).c_str(), 1);
    setenv("LD_PRELOAD", CORE_PERF_SHIM, 1);
    std::vector<const char*> line{"perf",
                                  "record",
                                  "--quiet",
                                  "-e",
                                  "dummy:u",
                                  "-c",
                                  "1",
                                  "-T",
                                  "-m",
                                  pages,
                                  "--per-thread",
                                  "-t",
                                  producer.c_str(),
                                  "--no-bpf-event",
                                  "--no-buildid",
                                  "-o",
                                  file};
    if (how == when_full::overwrite) line.push_back("--overwrite");
    line.push_back(nullptr);
    execvp("perf", const_cast<char**>(line.data()));
    _exit(127);
}

bool has_ended(pid_t child) {
    siginfo_t how{};
    return waitid(P_PID, static_cast<id_t>(child), &how, WEXITED | WNOHANG | WNOWAIT) == 0 && how.si_pid != 0;
}

/// Writes samples 1 to `count`; `write` writes one. @return how many were written
template <class Write>
long produce(long count, Write write) {
    const auto self = static_cast<std::uint32_t>(getpid());
    long written = 0;
    for (long number = 1; number <= count; ++number) {
        const sample one{static_cast<std::uint64_t>(number), self, self, now()};
        written += write(number, std::as_bytes(std::span(&one, 1)));
    }
    return written;
}

/// @return the exit code
int end_of(pid_t perf) {
    int status = 0;
    waitpid(perf, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        std::puts("perf is not installed");
        return 77;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    std::fprintf(stderr, "perf record ended with status %d\n", status);
    return 1;
}

int run(long count, const char* file, when_full how) {
    const auto size = static_cast<std::size_t>(std::atoi(pages)) * ringproof::mapped_memory::page_size();
    ringproof::ring_memory memory = ringproof::mapped_memory::shared(size);
    int end[2];
    if (pipe(end) != 0 || fcntl(end[1], F_SETFD, FD_CLOEXEC) != 0) return 1;
    if (how == when_full::overwrite) {
        recorder_type recorder(std::move(memory));
        const pid_t perf = start_perf(recorder.memory().descriptor(), end[0], file, how);
        const long written = produce(count, [&](long, auto bytes) { return recorder.write(bytes); });
        close(end[1]);
        std::printf("%ld samples written\n", written);
        return end_of(perf);
    }
    ring_type ring(std::move(memory));
    const pid_t perf = start_perf(ring.memory().descriptor(), end[0], file, how);
    const long written = produce(count, [&](long number, auto bytes) {
        if (how == when_full::lose) {
            if (number % burst == 0) usleep(pause);
            // The first burst fills the ring: perf may take its time to start, and finds losses in the middle then.
            if (number == burst)
                for (const auto full = ring.size_guess(); ring.size_guess() == full && !has_ended(perf);)
                    usleep(pause);
            return ring.write(bytes);
        }
        while (!ring.try_write(bytes)) {
            if (has_ended(perf)) return false;
            sched_yield();
        }
        return true;
    });
    close(end[1]);
    const int code = end_of(perf);
    std::printf("%ld samples written, %llu lost, of which %llu untold; perf has left %zu bytes\n", written,
                static_cast<unsigned long long>(ring.lost()),
                static_cast<unsigned long long>(ring.unreported()), ring.size_guess());
    return code;
}

} // namespace

int main(int argc, char** argv) try {
    const std::string_view word = argc > 3 ? argv[3] : "";
    if (argc < 3 || std::atol(argv[1]) < 1 || (!word.empty() && word != "lossy" && word != "newest")) {
        std::fprintf(stderr, "usage: core_perf RECORDS FILE [lossy|newest]\n");
        return 2;
    }
    return run(std::atol(argv[1]), argv[2],
               word == "lossy"    ? when_full::lose
               : word == "newest" ? when_full::overwrite
                                  : when_full::wait);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
