// SPDX-License-Identifier: Apache-2.0
#include "recording.hpp"

#include "sample_format.hpp"
#include "synthesise.hpp"
#include "tracing_data.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <limits>
#include <poll.h>
#include <stdexcept>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>

namespace ringproof::record_command {
namespace {

constexpr int round_ms = 200; ///< also what is below the watermark is fetched after this time

/// The clock of the time stamps.
std::uint64_t now() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(time.tv_nsec);
}

/// The signals of a recording, as something to poll.
class signals {
  public:
    signals() {
        sigset_t mine;
        sigemptyset(&mine);
        for (const int one : {SIGINT, SIGTERM, SIGUSR2, SIGCHLD}) sigaddset(&mine, one);
        ::sigprocmask(SIG_BLOCK, &mine, &before_);
        descriptor_ = ::signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
        if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
    }
    signals(const signals&) = delete;
    signals& operator=(const signals&) = delete;
    ~signals() {
        ::close(descriptor_);
        ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// The next one that has come; 0: none.
    [[nodiscard]] int take() const {
        signalfd_siginfo what{};
        return ::read(descriptor_, &what, sizeof what) == static_cast<ssize_t>(sizeof what)
                   ? static_cast<int>(what.ssi_signo)
                   : 0;
    }

  private:
    sigset_t before_{};
    int descriptor_;
};

} // namespace

recording::recording(recording_options options) : options_(std::move(options)) {
    // Overwritable rings lose names and mappings with the rest: those go to a ring that is read. And where processes run
    // already, what they do while we read what they have done so far must not be missed: that event begins earlier.
    tracks_apart_ = options_.snapshot || options_.command.empty() || !options_.threads.empty() ||
                    options_.mode == deployment::by_cpu;
    if (tracks_apart_) options_.events.push_back(parse_event("dummy:u"));
    choose_places();
    open_events();
    result_.rings = rings_.size() + overwritable_.size();
}

void recording::choose_places() {
    if (options_.mode == deployment::by_cpu) {
        for (const int cpu : options_.cpus) places_.push_back({cpu, {-1}});
        return;
    }
    if (!options_.command.empty() && options_.threads.empty()) {
        command_ = std::make_unique<workload>(options_.command);
        options_.threads = {command_->process()};
    }
    if (options_.mode == deployment::by_thread)
        for (const pid_t thread : options_.threads) places_.push_back({-1, {thread}});
    else
        for (const int cpu : options_.cpus) places_.push_back({cpu, options_.threads});
}

bool recording::has_tracepoints() const {
    return std::any_of(options_.events.begin(), options_.events.end(),
                       [](const named_event& one) { return one.attr.type == PERF_TYPE_TRACEPOINT; });
}

std::size_t recording::tracking_event() const { return tracks_apart_ ? options_.events.size() - 1 : 0; }

perf_event_attr recording::attributes(std::size_t which) const {
    const named_event& event = options_.events[which];
    perf_event_attr attr = event.attr;
    attr.sample_type = sample_type;
    if (has_tracepoints()) attr.sample_type |= PERF_SAMPLE_RAW;
    if (options_.call_chains) attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
    attr.sample_id_all = 1;
    attr.disabled = 1;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    attr.exclude_guest = 1;
    const bool tracks = which == tracking_event();
    attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = tracks;
    attr.write_backward = options_.snapshot && !tracks;
    attr.inherit = options_.mode == deployment::threads_by_cpu;
    attr.enable_on_exec = command_ != nullptr;
    if (options_.period != 0 || attr.type == PERF_TYPE_TRACEPOINT)
        attr.sample_period = std::max<std::uint64_t>(options_.period, 1);
    else {
        attr.freq = 1;
        attr.sample_freq = options_.frequency;
    }
    if (attr.type == PERF_TYPE_SOFTWARE && attr.config == PERF_COUNT_SW_DUMMY) {
        attr.freq = 0;
        attr.sample_period = 1;
    }
    if (result_.only_user && attr.exclude_user == 0) attr.exclude_kernel = attr.exclude_hv = 1;
    return attr;
}

kernel_event& recording::open_event(std::size_t which, pid_t thread, int cpu, perf_event_attr attr) {
    const std::string& name = options_.events[which].name;
    std::unique_ptr<kernel_event> opened;
    try {
        opened = std::make_unique<kernel_event>(name, attr, thread, cpu);
    } catch (const not_permitted&) {
        // As perf does: without the kernel's side it is allowed to everybody, up to paranoia 2.
        if (thread == -1 || attr.exclude_kernel != 0 || attr.type == PERF_TYPE_TRACEPOINT) throw;
        attr.exclude_kernel = attr.exclude_hv = 1;
        opened = std::make_unique<kernel_event>(name, attr, thread, cpu);
        result_.only_user = true;
    }
    // All of one event look alike in the file.
    options_.events[which].attr.read_format = attr.read_format;
    ids_.add(opened->id(), which, attr);
    open_.push_back({which, std::move(opened)});
    return *open_.back().event;
}

void recording::open_at(const place& where) {
    const kernel_event* ring_owner = nullptr;     // of the ring that is consumed
    const kernel_event* backward_owner = nullptr; // of the one that is overwritten
    for (const pid_t thread : where.threads)
        for (std::size_t which = 0; which != options_.events.size(); ++which) {
            const perf_event_attr attr = attributes(which);
            const kernel_event& event = open_event(which, thread, where.cpu, attr);
            const kernel_event*& owner = attr.write_backward != 0 ? backward_owner : ring_owner;
            if (owner != nullptr) {
                event.set_output(*owner);
                continue;
            }
            owner = &event;
            if (attr.write_backward != 0)
                overwritable_.push_back(std::make_unique<overwritable_ring>(event, options_.pages));
            else {
                rings_.push_back(std::make_unique<kernel_ring>(event, options_.pages));
                ring_descriptors_.push_back(event.descriptor());
            }
        }
}

void recording::open_events() {
    for (const place& where : places_) open_at(where);
}

std::vector<file_event> recording::described() const {
    std::vector<file_event> result;
    for (std::size_t i = 0; i != options_.events.size(); ++i) {
        result.push_back({attributes(i), {}});
        result.back().attr.read_format = options_.events[i].attr.read_format;
    }
    for (const open_one& one : open_) result[one.which].ids.push_back(one.event->id());
    return result;
}

void recording::synthesise(data_file& file) {
    synthesise_kernel(file);
    if (options_.mode == deployment::by_cpu) return synthesise_all(file);
    for (const pid_t thread : options_.threads)
        if (command_ == nullptr || thread != command_->process()) synthesise_process(file, thread);
}

void recording::take(std::uint32_t type, std::uint16_t misc, const record& one) {
    merged copy{type, misc, std::vector<std::byte>(one.size())};
    one.copy_to(copy.payload);
    if (type == PERF_RECORD_SAMPLE) {
        const event_ids::owner owner = ids_.claim(copy.payload);
        result_.set_right += owner == event_ids::owner::set_right ? 1 : 0;
        result_.unknown += owner == event_ids::owner::unknown ? 1 : 0;
        if (owner == event_ids::owner::unknown) return; // perf would read no further
    }
    const std::uint64_t time = time_of(type, copy.payload);
    merge_.add(time, std::move(copy));
}

void recording::release(data_file& file, std::uint64_t horizon) {
    const auto written = merge_.release(horizon, [&](const merged& one, std::uint64_t time) {
        file.record(one.type, one.misc, one.payload);
        if (first_time_ == 0) first_time_ = time;
        last_time_ = std::max(last_time_, time);
        if (one.type == PERF_RECORD_SAMPLE) {
            std::uint64_t id = 0;
            std::memcpy(&id, one.payload.data(), sizeof id);
            ++result_.events[ids_.find(id).value()].samples; // take() saw to it
        } else {
            ++result_.other_records;
            if (one.type == PERF_RECORD_LOST && one.payload.size() >= 16) {
                std::uint64_t lost = 0;
                std::memcpy(&lost, one.payload.data() + 8, sizeof lost);
                result_.lost_records += lost;
            }
        }
    });
    if (written == 0) return;
    file.record(tool_record::finished_round, 0, {});
    file.flush();
}

void recording::round(data_file& file) {
    const std::uint64_t begin = now();
    for (const auto& one : rings_) {
        for (const auto item : one->ring.read()) take(item.type(), item.misc(), item);
        if (one->ring.error() != read_error::none) result_.damaged_bytes += one->ring.resynchronise();
    }
    const std::uint64_t horizon = std::exchange(last_round_, begin);
    // What lies in an overwritable ring may be older than all of it.
    if (overwritable_.empty()) release(file, horizon);
}

void recording::take_snapshot(data_file& file) {
    const std::uint64_t begin = now();
    round(file);
    for (const auto& one : overwritable_) {
        const snapshot seen = one->take();
        const auto records = seen.records(); // newest first
        for (auto at = records.rbegin(); at != records.rend(); ++at) take(at->type(), at->misc(), *at);
    }
    release(file, begin);
    ++result_.snapshots;
}

void recording::count(recording_result& result, data_file& file) {
    for (const open_one& one : open_) {
        const event_count counted = one.event->count();
        result.events[one.which].counted += counted.value;
        result.events[one.which].lost += counted.lost;
        if (counted.lost == 0) continue;
        const struct {
            std::uint64_t lost;
            record_trailer trailer;
        } lost{counted.lost, {0, 0, last_time_, 0, 0, one.event->id()}};
        file.record(PERF_RECORD_LOST_SAMPLES, 0, std::as_bytes(std::span(&lost, 1)));
    }
}

recording_result recording::run() {
    for (const named_event& one : options_.events) result_.events.push_back({one.name, 0, 0, 0});
    const signals incoming;
    data_file file(options_.output, described());
    if (tracks_apart_ && command_ == nullptr)
        for (const open_one& one : open_)
            if (one.which == tracking_event()) one.event->enable();
    synthesise(file);
    std::vector<pollfd> waiting{{incoming.descriptor(), POLLIN, 0}};
    for (const int one : ring_descriptors_) waiting.push_back({one, POLLIN, 0});

    std::unique_ptr<workload> beside; // a command that only says how long
    workload* command = command_.get();
    if (command == nullptr && !options_.command.empty()) {
        beside = std::make_unique<workload>(options_.command);
        command = beside.get();
    }
    if (command_ == nullptr)
        for (const open_one& one : open_) one.event->enable();
    if (command != nullptr) command->start();

    std::size_t alive = ring_descriptors_.size();
    for (bool on = true; on;) {
        if (::poll(waiting.data(), waiting.size(), round_ms) < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "poll");
        for (std::size_t i = 1; i != waiting.size(); ++i)
            if ((waiting[i].revents & (POLLHUP | POLLERR)) != 0 && waiting[i].fd >= 0) {
                waiting[i].fd = -1; // its threads have ended; what they left is still read
                --alive;
            }
        bool asked = false;
        while (const int signal = incoming.take()) {
            asked = asked || signal == SIGUSR2;
            if (signal != SIGINT && signal != SIGTERM) continue;
            result_.signal = signal;
            on = false;
        }
        if (command != nullptr)
            if ((result_.command_status = command->ended())) on = false;
        if (command == nullptr && alive == 0) on = false;
        if (asked && !overwritable_.empty())
            take_snapshot(file);
        else
            round(file);
    }
    for (const open_one& one : open_) one.event->disable();
    if (overwritable_.empty())
        round(file);
    else
        take_snapshot(file);
    release(file, std::numeric_limits<std::uint64_t>::max());
    count(result_, file);
    std::vector<std::string> tracepoints;
    for (const named_event& one : options_.events)
        if (one.attr.type == PERF_TYPE_TRACEPOINT) tracepoints.push_back(one.name);
    file.finish(options_.invocation, first_time_, last_time_,
                tracepoints.empty() ? std::vector<std::byte>{} : tracing_data(tracepoints));
    result_.late = merge_.late();
    result_.bytes = file.size();
    if (tracks_apart_) result_.events.pop_back(); // ours
    return result_;
}

} // namespace ringproof::record_command
