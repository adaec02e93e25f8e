// SPDX-License-Identifier: Apache-2.0
#include "doctor.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>

namespace ringproof::bench {
namespace {

namespace fs = std::filesystem;

class reader {
  public:
    explicit reader(fs::path root) : root_(std::move(root)) {}

    /// The first line; empty where there is no such file.
    std::string line(const std::string& path) const {
        std::ifstream file(root_ / path);
        std::string text;
        std::getline(file, text);
        return text;
    }
    /// What stands behind "name :" in /proc/cpuinfo, the first time.
    std::string cpuinfo(const std::string& name) const {
        std::ifstream file(root_ / "proc/cpuinfo");
        for (std::string text; std::getline(file, text);)
            if (text.starts_with(name)) {
                const auto colon = text.find(':');
                return colon + 2 < text.size() ? text.substr(colon + 2) : "";
            }
        return {};
    }
    bool flag(const std::string& name) const {
        std::istringstream in(cpuinfo("flags"));
        for (std::string word; in >> word;)
            if (word == name) return true;
        return false;
    }
    /// The different values of a file that each CPU has.
    std::set<std::string> each_cpu(const std::string& file) const {
        std::set<std::string> values;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(root_ / "sys/devices/system/cpu", error)) {
            const std::string name = entry.path().filename();
            if (name.size() < 4 || !name.starts_with("cpu") || name[3] < '0' || name[3] > '9') continue;
            const std::string value = line("sys/devices/system/cpu/" + name + "/" + file);
            if (!value.empty()) values.insert(value);
        }
        return values;
    }

  private:
    fs::path root_;
};

std::string caches(const reader& files) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
        const std::string folder = fmt::format("sys/devices/system/cpu/cpu0/cache/index{}/", i);
        const std::string level = files.line(folder + "level"), type = files.line(folder + "type");
        if (level.empty()) break;
        if (!text.empty()) text += ", ";
        text += fmt::format("L{}{} {} (CPUs {})", level,
                            type == "Data"          ? "d"
                            : type == "Instruction" ? "i"
                                                    : "",
                            files.line(folder + "size"), files.line(folder + "shared_cpu_list"));
    }
    return text;
}

void processor(const reader& files, std::vector<finding>& out) {
    std::string model = files.cpuinfo("model name");
    if (model.empty()) model = "unnamed (implementer " + files.cpuinfo("CPU implementer") + ")";
    out.push_back({health::good, "processor",
                   fmt::format("{}, CPUs {}", model, files.line("sys/devices/system/cpu/online")), "", ""});
    if (const std::string text = caches(files); !text.empty())
        out.push_back({health::good, "caches", text, "", ""});
    const std::string smt = files.line("sys/devices/system/cpu/smt/active");
    if (smt == "1")
        out.push_back(
            {health::note, "SMT", "on",
             "two threads of one core share its caches and ports: pairs on one core are fast in round "
             "trips and slow in everything else",
             "compare within one placement; for steady figures echo off > "
             "/sys/devices/system/cpu/smt/control"});
    else if (smt == "0")
        out.push_back({health::good, "SMT", "off", "", ""});
}

void frequency(const reader& files, std::vector<finding>& out) {
    const auto governors = files.each_cpu("cpufreq/scaling_governor");
    if (governors.empty())
        out.push_back({health::note, "governor", "none shown",
                       "firmware or the hypervisor chooses the frequency, unseen", ""});
    for (const std::string& g : governors)
        if (g == "performance")
            out.push_back({health::good, "governor", g, "", ""});
        else
            out.push_back({health::suspect, "governor", g,
                           "the frequency follows the load: short measurements see it rise",
                           "cpupower frequency-set -g performance"});
    const std::string no_turbo = files.line("sys/devices/system/cpu/intel_pstate/no_turbo"),
                      boost = files.line("sys/devices/system/cpu/cpufreq/boost");
    if (no_turbo == "0" || boost == "1")
        out.push_back({health::suspect, "turbo", "on",
                       "the frequency depends on temperature and on what other cores do",
                       no_turbo == "0" ? "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"
                                       : "echo 0 > /sys/devices/system/cpu/cpufreq/boost"});
    else if (no_turbo == "1" || boost == "0")
        out.push_back({health::good, "turbo", "off", "", ""});
    else
        out.push_back({health::note, "turbo", "not shown", "it may be on", ""});
}

void who_else(const reader& files, std::vector<finding>& out) {
    const std::string isolated = files.line("sys/devices/system/cpu/isolated"),
                      ticks = files.line("sys/devices/system/cpu/nohz_full");
    if (isolated.empty())
        out.push_back({health::note, "isolation", "no CPU is isolated",
                       "other programs and interrupts come between; --priority realtime keeps programs away",
                       "boot with isolcpus=2,3 nohz_full=2,3 and say --placement 2:3"});
    else
        out.push_back({health::good, "isolation",
                       fmt::format("CPUs {}{}", isolated,
                                   ticks.empty() || ticks == "(null)" ? "" : ", without ticks " + ticks),
                       "", fmt::format("say --placement with CPUs of {}", isolated)});

    if (files.flag("hypervisor") || !files.line("sys/hypervisor/type").empty()) {
        const std::string vendor = files.line("sys/class/dmi/id/sys_vendor");
        out.push_back(
            {health::suspect, "hypervisor", vendor.empty() ? "yes" : vendor,
             "it moves the CPUs under the program: the same two may be near now and far in a minute, "
             "which changes every queue 3-10 times",
             "compare ratios within one regime (the tables keep them apart), not nanoseconds"});
    } else {
        out.push_back({health::good, "hypervisor", "none seen", "", ""});
    }
    const std::string load = files.line("proc/loadavg");
    if (const double busy = std::strtod(load.c_str(), nullptr); busy > 0.5)
        out.push_back(
            {health::suspect, "load", fmt::format("{:.1f} on average over a minute", busy),
             "other programs use these CPUs and caches",
             "stop them, or --priority realtime to keep them off the CPUs (not out of the caches)"});
    else if (!load.empty())
        out.push_back({health::good, "load", fmt::format("{:.1f}", busy), "", ""});

    const std::string quota = files.line("sys/fs/cgroup/cpu.max");
    if (!quota.empty() && !quota.starts_with("max"))
        out.push_back({health::suspect, "quota", "cpu.max " + quota,
                       "the control group stops all threads when its share of the period is used up",
                       "run outside the container, or without a CPU limit"});
}

void kernel(const reader& files, std::vector<finding>& out) {
    const std::string huge = files.line("sys/kernel/mm/transparent_hugepage/enabled");
    if (!huge.empty())
        out.push_back(
            {huge.find("[never]") != std::string::npos ? health::note : health::good, "huge pages",
             fmt::format("transparent {}, reserved {}", huge, files.line("proc/sys/vm/nr_hugepages")),
             huge.find("[never]") != std::string::npos ? "large rings miss the TLB more often" : "", ""});
    const std::string clock = files.line("sys/devices/system/clocksource/clocksource0/current_clocksource");
    const bool steady = !files.flag("tsc") || (files.flag("constant_tsc") && files.flag("nonstop_tsc"));
    if (clock == "hpet" || clock == "acpi_pm" || clock == "jiffies" || clock == "refined-jiffies" || !steady)
        out.push_back({health::suspect, "clock source",
                       clock + (steady ? "" : ", and the TSC is not constant"),
                       "a look at the clock takes a microsecond: latencies carry it",
                       "boot with tsc=reliable if the processor's TSC is"});
    else if (!clock.empty())
        out.push_back({health::good, "clock source", clock, "", ""});
    const std::string nodes = files.line("sys/devices/system/node/online");
    if (!nodes.empty() && nodes != "0") {
        const bool moves = files.line("proc/sys/kernel/numa_balancing") == "1";
        out.push_back({moves ? health::suspect : health::good, "NUMA", "nodes " + nodes,
                       moves ? "numa_balancing moves pages while it is measured" : "",
                       moves ? "sysctl kernel.numa_balancing=0" : ""});
    }
    if (const auto drivers = files.each_cpu("cpuidle/state3/name"); !drivers.empty())
        out.push_back({health::note, "idle states", "deep ones are allowed (" + *drivers.begin() + ")",
                       "waking a sleeping consumer takes as long as leaving them",
                       "for wake-up latency: cpupower idle-set -D 10"});
}

} // namespace

std::vector<finding> examine_files(const fs::path& root) {
    const reader files(root);
    std::vector<finding> out;
    processor(files, out);
    frequency(files, out);
    who_else(files, out);
    kernel(files, out);
    return out;
}

} // namespace ringproof::bench
