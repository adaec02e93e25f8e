// SPDX-License-Identifier: Apache-2.0
#include "trust.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>

namespace ringproof::bench {
namespace {

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

bool under_hypervisor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("flags") && line.find(" hypervisor") != std::string::npos) return true;
    return false;
}

#ifdef __x86_64__
constexpr bool built_for_x86 = true;
#else
constexpr bool built_for_x86 = false;
#endif

} // namespace

bool is_emulated(std::istream& cpuinfo, bool for_x86) {
    for (std::string line; std::getline(cpuinfo, line);)
        if (line.starts_with("vendor_id"))
            return !for_x86; // only x86's has one, and user-mode emulators show it
    return false;
}

cpu_ticks parse_cpu_ticks(const std::string& line) {
    std::istringstream in(line);
    std::string name;
    cpu_ticks t;
    if (!(in >> name) || name != "cpu") return t;
    unsigned long long value = 0;
    for (int column = 0; column < 8 && in >> value;
         ++column) { // user nice system idle iowait irq softirq steal
        t.total += value;
        if (column == 7) t.steal = value;
    }
    return t;
}

cpu_ticks read_cpu_ticks() { return parse_cpu_ticks(first_line("/proc/stat")); }

std::vector<std::string> warnings_before(const std::vector<int>& cpus) {
    std::vector<std::string> warnings;
    std::ifstream cpuinfo("/proc/cpuinfo");
    if (is_emulated(cpuinfo, built_for_x86))
        warnings.push_back("emulated: this is no measurement, it only shows that the program runs");
    if (under_hypervisor())
        warnings.push_back(
            "virtual machine: the hypervisor moves CPUs; compare ratios within one regime, not "
            "nanoseconds");
    std::set<std::string> governors;
    for (const int cpu : cpus) {
        const auto governor =
            first_line(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", cpu));
        if (!governor.empty() && governor != "performance") governors.insert(governor);
    }
    for (const auto& governor : governors)
        warnings.push_back(fmt::format("frequency governor is '{}', not 'performance'", governor));
    double load[1] = {0};
    if (getloadavg(load, 1) == 1 && load[0] > 0.5)
        warnings.push_back(
            fmt::format("load average {:.1f} at the start: other programs use these CPUs", load[0]));
#ifndef NDEBUG
    warnings.push_back("built with assertions: not the code a release runs");
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    warnings.push_back("built with a sanitizer: these times say nothing");
#endif
    return warnings;
}

std::vector<std::string> warnings_after(const cpu_ticks& start) {
    const cpu_ticks end = read_cpu_ticks();
    if (end.total <= start.total) return {};
    const double share =
        static_cast<double>(end.steal - start.steal) / static_cast<double>(end.total - start.total);
    if (share < 0.005) return {};
    return {fmt::format("the hypervisor gave {:.1f} % of CPU time to others (steal) during the run",
                        share * 100)};
}

} // namespace ringproof::bench
