// SPDX-License-Identifier: Apache-2.0
// LTTng's user-space tracer as a flight recorder: a snapshot session, whose buffers overwrite the oldest, with as many
// bytes as the others have. The writing is done by ringproof-bench-lttng beside this program.
//
// A session daemon that runs already is used; without one our own is started and ended with us.
#include "../src/workload/catalogue.hpp"
#include "../src/workload/payload.hpp"
#include "lttng/command.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace ringproof::bench {
namespace {

namespace fs = std::filesystem;

class tracing_session {
  public:
    static tracing_session& get() {
        static tracing_session one;
        return one;
    }
    tracing_session(const tracing_session&) = delete;
    tracing_session& operator=(const tracing_session&) = delete;

    /// Why there is none; empty: there is.
    const std::string& refused() const { return refused_; }
    const std::string& name() const { return name_; }
    const fs::path& folder() const { return folder_; }

  private:
    tracing_session() : name_("ringproof-bench-" + std::to_string(::getpid())) {
        char pattern[] = "/tmp/ringproof-bench-XXXXXX";
        if (!::mkdtemp(pattern)) {
            refused_ = "no folder in /tmp";
            return;
        }
        folder_ = pattern;
        if (lttng::client({"list"}) != 0 && !started()) return;
        const std::string in = "--session=" + name_;
        if (lttng::client({"create", name_, "--snapshot", "--output=" + (folder_ / "trace").string()}) != 0 ||
            lttng::client({"enable-channel", "--userspace", in, "--overwrite", "--subbuf-size=65536",
                           "--num-subbuf=" + std::to_string(record_queue_bytes / 65536), "records"}) != 0 ||
            lttng::client({"enable-event", "--userspace", in, "--channel=records", "ringproof_bench:*"}) !=
                0 ||
            lttng::client({"start", name_}) != 0)
            refused_ = "lttng makes no session (is this user in the group tracing?)";
    }
    ~tracing_session() {
        if (folder_.empty()) return;
        lttng::client({"destroy", "--no-wait", name_});
        if (daemon_ > 0) {
            ::kill(daemon_, SIGTERM);
            ::waitpid(daemon_, nullptr, 0);
        }
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    /// One of our own, with its files in our folder where the user is not root (root's always lie in /run/lttng).
    bool started() {
        ::setenv("LTTNG_HOME", folder_.c_str(), 1);
        daemon_ = lttng::start({"lttng-sessiond", "--no-kernel"});
        for (int tries = 0; daemon_ > 0 && tries < 100; ++tries) {
            if (lttng::client({"list"}) == 0) return true;
            int status = 0;
            if (::waitpid(daemon_, &status, WNOHANG) == daemon_) {
                daemon_ = -1;
                refused_ = WIFEXITED(status) && WEXITSTATUS(status) == 127
                               ? "lttng-sessiond is not installed (Debian: lttng-tools)"
                               : "lttng-sessiond does not start";
                return false;
            }
            ::usleep(50'000);
        }
        refused_ = "lttng-sessiond does not answer";
        return false;
    }

    std::string name_, refused_;
    fs::path folder_;
    pid_t daemon_ = -1;
};

/// The output of a program's only line.
std::string line_of(const std::string& command) {
    std::string line;
    if (std::FILE* pipe = ::popen(command.c_str(), "r")) {
        char text[512];
        if (std::fgets(text, sizeof text, pipe)) line = text;
        ::pclose(pipe);
    }
    while (!line.empty() && line.back() == '\n') line.pop_back();
    return line;
}

run_result run_lttng(const placement& where, const run_settings& settings) {
    run_result result;
    std::error_code error;
    const fs::path writer = fs::read_symlink("/proc/self/exe", error).parent_path() / "ringproof-bench-lttng";
    if (!fs::exists(writer, error)) {
        result.skipped = "ringproof-bench-lttng is not beside this program";
        return result;
    }
    const tracing_session& session = tracing_session::get();
    if (!session.refused().empty()) {
        result.skipped = session.refused();
        return result;
    }
    fs::remove_all(session.folder() / "trace", error); // an earlier repetition's
    std::ostringstream command;
    command << "timeout -s KILL 60 '" << writer.string() << "' " << session.name() << ' '
            << (session.folder() / "trace").string() << ' ' << where.consumer << ' '
            << static_cast<int>(settings.priority) << ' ' << settings.times.warm_up.count() << ' '
            << settings.times.measure.count();
    std::istringstream answer(line_of(command.str()));
    std::string what;
    if (!(answer >> result.operations >> result.seconds >> result.cpu_seconds >> result.off_cpu)) {
        result.skipped = "ringproof-bench-lttng gives no answer";
        return result;
    }
    std::getline(answer >> std::ws, what);
    constexpr std::string_view skipped = "skipped: ";
    if (what.starts_with(skipped))
        result.skipped = what.substr(skipped.size());
    else
        result.error = what;
    return result;
}

} // namespace

void add_lttng_ust(catalogue& out) {
    out.peers.push_back({"lttng_ust", "fields of any size, in CTF", "total in each CPU's buffer",
                         "discards, or overwrites", "counted in each packet", "snapshot session",
                         "yes, each into buffers of its daemon", "its sub-buffer is lost or partial"});
    entry e;
    e.workload = "overwrite/records:64/write";
    e.peer = "lttng_ust";
    e.bytes = 64;
    e.probed = false;
    e.limit = limit_kind::copy;
    e.run = run_lttng;
    out.push_back(std::move(e));
}

} // namespace ringproof::bench
