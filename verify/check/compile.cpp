// SPDX-License-Identifier: Apache-2.0
#include "compile.hpp"

#include "announce.hpp"
#include "assembly.hpp"
#include "children.hpp"
#include "instrument_flags.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;

/// $CC may hold words: "ccache gcc".
std::vector<std::string> compiler(language l) {
    const char* chosen = std::getenv(l == language::c ? "CC" : "CXX");
    std::istringstream words(chosen && *chosen ? chosen : l == language::c ? "gcc" : "g++");
    std::vector<std::string> command;
    for (std::string word; words >> word;) command.push_back(word);
    return command;
}

bool is_clang(const std::vector<std::string>& command) {
    return fs::path(command.back()).filename().string().find("clang") != std::string::npos;
}

void add(std::vector<std::string>& command, std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
}

bool succeeds(const std::vector<std::string>& command, const char* advice, const std::string& folder = {}) {
    const int status = run_and_wait(command, child_kind::other, folder);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (was_interrupted()) return false;
    fmt::print(stderr, "error: {} failed; {}\n", command.front(), advice);
    return false;
}

/// Whether a flag is the linker's alone: clang warns of one when it compiles.
bool is_of_linker(std::string_view flag) {
    return flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,");
}

/// Whether a library is the system's own, or a test framework, which shares no memory with the code under test.
bool is_trusted(std::string_view flag) {
    for (const std::string_view one :
         {"-lm", "-lpthread", "-lrt", "-ldl", "-lc", "-latomic", "-lstdc++", "-lgtest", "-lgtest_main",
          "-lgmock", "-lgmock_main", "-lCatch2WithMain", "-lCatch2Main", "-lCatch2", "-lbenchmark", "-lfmt"})
        if (flag == one) return true;
    return false;
}

} // namespace

installation find_installation() {
    const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
    for (const char* const to_library : {RINGPROOF_INSTALLED_LIBRARY, "../lib", "../../lib"}) {
        const fs::path library = (bin / to_library).lexically_normal();
        const fs::path entry = library / "libringproof_check_main.a";
        if (!fs::exists(library / "libringproof_verify.so") || !fs::exists(entry)) continue;
        for (const fs::path& include :
             {bin / "../include", bin / "../../include", fs::path(RINGPROOF_BUILD_INCLUDE)})
            if (fs::exists(include / "ringproof/verify/verify.hpp"))
                return {library, entry, include.lexically_normal()};
        return {library, entry, {}};
    }
    throw std::runtime_error("libringproof_verify.so and libringproof_check_main.a are not near " +
                             bin.string());
}

fs::path headers_of(const std::string& dialect, const installation& here) {
    // Installed, and in the sources.
    for (const fs::path& compat : {here.include / "ringproof/verify/compat", here.include / "../compat"})
        if (!here.include.empty() && fs::exists(compat / dialect))
            return (compat / dialect).lexically_normal();
    throw std::runtime_error("the headers of --dialect " + dialect +
                             " are not installed: they come with the checker's headers");
}

/// Adds what a listing tells to what is known of the program, each thing once.
static void note_listing(const std::string& listing, compiled_program& made) {
    const auto add_once = [](std::vector<std::string>& to, const std::string& what) {
        if (std::find(to.begin(), to.end(), what) == to.end()) to.push_back(what);
    };
    if (std::string name = compiler_of(listing); !name.empty()) made.compiled_by.insert(std::move(name));
    const read_listing read = look_at(listing);
    for (const std::string& place : read.unseen) add_once(made.unseen, place);
    made.can_give_up = made.can_give_up || read.gives_up;
    made.catch2_version3 = made.catch2_version3 || read.catch2_version3;
    if (read.memory_resources) add_once(made.libraries, "the resources of std::pmr in libstdc++");
}

namespace {

/// Adds a library to the link. Which ones Catch2 is, its version says.
void add_library(std::vector<std::string>& command, const std::string& flag, const compiled_program& made) {
    if (flag == "-lCatch2WithMain" && made.catch2_version3)
        add(command, {"-lCatch2Main", "-lCatch2"});
    else
        command.push_back(flag);
}

/// Whether accesses that the compiler leaves out are announced in its listing.
constexpr bool announces_calls(bool clang) {
#if defined __x86_64__
    return !clang;
#else
    return clang && false;
#endif
}

/// As ringproof_instrument() in CMake. The user's own flags come behind, so that they win.
void add_instrumentation(std::vector<std::string>& command, bool clang) {
    command.insert(command.end(), std::begin(instrument_flags), std::end(instrument_flags));
    command.insert(command.end(), std::begin(no_builtin_flags), std::end(no_builtin_flags));
    if (clang)
        command.insert(command.end(), std::begin(instrument_flags_clang), std::end(instrument_flags_clang));
    else
        command.insert(command.end(), std::begin(instrument_flags_gnu), std::end(instrument_flags_gnu));
    // A read whose value is not used may race like any other; clang leaves none of them. What moves code down drops what
    // is not used, and so does what finds out that a function only reads. Where it is known what a function accesses,
    // it may write a large result in its place, unannounced.
    if (!clang)
        add(command,
            {"-fno-tree-dce", "-fno-tree-dse", "-fno-tree-sink", "-fno-ipa-pure-const", "-fno-ipa-modref"});
    // What is announced in a listing needs room below the stack pointer.
    if (announces_calls(clang)) add(command, {"-mno-red-zone"});
    // A local that has not been written to holds what no program means, the same in every execution: whether a
    // stack happens to hold zeros decides nothing.
    add(command, {"-ftrivial-auto-var-init=pattern", "-Wuninitialized"});
}

/// Compiles one source. @param apart that is of a second program @return its object file, or nothing
std::optional<std::string> compile_one(const source_file& file, const std::vector<std::string>& flags,
                                       const installation& here, const fs::path& folder, std::size_t number,
                                       bool apart, compiled_program& made) {
    const language l = language_of(file.path);
    std::vector<std::string> command = compiler(l);
    const bool clang = is_clang(command);
    command.emplace_back("-S");
    if (l == language::cxx) command.emplace_back("-std=c++20");
    if (file.is_framework)
        command.emplace_back("-O1");
    else
        add_instrumentation(command, clang);
    // Otherwise what inline variables are would be known to the other program.
    if (apart && !clang && l == language::cxx) command.emplace_back("-fno-gnu-unique");
    if (!here.include.empty()) {
        const fs::path standard = here.include / "ringproof/verify/std";
        add(command, {"-I", here.include.string(), "-isystem", standard.string()});
        if (!clang && !file.is_framework)
            add(command, {"-include", (standard / "ringproof_builtins.h").string()});
    }
    command.insert(command.end(), file.flags.begin(), file.flags.end());
    std::copy_if(flags.begin(), flags.end(), std::back_inserter(command),
                 [](const std::string& f) { return !is_of_linker(f); });
    const std::string listing = (folder / fmt::format("{}.s", number)).string();
    std::string object = (folder / fmt::format("{}.o", number)).string();
    add(command, {file.path, "-o", listing});
    std::vector<std::string> assemble = compiler(l);
    // clang's assembler complains of listings that clang wrote.
    add(assemble, {"-Wa,--no-warn", "-c", listing, "-o", object});
    const char* const advice = "include paths, macros and the like go behind --, as in: -- -Iinclude -DN=3";
    if (!succeeds(command, advice, file.folder)) return {};
    if (announces_calls(clang) && !file.is_framework) announce(listing);
    if (!succeeds(assemble, advice)) return {};
    if (!file.is_framework) note_listing(listing, made);
    return object;
}

/// Makes one object of a program's own, that knows no name of another program's and has no main(). @return it, or nothing
std::optional<std::string> set_apart(const std::vector<std::string>& objects, const fs::path& folder) {
    const std::string whole = (folder / "second.o").string();
    std::vector<std::string> join = compiler(language::c);
    add(join, {"-r", "-nostdlib", "-Wl,--force-group-allocation", "-o", whole});
    join.insert(join.end(), objects.begin(), objects.end());
    const char* const advice = "the second program needs a main(), and binutils are needed";
    const char* const main = "ringproof_second_main";
    if (!succeeds(join, advice) ||
        !succeeds({"objcopy", fmt::format("--redefine-sym=main={}", main), whole}, advice) ||
        !succeeds({"objcopy", fmt::format("--keep-global-symbol={}", main), whole}, advice))
        return {};
    return whole;
}

} // namespace

std::optional<compiled_program> compile(const sources& files, const std::vector<std::string>& flags,
                                        const installation& here, const fs::path& folder,
                                        const std::string& program) {
    compiled_program made;
    std::vector<std::string> objects, second;
    const auto compile_all = [&](const std::vector<source_file>& of, bool apart,
                                 std::vector<std::string>& into) {
        for (const source_file& file : of) {
            auto object = compile_one(file, flags, here, folder, objects.size() + second.size(), apart, made);
            if (!object) return false;
            into.push_back(std::move(*object));
        }
        return true;
    };
    if (!compile_all(files.first, false, objects) || !compile_all(files.second, true, second)) return {};
    if (!second.empty()) {
        auto whole = set_apart(second, folder);
        if (!whole) return {};
        objects.push_back(std::move(*whole));
    }
    const auto is_cxx = [](const source_file& f) { return language_of(f.path) == language::cxx; };
    const bool any_cxx = std::any_of(files.first.begin(), files.first.end(), is_cxx) ||
                         std::any_of(files.second.begin(), files.second.end(), is_cxx);
    std::vector<std::string> command = compiler(any_cxx ? language::cxx : language::c);
    command.insert(command.end(), objects.begin(), objects.end());
    // Before the libraries, as one of them may have main(): gtest_main.
    command.push_back(here.entry.string());
    // Behind the objects, so that the program's own libraries are found; the sanitizer's is never wanted.
    for (const std::string& f : flags)
        if (f.starts_with("-l") || f.starts_with("-L") || f.starts_with("-Wl,") || f.ends_with(".a") ||
            f.ends_with(".so")) {
            if (f == "-latomic") continue; // behind the checker, which has functions of the same names
            add_library(command, f, made);
            if (!f.starts_with("-L") && !f.starts_with("-Wl,") && !is_trusted(f)) made.libraries.push_back(f);
        }
    add(command, {"-o", program, "-Wl,--wrap=main,-z,now", wrap_options, "-L" + here.library.string(),
                  "-lringproof_verify", "-Wl,-rpath," + here.library.string(), "-pthread", "-latomic"});
    if (!succeeds(command, "the program needs a main(), and other sources it is made of are named beside it; "
                           "libraries go behind --, as in: -- -lm"))
        return {};
    return made;
}

} // namespace ringproof::verify
