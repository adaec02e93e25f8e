// SPDX-License-Identifier: Apache-2.0
// Scenarios under the compiler's ThreadSanitizer: real threads on this machine, again and again, each run in a process of its
// own, so that static data is as it was. It looks for data races by the rules of C++, and sees no value that the machine does
// not show. It does not know fences, so a race that it reports where there are some may be none.

#include "../shim/checker.hpp"
#include "../shim/tool.hpp"

#include <ringproof/verify/interrupt.hpp>
#include <ringproof/verify/verify.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace shim = ringproof::opinions;

namespace {

std::vector<shim::named_scenario>& registry() {
    static std::vector<shim::named_scenario> all;
    return all;
}

/// What a run has met; in memory that its process shares with the search.
struct met {
    std::atomic<bool> race, fence, failure;
    char failed[256];          ///< the property
    char not_expressible[256]; ///< what the scenario wants
};

met& run_has() {
    static met* const shared = static_cast<met*>(
        mmap(nullptr, sizeof(met), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return *shared;
}

template <std::size_t Size>
void keep(char (&place)[Size], const char* text) {
    std::strncpy(place, text, Size - 1);
}

[[noreturn]] void end_of_run(const char* not_expressible) {
    keep(run_has().not_expressible, not_expressible);
    _exit(0);
}

/// @return whether it ended by itself within so many seconds
bool run_once(const shim::named_scenario& scenario, double seconds) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);
    const pid_t run = fork();
    if (run < 0) std::perror("fork"), _exit(3);
    if (run == 0) {
        shim::on_cannot_express = end_of_run;
        scenario.body();
        _exit(0);
    }
    const timespec most{
        static_cast<time_t>(seconds),
        static_cast<long>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * 1e9)};
    const bool ended = sigtimedwait(&child, nullptr, &most) == SIGCHLD;
    if (!ended) kill(run, SIGKILL);
    int status = 0;
    waitpid(run, &status, 0);
    if (ended && WIFSIGNALED(status)) raise(WTERMSIG(status)); // a crash is told as ours
    return ended;
}

} // namespace

/// What ThreadSanitizer calls with each report.
extern "C" void __tsan_on_report(void*) { run_has().race.store(true, std::memory_order_relaxed); }

/// What the program's fences call.
extern "C" void __real___tsan_atomic_thread_fence(int order);
extern "C" void __wrap___tsan_atomic_thread_fence(int order) {
    run_has().fence.store(true, std::memory_order_relaxed);
    __real___tsan_atomic_thread_fence(order);
}

/// Reports come by the function above; a race is not the end of the program.
extern "C" const char* __tsan_default_options() { return "exitcode=0:halt_on_error=0:report_thread_leaks=0"; }

namespace ringproof::opinions {

std::vector<named_scenario> scenarios() {
    std::vector<named_scenario> all = registry();
    std::stable_sort(all.begin(), all.end(), [](const named_scenario& a, const named_scenario& b) {
        return std::string_view(a.file) < b.file;
    });
    return all;
}

const checker& this_checker() {
    static const checker self{"tsan",
                              {"stress"},
                              "ThreadSanitizer sees the schedules and values that this machine happens to "
                              "show, and no others; it does not "
                              "know fences"};
    return self;
}

search_result search(const named_scenario& scenario, const search_options& options) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(clock::now() - begin).count(); };
    const double most = options.seconds > 0 ? options.seconds : 3600;
    search_result found;
    met& has = run_has();
    bool hangs = false;
    double last = 0; // when the last run began
    while (found.runs != options.runs && !hangs && !has.race && !has.failure && seconds() < most) {
        last = seconds();
        hangs = !run_once(scenario, std::max(most - last, 0.001));
        if (has.not_expressible[0] != 0) cannot_express(has.not_expressible);
        ++found.runs;
    }
    if (has.race && !has.failure && has.fence)
        cannot_express(
            "ThreadSanitizer reports a data race, but does not know the fences that order its accesses");
    found.bug = has.race || has.failure;
    found.finished = !found.bug && !hangs && found.runs == options.runs;
    found.words = has.race                        ? "data race"
                  : has.failure                   ? std::string("does not hold: ") + has.failed
                  : hangs && seconds() - last > 1 ? "no report; the last run did not end"
                                                  : "no report";
    found.seconds = seconds();
    return found;
}

} // namespace ringproof::opinions

namespace ringproof::verify {

registrar::registrar(std::string_view name, void (*body)(), scenario_options, const char* file, int line) {
    registry().push_back({std::string(name), body, file, line});
}

void pause() { std::this_thread::yield(); }
void assume(bool condition) {
    if (!condition) shim::cannot_express("it takes executions out of account (verify::assume)");
}
void cover(const char*) {}
void evaluated() noexcept {}
void fail(const char* expression, const char*, int) {
    if (!run_has().failure.exchange(true)) keep(run_has().failed, expression);
}

void attached_handler::attach() { shim::cannot_express("it interrupts threads (verify::interrupt)"); }
void attached_handler::detach() {}
no_interrupts::no_interrupts(unsigned) { shim::cannot_express("it masks interrupts"); }
no_interrupts::~no_interrupts() = default;

} // namespace ringproof::verify
