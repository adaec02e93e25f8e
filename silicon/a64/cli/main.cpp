// SPDX-License-Identifier: Apache-2.0
// ringproof armv8: compiles an unmodified program for AArch64, and explores what its instructions may do on Armv8.
#include "build.hpp"
#include "findings.hpp"
#include "results.hpp"
#include "weaken.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/progress.hpp>
#include <ringproof/command/temporary_folder.hpp>
#include <ringproof/command/verb.hpp>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>

namespace {

using namespace ringproof::silicon::a64;
using ringproof::command::exit_code, ringproof::command::json;

struct options {
    build_order order;
    double seconds = 0;
    std::uint64_t instructions = program_limits{}.instructions;
    std::string json_file, expect = "verified", liveness = "error";
    bool quiet = false, weaken = false;
};

int parse(int argc, char** argv, options& o) {
    CLI::App app(
        "Explores what a program, compiled for AArch64, may do on an Armv8 machine: ringproof armv8 FILE… "
        "[OPTIONS] [-- CFLAGS]",
        "ringproof armv8");
    app.add_option("FILE", o.order.files, "the program's sources, in C or C++")->required();
    app.add_option(
           "--cc", o.order.compiler,
           "the compiler with its first flags, such as \"clang++ --target=aarch64-linux-gnu\"; default: "
           "aarch64-linux-gnu-g++, or -gcc for C")
        ->type_name("CC");
    app.add_flag("--lse", o.order.lse,
                 "where the compiler leaves it to the machine, take the atomic instructions of Armv8.1, not "
                 "exclusives");
    app.add_flag("--keep-ndebug", o.order.keep_ndebug, "leave assert() out where the flags define NDEBUG");
    app.add_option("--expect", o.expect, "what the verdict is to be; default: verified")
        ->type_name("VERDICT")
        ->check(CLI::IsMember({"verified", "refuted"}));
    app.add_option("--liveness", o.liveness,
                   "error: a thread that waits for ever is an error, the default; ignore: it is none")
        ->type_name("WHAT")
        ->check(CLI::IsMember({"error", "ignore"}));
    app.add_flag(
        "--weaken", o.weaken,
        "weaken one ordering instruction at a time (LDAR to LDR, STLR to STR, DMB to nothing), and say "
        "which are needed");
    app.add_option("--time", o.seconds, "stop after S seconds")->type_name("S")->check(CLI::PositiveNumber);
    app.add_option("--max-instructions", o.instructions, "stop a thread after N instructions")
        ->type_name("N")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--json", o.json_file, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    app.add_flag("--quiet", o.quiet, "print the verdict only if it is not as expected");
    app.footer("exit codes: 0 as expected · 1 not as expected · 2 usage, or the program does not compile · 3 "
               "internal "
               "error · 4 inconclusive · 77 skipped: no compiler for AArch64 · 130 interrupted");
    ringproof::command::add_common_options(app);
    std::vector<std::string> words;
    int i = 1;
    for (; i < argc && std::string_view(argv[i]) != "--"; ++i) words.emplace_back(argv[i]);
    for (++i; i < argc; ++i) o.order.flags.emplace_back(argv[i]);
    std::reverse(words.begin(), words.end()); // as the library wants them
    try {
        app.parse(words);
    } catch (const CLI::ParseError& error) {
        return ringproof::command::end_of_arguments(app, error);
    }
    return -1;
}

findings find(program& p, const options& o) {
    ringproof::command::progress progress(o.quiet);
    const auto begin = std::chrono::steady_clock::now();
    findings f = search(p, o.liveness == "error", [&](std::uint64_t executions) {
        progress.update(-1, fmt::format("{} executions", executions));
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        return !interrupted && (o.seconds <= 0 || spent.count() < o.seconds);
    });
    progress.clear();
    return f;
}

void print_result(const findings& f, const options& o, const std::string& name, std::FILE* out) {
    const std::string verdict = verdict_of(f);
    if (o.quiet && verdict == o.expect) return;
    fmt::print(out, "{:<21} armv8  {}  ({} executions, {} threads, {}; {})\n", verdict, name, f.executions,
               f.threads, ringproof::command::format_duration(f.seconds), compiler_for(o.order));
    if (!f.failure.empty()) print(f, out);
    if (!f.hang.empty())
        fmt::print(out, "    a thread may wait for ever at {} (--liveness=ignore)\n", f.hang);
    if (verdict == "inconclusive") fmt::print(out, "    {}\n", why_inconclusive(f));
}

int check(const options& o, const std::vector<std::string>& invocation) {
    for (const std::string& file : o.order.files)
        if (!std::filesystem::is_regular_file(file))
            throw std::invalid_argument(fmt::format("{}: there is no such file", file));
    const ringproof::command::temporary_folder folder("ringproof-armv8");
    const std::filesystem::path path = build(o.order, folder.path());
    if (path.empty()) return to_int(exit_code::usage);
    const auto loaded = program::load(path, {o.instructions});
    std::string name;
    for (const std::string& file : o.order.files) name += (name.empty() ? "" : " ") + file;
    const bool hangs_fail = o.liveness == "error";
    std::FILE* const out = o.json_file == "-" ? stderr : stdout;
    json document = ringproof::command::make_document("ringproof-verify/1", invocation);
    document["environment"]["program_compiler"] = compiler_for(o.order);
    int code = 0;
    if (o.weaken) {
        code = weaken(*loaded, {name, hangs_fail, o.seconds, o.quiet, out}, document["results"]);
    } else {
        const findings f = find(*loaded, o);
        print_result(f, o, name, out);
        document["results"].push_back(to_json(f, name, o.expect, hangs_fail));
        code = to_int(std::string_view(verdict_of(f)) == "inconclusive" ? exit_code::inconclusive
                      : verdict_of(f) == o.expect                       ? exit_code::holds
                                                                        : exit_code::refuted);
    }
    if (interrupted) document["interrupted"] = true;
    if (!o.json_file.empty()) ringproof::command::write_document(document, o.json_file);
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
