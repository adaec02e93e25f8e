// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which events are opened where, and the one reader over all their rings.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <ringproof/session/time_merge.hpp>

#include "data_file.hpp"
#include "event_ids.hpp"
#include "event_name.hpp"
#include "kernel_event.hpp"
#include "workload.hpp"

namespace ringproof::record_command {

/// Which rings there are, and who writes them. After tools/perf/util/evlist.c of Linux.
enum class deployment {
    threads_by_cpu, ///< perf's default: a ring per CPU, written by the threads named and what they start
    by_thread,      ///< a ring per thread, wherever it runs; what it starts is left out
    by_cpu,         ///< a ring per CPU, written by whatever runs there
};

struct recording_options {
    deployment mode = deployment::threads_by_cpu;
    std::vector<int> cpus;      ///< for rings by CPU
    std::vector<pid_t> threads; ///< that run already; none: the command, or everything
    std::vector<std::string> command;
    std::vector<named_event> events;
    std::uint64_t frequency = 4000; ///< samples a second that the kernel aims at
    std::uint64_t period = 0;       ///< a sample every so many events; 0: by frequency
    std::size_t pages = 128;        ///< of a ring
    bool call_chains = false;       ///< of frame pointers, with each sample
    bool snapshot = false;          ///< overwritable rings, written out on SIGUSR2 and at the end
    std::string output = "perf.data";
    std::vector<std::string> invocation; ///< what the file says it was made by
};

/// What a recording had of one event.
struct recorded_event {
    std::string name;
    std::uint64_t samples = 0; ///< in the file
    std::uint64_t counted = 0; ///< by the kernel
    std::uint64_t lost = 0;    ///< samples for which there was no room, as the kernel counts them
};

struct recording_result {
    std::vector<recorded_event> events;
    std::uint64_t other_records = 0;
    std::uint64_t lost_records = 0; ///< of all kinds, told by LOST records
    std::uint64_t damaged_bytes = 0;
    std::uint64_t set_right = 0; ///< samples that had the id of another recording's event (see event_ids)
    std::uint64_t unknown = 0;   ///< samples of which nothing tells the event: not in the file
    std::uint64_t late = 0;      ///< records that came out of order
    std::uint64_t bytes = 0;
    std::uint64_t snapshots = 0;
    std::size_t rings = 0;
    bool only_user = false;            ///< the kernel's side was left out, for want of permission
    int signal = 0;                    ///< that ended it; 0: the end of what was recorded
    std::optional<int> command_status; ///< of wait(2), where a command has ended by itself
};

/// Records from the start of a command, or of attaching, to its end, or SIGINT or SIGTERM.
class recording {
  public:
    /// Opens everything. @throws not_permitted, not_available, std::system_error, std::invalid_argument
    explicit recording(recording_options options);
    /// @throws std::system_error
    [[nodiscard]] recording_result run();

  private:
    /// A CPU, or any (-1), and the threads that write its ring there; -1: all.
    struct place {
        int cpu;
        std::vector<pid_t> threads;
    };
    struct merged {
        std::uint32_t type;
        std::uint16_t misc;
        std::vector<std::byte> payload;
    };

    void choose_places();
    void open_events();
    void open_at(const place& where);
    kernel_event& open_event(std::size_t which, pid_t thread, int cpu, perf_event_attr attr);
    [[nodiscard]] bool has_tracepoints() const;
    /// Which event tells of names and mappings.
    [[nodiscard]] std::size_t tracking_event() const;
    [[nodiscard]] perf_event_attr attributes(std::size_t which) const;
    [[nodiscard]] std::vector<file_event> described() const;
    void synthesise(data_file& file);
    void take(std::uint32_t type, std::uint16_t misc, const record& one);
    void round(data_file& file);
    void take_snapshot(data_file& file);
    void release(data_file& file, std::uint64_t horizon);
    void count(recording_result& result, data_file& file);

    recording_options options_;
    std::unique_ptr<workload> command_;
    std::vector<place> places_;
    struct open_one {
        std::size_t which;
        std::unique_ptr<kernel_event> event;
    };
    std::vector<open_one> open_;
    std::vector<std::unique_ptr<kernel_ring>> rings_;
    std::vector<int> ring_descriptors_;
    std::vector<std::unique_ptr<overwritable_ring>> overwritable_;
    event_ids ids_;
    bool tracks_apart_ = false; ///< by an event of its own, the last
    time_merge<merged> merge_;
    std::uint64_t last_round_ = 0; ///< when it began
    std::uint64_t first_time_ = 0, last_time_ = 0;
    recording_result result_;
};

} // namespace ringproof::record_command
