// SPDX-License-Identifier: Apache-2.0
// ringproof armv8: compiles an unmodified program for AArch64, and explores what its instructions may do on Armv8.
#include "checkpoint.hpp"
#include "estimate.hpp"
#include "missing.hpp"
#include "options.hpp"
#include "results.hpp"
#include "search.hpp"
#include "weaken.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/progress.hpp>
#include <ringproof/command/temporary_folder.hpp>
#include <ringproof/command/verb.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace {

using namespace ringproof::silicon::a64;
using ringproof::command::exit_code, ringproof::command::json;

/// What --replay was given: the token, or the file that it is in.
replay_token token_of(const std::string& argument) {
    if (!argument.starts_with('@')) return decode_token(argument);
    std::istringstream file(ringproof::command::read_text(argument.substr(1)));
    std::string text;
    if (!(file >> text)) throw std::invalid_argument(argument.substr(1) + ": no token is in this file");
    return decode_token(text);
}

/// Shows how far a search is, and ends it when its time is over.
class watched {
  public:
    explicit watched(const options& o) : o_(o) { progress_.emplace(o.quiet); }

    bool operator()(const search_state& s) {
        if (begun_ != s.begun) { // the time left is that of the search that has begun anew
            begun_ = s.begun;
            progress_.emplace(o_.quiet);
        }
        const double done =
            o_.random > 0 ? static_cast<double>(s.executions) / static_cast<double>(o_.random) : s.done;
        progress_->update(std::min(done, 1.0), fmt::format("{} executions", s.executions));
        return go_on();
    }
    bool go_on() const {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
        return !interrupted && (o_.seconds <= 0 || spent.count() < o_.seconds);
    }

  private:
    const options& o_;
    unsigned begun_ = 0;
    std::optional<ringproof::command::progress> progress_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

findings find(program& p, const options& o) {
    search_order how;
    how.hangs_fail = o.hangs_fail();
    how.shortest = o.shortest;
    how.most_executions = o.executions;
    how.shown = o.shown;
    how.jobs = o.jobs;
    watched watch(o);
    const go_on more = [&](const search_state& s) { return watch(s); };
    if (!o.replay.empty()) return replay(p, how, token_of(o.replay));
    if (o.random > 0) return search_randomly(p, how, o.random, o.seed, more);
    std::optional<findings> left;
    if (!o.resume.empty()) left = read_checkpoint(p, shape_of(o), o.resume);
    return search(p, how, more, left);
}

void print_token(const findings& f, const options& o, std::FILE* out) {
    constexpr std::size_t longest_shown = 2000;
    if (!o.save_replay.empty()) {
        ringproof::command::write_text(f.token + "\n", o.save_replay);
        fmt::print(stderr, "to see it again: --replay @{}\n", o.save_replay);
    } else if (f.token.size() > longest_shown) {
        fmt::print(
            out,
            "    to see it again: --save-replay FILE writes the token ({} characters), --replay @FILE reads "
            "it\n",
            f.token.size());
    } else {
        fmt::print(out, "    to see it again: --replay {}\n", f.token);
    }
}

/// @param replayed whether it was one execution of a token
void print_result(const findings& f, const options& o, std::FILE* out) {
    const std::string verdict = verdict_of(f);
    print_complete(f, out);
    if (o.quiet && verdict == o.expect) return;
    const std::string what = o.replay.empty() ? fmt::format("{} executions", f.executions) : "replayed";
    fmt::print(out, "{:<21} armv8  {}  ({}, {} threads, {}; {})\n", verdict, o.name(), what, f.threads,
               ringproof::command::format_duration(f.seconds), compiler_for(o.order));
    if (!f.failure.empty()) print(f, out);
    print_missing(f, out);
    if (f.failing > 1) fmt::print(out, "    the shortest of {} executions that fail\n", f.failing);
    if (!f.hang.empty())
        fmt::print(out, "    a thread may wait for ever at {} (--liveness=ignore)\n", f.hang);
    if (verdict == "verified" && o.limits.ends == spurious::never)
        fmt::print(out,
                   "    without spurious wake-ups and failures of store-exclusives (--spurious=never)\n");
    if (verdict == "inconclusive") fmt::print(out, "    {}\n", why_inconclusive(f));
    if (!f.failure.empty() && o.replay.empty()) print_token(f, o, out);
}

/// Writes what is left of a search that a limit or an interrupt has ended.
void keep(const findings& f, program& p, const options& o) {
    if (o.checkpoint.empty() || f.rest.empty() || !f.failure.empty()) return;
    write_checkpoint(f, p, shape_of(o), o.checkpoint);
    fmt::print(stderr, "to go on: --resume {}\n", o.checkpoint);
}

int check_executions(program& p, const options& o, const std::vector<std::string>& invocation, std::FILE* out,
                     json& document) {
    findings f = find(p, o);
    const bool passes = !o.replay.empty() && f.failure.empty();
    if (passes) {
        fmt::print(out, "replayed: this execution of {} does not fail\n", o.name());
        return to_int(exit_code::holds);
    }
    if (!f.failure.empty() && o.missing_seconds() > 0) {
        search_order how;
        how.hangs_fail = o.hangs_fail();
        how.jobs = o.jobs;
        find_missing_orders(p, how, f, o.missing_seconds());
    }
    keep(f, p, o);
    print_result(f, o, out);
    about_result about{o.name(), o.expect, o.hangs_fail(), invocation, replay_command(o)};
    json one = to_json(f, about);
    if (o.limits.ends == spurious::never) one["bounds"] = {{"spurious", "never"}};
    document["results"].push_back(std::move(one));
    return to_int(std::string_view(verdict_of(f)) == "inconclusive" ? exit_code::inconclusive
                  : verdict_of(f) == o.expect                       ? exit_code::holds
                                                                    : exit_code::refuted);
}

int estimate_only(program& p, const options& o, std::FILE* out, json& document) {
    constexpr double by_default = 3;
    search_order how;
    how.hangs_fail = o.hangs_fail();
    const estimate e = estimate_executions(p, how, o.seconds > 0 ? o.seconds : by_default, o.seed,
                                           [] { return !interrupted; });
    fmt::print(out, "estimate  armv8  {}: {}\n", o.name(), in_words(e));
    document["results"] = json::array();
    document["estimates"].push_back(to_json(e, o.name()));
    return to_int(e.seen.failure.empty() ? exit_code::holds : exit_code::refuted);
}

int check(const options& o, const std::vector<std::string>& invocation) {
    for (const std::string& file : o.order.files)
        if (!std::filesystem::is_regular_file(file))
            throw std::invalid_argument(fmt::format("{}: there is no such file", file));
    const ringproof::command::temporary_folder folder("ringproof-armv8");
    const std::filesystem::path path = build(o.order, folder.path());
    if (path.empty()) return to_int(exit_code::usage);
    const auto loaded = program::load(path, o.limits);
    std::FILE* const out = o.output_is_taken() ? stderr : stdout;
    json document = ringproof::command::make_document("ringproof-verify/1", invocation);
    document["environment"]["program_compiler"] = compiler_for(o.order);
    const int code = o.weaken ? weaken(*loaded, {o.name(), o.hangs_fail(), o.seconds, o.quiet, out, o.jobs},
                                       document["results"])
                     : o.estimate ? estimate_only(*loaded, o, out, document)
                                  : check_executions(*loaded, o, invocation, out, document);
    if (interrupted) document["interrupted"] = true;
    if (!o.json_file.empty()) ringproof::command::write_document(document, o.json_file);
    if (o.reports.any()) ringproof::command::make_reports(document, o.reports);
    return interrupted ? to_int(exit_code::interrupted) : code;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> invocation{"ringproof", "armv8"};
    invocation.insert(invocation.end(), argv + 1, argv + argc);
    options o;
    const int code = parse(argc, argv, o);
    if (code >= 0) return code;
    std::signal(SIGINT, [](int) { interrupted = true; });
    std::signal(SIGTERM, [](int) { interrupted = true; });
    return ringproof::command::run_verb("error", [&] {
        try {
            return check(o, invocation);
        } catch (const no_compiler& missing) {
            fmt::print(stderr, "{}\n", missing.what());
            return to_int(exit_code::skipped);
        }
    });
}
