// SPDX-License-Identifier: Apache-2.0
#include "../harness/probe.hpp"
#include "../harness/regime.hpp"
#include "../harness/trust.hpp"
#include "../topology/machine.hpp"
#include "../topology/pin.hpp"
#include "doctor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace ringproof::bench {
namespace {

/// 0, or why not.
int open_event(std::uint32_t type, std::uint64_t config, bool kernel) {
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = type;
    attr.config = config;
    attr.exclude_kernel = !kernel;
    const auto fd = static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (fd < 0) return errno;
    ::close(fd);
    return 0;
}

finding perf_permission() {
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    std::string level = "?";
    std::getline(file, level);
    const int software = open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, false),
              hardware = open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false);
    const std::string found = fmt::format("perf_event_paranoid {}; software events: {}; hardware events: {}",
                                          level, software == 0 ? "yes" : std::strerror(software),
                                          hardware == 0 ? "yes" : std::strerror(hardware));
    if (software != 0)
        return {health::note, "perf", found, "the kernel's own ring can't be measured beside ours",
                "sysctl kernel.perf_event_paranoid=1, or CAP_PERFMON"};
    return {health::good, "perf", found, "", ""};
}

finding priority() {
    urgency got = urgency::normal;
    std::thread([&] { got = set_urgency(urgency::realtime); }).join();
    if (got == urgency::realtime) return {health::good, "priority", "real time is permitted", "", ""};
    return {health::suspect, "priority",
            got == urgency::high ? "nice -20 is permitted, real time is not"
                                 : "neither real time nor nice -20",
            "other programs' threads come between", "run as root, or with CAP_SYS_NICE"};
}

finding stolen(double share) {
    const std::string found = fmt::format("{:.1f} %", share * 100);
    if (share < 0.005) return {health::good, "steal", found, "", ""};
    return {health::suspect, "steal", found, "the hypervisor gives this machine's CPU time to others",
            "a machine of its own, or dedicated CPUs"};
}

finding distance_now(const std::vector<double>& trips, int a, int b) {
    if (trips.empty())
        return {health::suspect, "ping-pong", fmt::format("CPUs {} and {} did not meet", a, b),
                "they hardly run at the same time", ""};
    const auto [low, high] = std::minmax_element(trips.begin(), trips.end());
    const std::string found = fmt::format("CPUs {} and {}: {:.0f}-{:.0f} ns a round trip ({})", a, b, *low,
                                          *high, to_string(probe_pair{*low, *low}.classify()));
    if (*high <= probe_tolerance * *low) return {health::good, "ping-pong", found, "", ""};
    return {health::suspect, "ping-pong", found, "the distance of two CPUs changed within half a second",
            "measurements whose two probes disagree are repeated; ask for more --repetitions"};
}

} // namespace

std::vector<finding> examine_live() {
    const machine here = machine::detect();
    const cpu_ticks start = read_cpu_ticks();
    std::vector<double> trips;
    const int a = here.cpus.front().index, b = here.cpus.back().index;
    for (int i = 0; i < 10; ++i) {
        if (a != b)
            if (const double trip = probe_round_trip(a, b, 1000); trip > 0) trips.push_back(trip);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const cpu_ticks end = read_cpu_ticks();
    std::vector<finding> out;
    if (here.cpus.size() == 1)
        out.push_back({health::suspect, "CPUs", "this process may use a single one",
                       "all threads share it: everything is oversubscribed",
                       "taskset, or the container's cpuset"});
    else
        out.push_back(distance_now(trips, a, b));
    out.push_back(stolen(end.total > start.total ? static_cast<double>(end.steal - start.steal) /
                                                       static_cast<double>(end.total - start.total)
                                                 : 0));
    out.push_back(priority());
    out.push_back(perf_permission());
    return out;
}

} // namespace ringproof::bench
