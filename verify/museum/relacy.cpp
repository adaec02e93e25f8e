// SPDX-License-Identifier: Apache-2.0
#include "relacy.hpp"

#include "../check/children.hpp"
#include "opinion.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

namespace ringproof::verify {
namespace {

using command::json;

/// std::__atomic_futex_unsigned_base::_M_futex_wait_until()
constexpr const char* a_future_waits =
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_"
    "untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE";

/// What the hooks define in the place of the system's (shim/exhibit.cpp).
constexpr const char* given_names[] = {"main",
                                       "__assert_fail",
                                       "abort",
                                       "malloc",
                                       "calloc",
                                       "aligned_alloc",
                                       "posix_memalign",
                                       "realloc",
                                       "free",
                                       "pthread_cond_timedwait",
                                       "pthread_cond_clockwait",
                                       "pthread_spin_lock",
                                       "pthread_rwlock_rdlock",
                                       "pthread_rwlock_wrlock",
                                       "pthread_key_create",
                                       "sem_wait",
                                       "sem_post",
                                       "syscall",
                                       "eventfd",
                                       "poll",
                                       "read",
                                       "write",
                                       a_future_waits,
                                       "__cxa_guard_acquire",
                                       "__cxa_guard_release"};

json no_answer(const std::string& verdict, const std::string& message) {
    return opinion_without_run("relacy", verdict, message);
}

/// The program that searches, or why there is none.
json make_program(const showing& one, const std::string& adapter, const command::temporary_folder& folder) {
    const std::string object = folder / "exhibit.o", output = folder / "output.txt";
    const auto failed = [&](const std::string& what) {
        return no_answer("failed", what + ": " + command::read_text(output).substr(0, 400));
    };
    if (run_into(relacy_compile_command(one, object), output) != 0) return failed("it does not compile");
    if (run_into({"readelf", "-SW", object}, output) != 0) return failed("readelf");
    const std::string sections = command::read_text(output);
    if (sections.find(".tbss") != std::string::npos || sections.find(".tdata") != std::string::npos)
        return no_answer("not expressible", "it has thread-local variables");
    std::vector<std::string> rename{"objcopy"};
    for (const std::string name : given_names)
        rename.push_back("--redefine-sym=" + name + "=ringproof_exhibit_" + name);
    rename.push_back(object);
    if (run_into(rename, output) != 0) return failed("objcopy");
    std::vector<std::string> link{
        "g++", object, "-Wl,--whole-archive", adapter,
        "-Wl,--no-whole-archive,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=memcmp"};
    for (const auto& flags : {one.of->flags, one.shown->flags})
        std::copy_if(flags.begin(), flags.end(), std::back_inserter(link), for_linker);
    link.insert(link.end(), {"-ldw", "-ldl", "-pthread", "-o", folder / "program"});
    if (run_into(link, output) != 0) return failed("it does not link");
    return {};
}

/// One search's answer, added to `said`.
/// @param livelock whether a run that does not end is the exhibit's bug; otherwise it is a loop that waits without a yield,
/// which Relacy's full search takes for one
void add_search(json& said, const command::temporary_folder& folder, const std::string& scheduler,
                double seconds, bool livelock) {
    const std::string output = folder / "answer.txt";
    run_into({"timeout", "-k", "1", fmt::format("{:g}", seconds + 5), folder / "program", "--scenario",
              "exhibit", "--scheduler", scheduler, "--runs", "1000000000", "--time",
              fmt::format("{:g}", seconds)},
             output);
    const std::string text = command::read_text(output);
    const auto begin = text.rfind("\n{") == std::string::npos ? 0 : text.rfind("\n{") + 1;
    const json answer = json::parse(text.substr(begin), nullptr, false);
    if (!answer.is_object()) {
        said = no_answer("failed", "Relacy crashed, hung or gave no answer");
    } else if (answer.contains("not_expressible")) {
        said = no_answer("not expressible", answer["not_expressible"]);
    } else {
        const std::string words = in_small_letters(answer.value("words", ""));
        said["runs"] = said.value("runs", 0ULL) + answer.value("runs", 0ULL);
        said["seconds"] = said.value("seconds", 0.0) + answer.value("seconds", 0.0);
        if (answer.value("bug", false) && words == "livelock" && !livelock) {
            said["message"] = "no report, and its full search gave up at a loop that does not yield";
        } else if (answer.value("bug", false)) {
            said["verdict"] = "bug";
            said["message"] = words;
        } else if (answer.value("finished", false)) {
            said["runs"] = answer.value("runs", 0ULL); // without those that were taken at random
            said["all"] = true;
        }
    }
}

} // namespace

std::vector<std::string> relacy_compile_command(const showing& one, const std::string& to) {
    std::vector<std::string> words = tsan_command(one, to);
    std::erase_if(words, for_linker); // of a program
    words.insert(words.begin() + 1, {"-r", "-nostdlib"});
    // Copies are calls, which the hooks see; what a compiler makes of them is not instrumented.
    words.insert(words.begin() + 3, {"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset",
                                     "-fno-builtin-memcmp"});
    return words;
}

json ask_relacy(const showing& one, const std::string& adapter, double seconds) {
    if (!std::filesystem::exists(adapter))
        return no_answer("failed", adapter +
                                       " is not there: configure with -DRINGPROOF_RELACY_ROOT=DIR, and build "
                                       "ringproof_museum_relacy");
    const command::temporary_folder folder("ringproof-museum-relacy");
    json said = make_program(one, adapter, folder);
    if (!said.is_null()) return said;
    said = no_answer("no bug", "no report");
    for (const char* scheduler : {"random", "full"})
        if (said["verdict"] == "no bug" && !was_interrupted())
            add_search(said, folder, scheduler, seconds / 2, one.of->shows.starts_with("livelock"));
    return said;
}

} // namespace ringproof::verify
