// SPDX-License-Identifier: Apache-2.0
#include "one_program.hpp"

#include "../src/outcome/invocation.hpp"
#include "children.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

using command::exit_code;

int interrupted_before_the_search() {
    fmt::print(stderr, "interrupted: nothing was searched\n");
    return to_int(exit_code::interrupted);
}

/// The end of the checked program is ours, a crash of the checker an internal error.
int code_of(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (was_interrupted()) return interrupted_before_the_search();
    if (WTERMSIG(status) == SIGPIPE) return 128 + SIGPIPE; // whoever read the output has seen enough
    fmt::print(stderr, "internal error: the checker ended with signal {}{}\n", WTERMSIG(status),
               WTERMSIG(status) == SIGKILL
                   ? ", as where the system runs out of memory: --max-memory N stops at N MiB"
                   : "");
    return to_int(exit_code::internal);
}

/// The first few of many places.
std::string listed(const std::vector<std::string>& places) {
    constexpr std::size_t enough = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(enough, places.size()); ++i)
        text += (i == 0 ? "" : ", ") + places[i];
    if (places.size() > enough) text += fmt::format(" and {} more", places.size() - enough);
    return text;
}

/// For the program that is run; empty: not set, whatever our own environment says.
void tell(const char* variable, const std::string& text) {
    if (text.empty())
        unsetenv(variable);
    else
        setenv(variable, text.c_str(), 1);
}

/// Whether a source is Catch2's own, in its form of two files.
bool is_catch2(const source_file& s) {
    return std::filesystem::path(s.path).filename() == "catch_amalgamated.cpp";
}

/// Adds to the sources what names the tests of a program in Catch2, and to the link what it needs.
void use_catch2(std::vector<source_file>& sources, std::vector<std::string>& flags,
                const std::filesystem::path& folder) {
    // The library's main() is beside all else of it: that of the program, if there is one, comes first. Version 3's
    // Session::run() names the tests.
    flags.insert(flags.end(), {"-Wl,-z,muldefs", "-Wl,--wrap=_ZN5Catch7Session3runEv",
                               "-Wl,--wrap=_ZN5Catch7SessionD1Ev"});
    const auto own = std::find_if(sources.begin(), sources.end(), is_catch2);
    if (own == sources.end()) {
        flags.emplace_back("-lCatch2WithMain");
        return;
    }
    // Its header lies beside it, where the tests may find it before the one that answers. Its main() calls Session::run()
    // within one file, which the linker does not wrap: another main() takes its place, and the program's that of both.
    const std::filesystem::path beside = std::filesystem::absolute(own->path).parent_path();
    source_file answers{(folder / "catch2_answers.cpp").string(), own->flags, own->folder};
    std::ofstream(answers.path) << "#include \"catch_amalgamated.hpp\"\n"
                                   "#include <ringproof_catch2/version3.hpp>\n"
                                   "__attribute__((weak)) int main(int argc, char** argv) {\n"
                                   "    return Catch::Session().run(argc, argv);\n"
                                   "}\n";
    answers.flags.insert(answers.flags.begin(), {"-iquote", beside.string()});
    own->is_framework = true;
    own->flags.emplace_back("-DCATCH_AMALGAMATED_CUSTOM_MAIN");
    sources.push_back(std::move(answers));
}

} // namespace

int check_program(const checked_program& what) {
    const command::temporary_folder folder("ringproof-check");
    const installation here = find_installation();
    const std::string program = (folder.path() / "program").string();
    std::vector<std::string> flags = what.flags;
    if (!what.keep_ndebug) flags.emplace_back("-UNDEBUG");
    flags.emplace_back("-U_FORTIFY_SOURCE"); // whose variants of strcpy() and the like are out of sight
    std::vector<source_file> first = what.sources;
    const bool framework = what.dialect == "gtest" || what.dialect == "catch2";
    // RUN_ALL_TESTS(), also that of gtest_main, names the tests.
    if (what.dialect == "gtest")
        flags.insert(flags.end(), {"-Wl,--wrap=_ZN7testing8UnitTest3RunEv", "-lgtest_main", "-lgtest"});
    if (what.dialect == "catch2") use_catch2(first, flags, folder.path());
    if (framework) { // before the user's own -I: each header includes the next one of its name, which is the framework's
        for (source_file& s : first)
            if (!s.is_framework)
                s.flags.insert(s.flags.begin(), {"-I", headers_of(what.dialect, here).string()});
    } else if (!what.dialect.empty()) {
        flags.insert(flags.begin(), {"-isystem", headers_of(what.dialect, here).string()});
    }
    const auto made = compile({first, what.second}, flags, here, folder.path(), program);
    if (!made) return was_interrupted() ? interrupted_before_the_search() : to_int(exit_code::usage);
    tell("RINGPROOF_CHECK_UNSEEN", listed(made->unseen));
    tell("RINGPROOF_CHECK_LIBRARIES", listed(made->libraries));
    tell("RINGPROOF_CHECK_PROPERTY", made->can_give_up ? "1" : "");
    tell("RINGPROOF_CHECK_COMPILER", fmt::format("{}", fmt::join(made->compiled_by, ", ")));
    tell("RINGPROOF_CHECK_NAME", what.name);
    tell("RINGPROOF_CHECK_FILE", what.sources.front().path);
    commands_for_program(what.command, what.replay);
    std::vector<std::string> arguments{program};
    arguments.insert(arguments.end(), what.options.begin(), what.options.end());
    return code_of(run_and_wait(arguments, child_kind::checked_program));
}

} // namespace ringproof::verify
