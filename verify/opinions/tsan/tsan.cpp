// SPDX-License-Identifier: Apache-2.0
// Scenarios under the compiler's ThreadSanitizer: real threads on this machine, again and again. It looks for data races by
// the rules of C++, and sees no value that the machine does not show.

#include "../shim/checker.hpp"

#include <ringproof/verify/interrupt.hpp>
#include <ringproof/verify/verify.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>

namespace shim = ringproof::opinions;

namespace {

std::vector<shim::named_scenario>& registry() {
    static std::vector<shim::named_scenario> all;
    return all;
}

std::atomic<bool> raced{false};
std::atomic<const char*> failed{nullptr};

} // namespace

/// What ThreadSanitizer calls with each report.
extern "C" void __tsan_on_report(void*) { raced.store(true, std::memory_order_relaxed); }

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
    search_result found;
    const auto shown = [&] { return raced.load() || failed.load() != nullptr; };
    while (found.runs != options.runs && !shown() && (options.seconds <= 0 || seconds() < options.seconds)) {
        scenario.body();
        ++found.runs;
    }
    found.bug = shown();
    found.finished = !found.bug && found.runs == options.runs;
    found.words = raced.load()    ? "data race"
                  : failed.load() ? std::string("does not hold: ") + failed.load()
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
void fail(const char* expression, const char*, int) { failed.store(expression); }

void attached_handler::attach() { shim::cannot_express("it interrupts threads (verify::interrupt)"); }
void attached_handler::detach() {}
no_interrupts::no_interrupts(unsigned) { shim::cannot_express("it masks interrupts"); }
no_interrupts::~no_interrupts() = default;

} // namespace ringproof::verify
