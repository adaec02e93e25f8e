// SPDX-License-Identifier: Apache-2.0
// perf as the consumer of an AUX area of ours: `core_perf_trace BYTES FILE` starts an unmodified `perf record`, and writes
// BYTES of trace into an area that perf maps beside the ring, and empties into FILE. The trace is the numbers from 1 on:
// `perf report -D -i FILE` shows them.
//
// perf maps an AUX area for the trace units that it knows by name, where the machine has one. It looks for them in sysfs,
// and takes another folder for sysfs where SYSFS_PATH names one. Here that folder has an intel_bts, whose trace perf
// writes down as it is, in entries of 24 bytes. perf asks the processor too: on others than Intel's it maps no area.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ringproof/aux/aux_area.hpp>
#include <ringproof/full/refuse.hpp>
#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/mapped_memory.hpp>
#include <ringproof/record_ring.hpp>

namespace {

namespace fs = std::filesystem;
using ring_type = ringproof::record_ring<ringproof::single, ringproof::acquire_release, ringproof::refuse,
                                         ringproof::perf_abi>;

constexpr std::size_t pages = 16;             // of the ring, and of the area
constexpr std::size_t entry = 24;             // bytes
using piece = std::array<std::uint64_t, 300>; // 100 entries

/// The ring and, behind it in the same file, the area: where perf looks for it.
struct both {
    int file = memfd_create("ring and area", MFD_CLOEXEC);
    std::size_t size = ringproof::mapped_memory::page_size() * (1 + pages);
    void *ring = nullptr, *area = nullptr;

    both() {
        const auto behind = static_cast<off_t>(size - ringproof::mapped_memory::page_size());
        if (file < 0 || ftruncate(file, behind + static_cast<off_t>(size)) != 0)
            throw std::runtime_error("no memory for the ring");
        ring = map(0);
        area = map(behind); // with the page before it, the ring's last, in the place of a control page
    }

  private:
    void* map(off_t offset) const {
        void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
        if (at == MAP_FAILED) throw std::runtime_error("the ring cannot be mapped");
        return at;
    }
};

/// Sysfs with a trace unit; gone with this.
struct machine {
    fs::path folder = fs::temp_directory_path() / ("core_perf_trace." + std::to_string(getpid()));

    machine() {
        const fs::path unit = folder / "bus/event_source/devices/intel_bts";
        fs::create_directories(unit);
        fs::create_directory_symlink("/sys/devices", folder / "devices");
        std::ofstream(unit / "type") << "12\n"; // any: nothing of the kernel's is opened
    }
    ~machine() {
        std::error_code none;
        fs::remove_all(folder, none);
    }
};

/// A process that runs perf. It inherits the memory and `end`.
pid_t start_perf(const both& memory, const machine& of, int end, const char* file) {
    const std::string producer = std::to_string(getpid()),
                      size = std::to_string(pages) + "," + std::to_string(pages);
    const pid_t child = fork();
    if (child != 0) return child;
    setenv("CORE_PERF_RING", std::to_string(dup(memory.file)).c_str(), 1);
    setenv("CORE_PERF_END", std::to_string(end).c_str(), 1);
    setenv("CORE_PERF_NO_SAMPLES", "1", 1);
    setenv("SYSFS_PATH", of.folder.c_str(), 1);
    setenv("LD_PRELOAD", CORE_PERF_SHIM, 1);
    execlp("perf", "perf", "record", "--quiet", "-e", "intel_bts//u", "-m", size.c_str(), "--per-thread",
           "-t", producer.c_str(), "--no-bpf-event", "--no-buildid", "-o", file, nullptr);
    _exit(127);
}

bool has_ended(pid_t child) {
    siginfo_t how{};
    return waitid(P_PID, static_cast<id_t>(child), &how, WEXITED | WNOHANG | WNOWAIT) == 0 && how.si_pid != 0;
}

/// Waits until perf has mapped the area, right behind the ring, or has ended.
/// @return whether it has mapped it; it never does where it knows no trace unit
bool wait_for_area(const both& memory, pid_t perf) {
    constexpr useconds_t pause = 10'000;
    constexpr int longest = 10'000'000 / pause; // ten seconds, where perf takes a part of one
    const std::uint64_t& size = static_cast<const perf_event_mmap_page*>(memory.ring)->aux_size;
    for (int waited = 0; waited < longest && !has_ended(perf); ++waited) {
        if (__atomic_load_n(&size, __ATOMIC_RELAXED) != 0) return true;
        usleep(pause);
    }
    return false;
}

/// Writes numbers until there are `count`. The source stops when the area is full, and starts again when perf has moved
/// aux_tail. As intel_bts does, it leaves out the end of the area that no entry fits into; perf cuts this off.
/// @return the bytes of trace
std::size_t produce(ringproof::aux_area<ring_type>& area, std::uint64_t count, pid_t perf) {
    constexpr useconds_t pause = 1000;
    const std::size_t capacity = area.memory().capacity();
    piece words;
    std::size_t written = 0, at = 0; // `at`: in the area
    for (std::uint64_t next = 1; next <= count && !has_ended(perf);) {
        auto room = area.begin();
        if (!room || room.room() < sizeof words + entry) {
            usleep(pause);
            continue;
        }
        if (const std::size_t left = capacity - at; left < entry) {
            room.skip(left);
            at = 0;
        }
        std::iota(words.begin(), words.end(), next);
        const std::size_t size = std::min(sizeof words, (capacity - at) / entry * entry);
        room.append(std::as_bytes(std::span(words)).first(size));
        at = (at + size) % capacity;
        written += size;
        next += size / sizeof(std::uint64_t);
    }
    return written;
}

int run(std::uint64_t count, const char* file) {
    const both memory;
    const machine of;
    ring_type ring(ringproof::mapped_memory::foreign(memory.ring, memory.size));
    ringproof::aux_area area(ring, ringproof::mapped_memory::foreign(memory.area, memory.size),
                             {.restart_by_tail = true});
    int end[2];
    if (pipe(end) != 0 || fcntl(end[1], F_SETFD, FD_CLOEXEC) != 0) return 1;
    const pid_t perf = start_perf(memory, of, end[0], file);
    const bool mapped = wait_for_area(memory, perf);
    const std::size_t written = mapped ? produce(area, count, perf) : 0;
    close(end[1]);
    if (!mapped) kill(perf, SIGTERM);
    int status = 0;
    waitpid(perf, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return std::puts("perf is not installed"), 77;
    if (!mapped) return std::puts("perf has mapped no AUX area: it knows no intel_bts here"), 77;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return std::fprintf(stderr, "perf record ended with status %d\n", status), 1;
    std::printf("%zu bytes of trace written\n", written);
    return 0;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 3 || std::atoll(argv[1]) < 1) {
        std::fprintf(stderr, "usage: core_perf_trace BYTES FILE\n");
        return 2;
    }
    return run(std::strtoull(argv[1], nullptr, 10) / sizeof(std::uint64_t), argv[2]);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
