// SPDX-License-Identifier: Apache-2.0
#include "../../src/doctor/doctor.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <unistd.h>

using namespace ringproof::bench;
namespace fs = std::filesystem;

namespace {

/// A root folder with files of our choice.
class made_up {
  public:
    made_up() {
        std::string name = (fs::temp_directory_path() / "doctor-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        root = name;
    }
    made_up(const made_up&) = delete;
    made_up& operator=(const made_up&) = delete;
    ~made_up() {
        std::error_code ignored;
        fs::remove_all(root, ignored);
    }
    made_up& with(const std::string& path, const std::string& text) {
        fs::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text << '\n';
        return *this;
    }
    /// What was found about a subject; "" when nothing was.
    finding about(const std::string& subject) const {
        const auto all = examine_files(root);
        const auto f =
            std::find_if(all.begin(), all.end(), [&](const finding& x) { return x.subject == subject; });
        return f == all.end() ? finding{} : *f;
    }
    fs::path root;
};

const std::string cpu = "sys/devices/system/cpu/";

} // namespace

TEST_CASE("A quiet machine of metal has nothing suspect") {
    made_up m;
    m.with("proc/cpuinfo", "model name\t: Example 9000\nflags\t\t: fpu tsc constant_tsc nonstop_tsc");
    m.with(cpu + "online", "0-3").with(cpu + "smt/active", "0").with(cpu + "isolated", "2-3");
    m.with(cpu + "cpu0/cpufreq/scaling_governor", "performance").with(cpu + "intel_pstate/no_turbo", "1");
    m.with("proc/loadavg", "0.02 0.01 0.00 1/100 1");
    m.with("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
    for (const finding& f : examine_files(m.root)) {
        INFO(f.subject << ": " << f.found);
        CHECK(f.state != health::suspect);
    }
    CHECK_THAT(m.about("processor").found, Catch::Contains("Example 9000") && Catch::Contains("0-3"));
    CHECK_THAT(m.about("isolation").remedy, Catch::Contains("2-3"));
}

TEST_CASE("What disturbs is suspect, and there is something to do about it") {
    made_up m;
    m.with("proc/cpuinfo", "flags\t\t: fpu tsc hypervisor").with("proc/loadavg", "13.5 1 1 1/1 1");
    m.with(cpu + "cpu0/cpufreq/scaling_governor", "performance");
    m.with(cpu + "cpu1/cpufreq/scaling_governor", "powersave").with(cpu + "cpufreq/boost", "1");
    m.with("sys/fs/cgroup/cpu.max", "150000 100000").with("sys/devices/system/node/online", "0-1");
    m.with("proc/sys/kernel/numa_balancing", "1");
    m.with("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
    for (const char* subject : {"hypervisor", "load", "turbo", "quota", "NUMA", "clock source"}) {
        INFO(subject);
        CHECK(m.about(subject).state == health::suspect);
        CHECK_FALSE(m.about(subject).means.empty());
        CHECK_FALSE(m.about(subject).remedy.empty());
    }
    const auto all = examine_files(m.root);
    CHECK(std::any_of(all.begin(), all.end(), [](const finding& f) {
        return f.subject == "governor" && f.found == "powersave" && f.state == health::suspect;
    }));
}

TEST_CASE("A machine that tells nothing is examined all the same") {
    const made_up nothing;
    for (const finding& f : examine_files(nothing.root)) CHECK(f.state != health::suspect);
    CHECK(nothing.about("quota").subject.empty());
}

TEST_CASE("What has to be tried out is tried out on this machine") {
    const auto all = examine_live();
    CHECK(all.size() == 4);
    for (const finding& f : all) CHECK_FALSE(f.found.empty());
}
