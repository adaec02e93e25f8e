// SPDX-License-Identifier: Apache-2.0
// The flight recorder's workload with LTTng's tracepoints: usage: ringproof-bench-lttng SESSION FOLDER CPU PRIORITY
// WARM-UP MEASURE (seconds). Prints operations, seconds, CPU seconds, share off the CPU, and what went wrong.
//
// A program of its own, because the library starts threads before main and talks to its daemon from then on.
#include "../../src/workload/overwrite.hpp"
#include "command.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

extern "C" {
int ringproof_lttng_enabled(void);
void ringproof_lttng_write(std::uint64_t first, unsigned count);
}

namespace ringproof::bench {
namespace {

std::string session, folder;

/// The buffers are the session's, not ours.
struct recorder {
    using payload = record<64>;
    explicit recorder(std::size_t) {}
    void write(const payload& p) {
        ringproof_lttng_write(p.words[0], 1);
        newest = p;
    }
    /// The newest one only, looked for in what a snapshot leaves in files: its 64 bytes stand there as they were.
    template <class Use>
    void newest_first(Use&& use) {
        namespace fs = std::filesystem;
        if (lttng::client({"snapshot", "record", "--session=" + session}) != 0)
            throw std::runtime_error("lttng takes no snapshot");
        const std::string wanted(reinterpret_cast<const char*>(newest.words.data()), sizeof newest.words);
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(file), {}};
            if (bytes.find(wanted) != std::string::npos) return use(newest);
        }
    }
    payload newest{};
};

/// The daemon enables events from a thread of the library's.
bool enabled_within(seconds limit) {
    for (const auto end = steady::now() + limit; steady::now() < end;) {
        if (ringproof_lttng_enabled() != 0) return true;
        ::usleep(1000);
    }
    return false;
}

} // namespace
} // namespace ringproof::bench

int main(int argc, char** argv) {
    using namespace ringproof::bench;
    if (argc != 7) {
        std::fprintf(stderr, "usage: ringproof-bench-lttng SESSION FOLDER CPU PRIORITY WARM-UP MEASURE\n");
        return 2;
    }
    session = argv[1];
    folder = argv[2];
    placement where;
    where.consumer = std::atoi(argv[3]);
    where.producers = {where.consumer};
    run_settings settings;
    settings.priority = static_cast<urgency>(std::atoi(argv[4]));
    settings.times.warm_up = seconds(std::atof(argv[5]));
    settings.times.measure = seconds(std::atof(argv[6]));
    settings.times.drain = seconds(20); // the snapshot at the end
    if (!enabled_within(seconds(5))) {
        std::printf("0 0 0 0 skipped: the daemon does not enable the tracepoint\n");
        return 0;
    }
    run_result r;
    try {
        set_urgency(settings.priority, true);
        r = run_overwrite<recorder>(where, settings);
    } catch (const std::exception& e) {
        r.error = e.what();
    }
    std::printf("%llu %.9f %.9f %.9f %s\n", static_cast<unsigned long long>(r.operations), r.seconds,
                r.cpu_seconds, r.off_cpu, (r.error.empty() ? r.stuck : r.error).c_str());
    return 0;
}
