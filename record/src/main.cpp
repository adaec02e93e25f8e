// SPDX-License-Identifier: Apache-2.0
// ringproof record: a real program, recorded through the kernel's rings with the core's reader.

#include "cpu_list.hpp"
#include "recording.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/typed_command.hpp>
#include <ringproof/command/verb.hpp>
#include <sys/wait.h>

namespace {

using namespace ringproof::record_command; // the program's own namespace, in its main file only
using ringproof::command::exit_code;

struct asked {
    recording_options options;
    std::vector<std::string> events;
    std::string cpus;
    std::vector<pid_t> processes, threads;
    std::string json;
    bool system_wide = false, per_thread = false, list = false, quiet = false;
};

std::vector<pid_t> threads_of(pid_t process) {
    std::vector<pid_t> result;
    std::error_code gone;
    for (std::filesystem::directory_iterator at(fmt::format("/proc/{}/task", process), gone), end;
         !gone && at != end; at.increment(gone))
        result.push_back(static_cast<pid_t>(std::stol(at->path().filename().string())));
    if (result.empty()) throw std::invalid_argument(fmt::format("there is no process {}", process));
    return result;
}

recording_options checked(asked&& what) {
    recording_options& o = what.options;
    if (what.system_wide && !what.cpus.empty())
        throw std::invalid_argument("-a is all CPUs, -C names some: one of them");
    const bool whole_cpus = what.system_wide || !what.cpus.empty();
    if (whole_cpus && (what.per_thread || !what.processes.empty() || !what.threads.empty()))
        throw std::invalid_argument(
            "whole CPUs (-a, -C) and single threads (--per-thread, -p, -t) exclude each other");
    for (const pid_t process : what.processes)
        for (const pid_t thread : threads_of(process)) o.threads.push_back(thread);
    o.threads.insert(o.threads.end(), what.threads.begin(), what.threads.end());
    if (!whole_cpus && o.threads.empty() && o.command.empty())
        throw std::invalid_argument("nothing to record: a command after --, or -a, -C, -p or -t");
    if (!std::has_single_bit(o.pages))
        throw std::invalid_argument(fmt::format("a ring of {} pages: a power of two is needed", o.pages));
    o.mode = whole_cpus        ? deployment::by_cpu
             : what.per_thread ? deployment::by_thread
                               : deployment::threads_by_cpu;
    o.cpus = online_cpus();
    if (!what.cpus.empty()) {
        for (const int cpu : parse_cpu_list(what.cpus))
            if (!std::binary_search(o.cpus.begin(), o.cpus.end(), cpu))
                throw std::invalid_argument(fmt::format("CPU {} is not switched on", cpu));
        o.cpus = parse_cpu_list(what.cpus);
    }
    if (what.events.empty()) what.events.emplace_back("cpu-clock");
    for (const std::string& text : what.events)
        for (named_event& one : parse_events(text)) o.events.push_back(std::move(one));
    return std::move(o);
}

void print(const recording_result& result, const recording_options& options) {
    for (const recorded_event& one : result.events)
        fmt::print("{}: {} samples, {} counted, {} lost\n", one.name, one.samples, one.counted, one.lost);
    fmt::print("{} rings, {} other records, {} lost of all kinds", result.rings, result.other_records,
               result.lost_records);
    if (options.snapshot) fmt::print(", {} snapshots", result.snapshots);
    if (result.late != 0) fmt::print(", {} out of order", result.late);
    if (result.damaged_bytes != 0) fmt::print(", {} bytes could not be read", result.damaged_bytes);
    fmt::print("; {} bytes in {}\n", result.bytes, options.output);
    if (result.only_user)
        fmt::print("only what ran in user space: kernel.perf_event_paranoid allows no more\n");
    if (const auto status = result.command_status; status && *status != 0) {
        if (WIFSIGNALED(*status))
            fmt::print("the command was ended by signal {} ({})\n", WTERMSIG(*status),
                       ::strsignal(WTERMSIG(*status)));
        else
            fmt::print("the command ended with code {}\n", WEXITSTATUS(*status));
    }
    if (result.set_right != 0)
        fmt::print(
            "{} samples had the id of another recording of that event, as Linux mixes these up; set right\n",
            result.set_right);
    if (result.unknown != 0)
        fmt::print("{} samples are left out: another recording runs, and Linux gave them the id of its "
                   "event; with one software event (-e) they can be told\n",
                   result.unknown);
    if (result.lost_records != 0)
        fmt::print("larger rings (--mmap-pages), or fewer samples (-F, -c), lose less\n");
}

void write_json(const recording_result& result, const recording_options& options, const std::string& path) {
    auto document = ringproof::command::make_document("ringproof-record/1", options.invocation);
    for (const recorded_event& one : result.events)
        document["results"].push_back(
            {{"event", one.name}, {"samples", one.samples}, {"counted", one.counted}, {"lost", one.lost}});
    document["file"] = options.output;
    document["bytes"] = result.bytes;
    document["rings"] = result.rings;
    document["other_records"] = result.other_records;
    document["lost_records"] = result.lost_records;
    document["damaged_bytes"] = result.damaged_bytes;
    document["out_of_order"] = result.late;
    document["ids_set_right"] = result.set_right;
    document["samples_of_unknown_event"] = result.unknown;
    document["snapshots"] = result.snapshots;
    document["only_user"] = result.only_user;
    document["signal"] = result.signal;
    if (const auto status = result.command_status)
        document["command"] = {{"code", WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status)}};
    ringproof::command::write_document(document, path);
}

int run(asked&& what) {
    if (what.list) {
        for (const auto name : known_events()) fmt::print("{}\n", name);
        fmt::print("GROUP:NAME (a tracepoint; see /sys/kernel/tracing/events)\n");
        return to_int(exit_code::holds);
    }
    const bool quiet = what.quiet;
    const std::string json = what.json;
    const recording_options options = checked(std::move(what));
    recording session(options);
    const recording_result result = session.run();
    if (!quiet && json != "-") print(result, options);
    try {
        if (!json.empty()) write_json(result, options, json);
    } catch (const std::runtime_error& error) { // what was recorded is there all the same
        fmt::print(stderr, "ringproof record: {}\n", error.what());
        return to_int(exit_code::usage);
    }
    return to_int(result.signal == 0 ? exit_code::holds : exit_code::interrupted);
}

int record(int argc, char** argv) {
    asked what;
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error like a full disk
    CLI::App app(
        "Records a program through the kernel's ring buffers into perf.data, which `perf report` and "
        "`perf script` read.",
        "ringproof record");
    app.add_option("-e,--event", what.events,
                   "record these events, with commas between; :u or :k for one side only; default: cpu-clock")
        ->type_name("EVENTS")
        ->allow_extra_args(false); // what follows is the command
    app.add_flag("--list", what.list, "list the events that this machine has");
    app.add_flag("-a,--all-cpus", what.system_wide,
                 "record everything that runs on all CPUs, a ring per CPU");
    app.add_option("-C,--cpu", what.cpus,
                   "record everything that runs on these CPUs, such as 0-3,7, a ring per CPU")
        ->type_name("CPUS");
    app.add_flag("--per-thread", what.per_thread,
                 "use a ring per thread; threads that it starts are not recorded");
    app.add_option("-p,--pid", what.processes, "record the threads of these running processes")
        ->type_name("PID")
        ->allow_extra_args(false)
        ->delimiter(',');
    app.add_option("-t,--tid", what.threads, "record these running threads")
        ->type_name("TID")
        ->allow_extra_args(false)
        ->delimiter(',');
    app.add_option("-F,--freq", what.options.frequency, "aim at N samples a second; default: 4000")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("-c,--count", what.options.period, "take a sample every N events")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("-m,--mmap-pages", what.options.pages,
                   "give each ring N pages, a power of two; default: 128")
        ->type_name("N")
        ->check(CLI::Range(1, 1 << 20));
    app.add_option("-o,--output", what.options.output, "write to FILE; default: perf.data")
        ->type_name("FILE");
    app.add_flag("-g,--call-graph", what.options.call_chains,
                 "record the callers of each sample, found by frame pointers");
    app.add_flag("--snapshot", what.options.snapshot,
                 "let rings overwrite the oldest records, and write them out on SIGUSR2 and at the end");
    app.add_option("--json", what.json, "write what was recorded as JSON; - is standard output")
        ->type_name("FILE");
    app.add_flag("-q,--quiet", what.quiet, "print no summary at the end");
    app.add_option("COMMAND", what.options.command, "the program to run and record, with its arguments");
    app.positionals_at_end();
    app.footer("exit codes: 0 recorded · 2 usage or bad input · 3 internal error · 77 not permitted, or not "
               "available here · 130 ended by a signal, with a valid file");
    ringproof::command::add_common_options(app);
    what.options.invocation = ringproof::command::typed_command("record", argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return ringproof::command::end_of_arguments(app, error);
    }
    const auto say = [](const std::exception& error) {
        fmt::print(stderr, "ringproof record: {}\n", error.what());
    };
    try {
        return run(std::move(what));
    } catch (const not_permitted& error) {
        return say(error), to_int(exit_code::skipped);
    } catch (const not_available& error) {
        return say(error), to_int(exit_code::skipped);
    } catch (const std::system_error& error) {
        return say(error), to_int(exit_code::usage);
    }
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("ringproof record", [&] { return record(argc, argv); });
}
