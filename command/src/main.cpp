// SPDX-License-Identifier: Apache-2.0
// The `ringproof` command. Each verb is a program of its own, ringproof-VERB, beside this one (or
// in ../libexec/ringproof when installed), so that a verb links only what it needs.

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/verb.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace {

using ringproof::command::exit_code;

struct verb {
    std::string_view name;
    std::string_view does;
};

constexpr std::array verbs{
    verb{"verify", "model-check the core's own scenarios"},
    verb{"classics", "model-check well-known algorithms, and a mutant of each"},
    verb{"zoo", "refute what has gone wrong in rings, bug by bug (docs/zoo.md)"},
    verb{"check", "model-check an unmodified C or C++ program"},
    verb{"litmus", "ask a model, or this machine's hardware, what a litmus test allows"},
    verb{"bench", "benchmark the ring and its peers on this machine"},
    verb{"record", "record a program through the kernel's ring buffers into perf.data"},
    verb{"doctor", "what of this machine makes benchmarks untrustworthy, and what to do"},
    verb{"report", "make the page, JUnit and Markdown from results"},
};

void print_help(std::FILE* out) {
    fmt::print(out,
               "ringproof {}: lock-free code, proved and measured\n\nusage: ringproof VERB [options]\n\n",
               ringproof::command::version());
    for (const verb& v : verbs) fmt::print(out, "  {:8} {}\n", v.name, v.does);
    fmt::print(out,
               "\n`ringproof VERB --help` tells more.\n"
               "exit codes: 0 holds · 1 refuted or regression · 2 usage or bad input · 3 internal error · "
               "4 inconclusive · 5 nothing matched · 77 skipped · 130 interrupted\n");
}

int dispatch(int argc, char** argv) {
    const std::string_view name = argc > 1 ? argv[1] : "";
    if (name == "--help" || name == "-h" || name == "help") return print_help(stdout), 0;
    if (name == "--version") return fmt::print("{}\n", ringproof::command::version_line()), 0;
    if (std::none_of(verbs.begin(), verbs.end(), [&](const verb& v) { return v.name == name; })) {
        std::array<std::string_view, verbs.size()> names;
        std::transform(verbs.begin(), verbs.end(), names.begin(), [](const verb& v) { return v.name; });
        if (argc > 1)
            fmt::print(stderr, "ringproof: no verb '{}'{}\n\n", name,
                       ringproof::command::suggestion(name, names));
        print_help(stderr);
        return to_int(exit_code::usage);
    }
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    const std::string program = fmt::format("ringproof-{}", name);
    for (const fs::path& folder : {here, here / "../libexec/ringproof"})
        if (const fs::path path = folder / program; fs::exists(path, error)) {
            execv(path.c_str(), argv + 1); // argv[1], the verb, becomes the verb's argv[0]
            fmt::print(stderr, "ringproof: {}: {}\n", path.string(), std::strerror(errno));
            return to_int(exit_code::internal);
        }
    fmt::print(stderr, "ringproof: {} is not installed beside {}\n", program, (here / "ringproof").string());
    return to_int(exit_code::usage);
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("ringproof", [&] { return dispatch(argc, argv); });
}
