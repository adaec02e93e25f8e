// SPDX-License-Identifier: Apache-2.0
// Scenarios on CDSChecker (github.com/computersforpeace/model-checker), whose libmodel.so is found by
// RINGPROOF_CDSCHECKER_ROOT. It knows atomics and plain data by their addresses, as the hooks do. Its main() takes the
// process and forks one for each execution, so it gets a process of its own, and answers by what it prints.

#include "../shim/checker.hpp"
#include "interface.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::opinions {
namespace {

constexpr std::size_t max_threads = 8, max_words = 4096;

/// What all processes of a search know. A word's first value has to be told where it is written, before it is known to be
/// accessed atomically; so an execution that meets a new word ends the search, and the next search knows it.
struct shared_facts {
    std::uint64_t runs;
    bool new_word;
    int signal; ///< that ended an execution's process, which CDSChecker itself does not look at
    char cannot[128];
    std::size_t known;
    std::array<std::uintptr_t, max_words> words;
    std::array<unsigned char, max_words> sizes;

    bool knows(std::uintptr_t at) const {
        return std::find(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(known), at) !=
               words.begin() + static_cast<std::ptrdiff_t>(known);
    }
};
shared_facts* facts = nullptr;
void (*body)() = nullptr;

std::uint64_t native(std::uintptr_t at, unsigned size) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(at), size);
    return bits;
}

int order_of(int order) {
    switch (order) {
    case __ATOMIC_RELAXED:
        return 0;
    case __ATOMIC_RELEASE:
        return 2;
    case __ATOMIC_ACQ_REL:
        return 3;
    case __ATOMIC_SEQ_CST:
        return 4;
    default: // it has no consume
        return 1;
    }
}

class cdschecker final : public tool {
  public:
    std::uint64_t load(const access& what) override {
        return cut(model_read_action(word(what), order_of(what.order)), what.size);
    }
    void store(const access& what, std::uint64_t value) override {
        model_write_action(word(what), order_of(what.order), value);
    }
    std::uint64_t update(const access& what, change operation, std::uint64_t operand) override {
        void* const at = word(what);
        const std::uint64_t before = cut(model_rmwr_action(at, order_of(what.order)), what.size);
        model_rmw_action(at, order_of(what.order), cut(changed(operation, before, operand), what.size));
        return before;
    }
    bool compare_exchange(const access& what, int failure, bool, std::uint64_t& expected,
                          std::uint64_t desired) override {
        void* const at = word(what);
        const std::uint64_t before = cut(model_rmwr_action(at, order_of(what.order)), what.size);
        if (before == cut(expected, what.size)) {
            model_rmw_action(at, order_of(what.order), desired);
            return true;
        }
        model_rmwc_action(at, order_of(failure));
        expected = before;
        return false;
    }
    void fence(int order, place) override { model_fence_action(order_of(order)); }

    void plain(std::uintptr_t at, std::uintptr_t size, bool write, place) override {
        for (std::uintptr_t byte = at; byte != at + size; ++byte) {
            auto* const p = reinterpret_cast<std::uint8_t*>(byte);
            if (write)
                store_8(p, *p); // the value comes later
            else
                load_8(p);
        }
    }
    void written(std::uintptr_t at, std::uintptr_t size, place) override {
        for (std::size_t i = 0; i != facts->known; ++i)
            if (const std::uintptr_t word = facts->words[i]; word >= at && word < at + size)
                model_init_action(reinterpret_cast<void*>(word), native(word, facts->sizes[i]));
    }

    /// Words of static data have their value from the beginning, and no write event.
    static void begin() {
        for (std::size_t i = 0; i != facts->known; ++i)
            if (const std::uintptr_t word = facts->words[i]; is_static(word))
                model_init_action(reinterpret_cast<void*>(word), native(word, facts->sizes[i]));
    }

    void yield(place) override { thrd_yield(); }

    unsigned start(void* (*function)(void*), void* argument) override {
        if (started_ == max_threads) cannot_express("it has more than 8 threads");
        all_[started_] = {this, function, argument, {}};
        thrd_create(
            &all_[started_].handle,
            [](void* self) {
                auto& mine = *static_cast<thread*>(self);
                enter(mine.owner);
                mine.function(mine.argument);
                leave();
            },
            &all_[started_]);
        return started_++;
    }
    void join(unsigned which, place) override { thrd_join(all_[which].handle); }

    /// It comes back where the execution hangs on a value that is still to be written.
    void fail(const char* what, place) override { model_assert(false, what, 0); }

  private:
    struct thread {
        tool* owner;
        void* (*function)(void*);
        void* argument;
        thrd_t handle;
    };

    static void* word(const access& what) {
        if (!facts->knows(what.at)) {
            if (facts->known == max_words) cannot_express("it has more than 4096 atomic words");
            facts->words[facts->known] = what.at;
            facts->sizes[facts->known++] = static_cast<unsigned char>(what.size);
            facts->new_word = true;
            model_init_action(reinterpret_cast<void*>(what.at), native(what.at, what.size));
        }
        return reinterpret_cast<void*>(what.at);
    }

    std::array<thread, max_threads> all_{};
    unsigned started_ = 0;
};

/// CDSChecker's own main() takes over. Fairness needs yields to mean something, and a bound on reads of old values.
[[noreturn]] void become_cdschecker(int output, double seconds) {
    setpgid(0, 0);
    const auto limit = static_cast<rlim_t>(seconds) + 10;
    const rlimit cpu{limit, limit}; // for the processes that it leaves behind, too
    setrlimit(RLIMIT_CPU, &cpu);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    on_cannot_express = [](const char* what) {
        std::strncpy(facts->cannot, what, sizeof facts->cannot - 1);
        _exit(1);
    };
    auto* const its_main = reinterpret_cast<int (*)(int, char**)>(dlsym(RTLD_NEXT, "main"));
    static std::array<std::string, 4> words{"cdschecker", "-y", "-m", "2"};
    std::array<char*, words.size() + 1> argv{};
    std::transform(words.begin(), words.end(), argv.begin(), [](std::string& w) { return w.data(); });
    if (its_main) its_main(static_cast<int>(words.size()), argv.data());
    _exit(0);
}

/// The number behind `label` in what it printed.
std::uint64_t figure(const std::string& said, const char* label) {
    const std::size_t at = said.find(label);
    return at == std::string::npos ? 0 : std::strtoull(said.c_str() + at + std::strlen(label), nullptr, 10);
}

/// The first line that names a bug.
std::string bug_in(const std::string& said) {
    const std::size_t at = said.find("[BUG]");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + 6, end = said.find('\n', begin);
    return end == std::string::npos ? "" : said.substr(begin, end - begin);
}

using clock = std::chrono::steady_clock;

/// One search, until it ends, a bug is told, a word is new or the time is over. @return whether it ended by itself
bool search_once(double seconds, clock::time_point until, std::string& said) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return false;
    const pid_t child = fork();
    if (child == 0) become_cdschecker(ends[1], seconds);
    close(ends[1]);
    std::array<char, 4096> buffer;
    bool ended = false;
    while (!ended && clock::now() < until && !facts->new_word && facts->cannot[0] == '\0' &&
           bug_in(said).empty()) {
        pollfd waiting{ends[0], POLLIN, 0};
        if (poll(&waiting, 1, 20) <= 0) continue;
        const ssize_t n = read(ends[0], buffer.data(), buffer.size());
        ended = n <= 0;
        if (n > 0) said.append(buffer.data(), static_cast<std::size_t>(n));
    }
    kill(-child, SIGKILL);
    kill(child, SIGKILL); // before it had a group
    waitpid(child, nullptr, 0);
    close(ends[0]);
    return ended;
}

} // namespace

const checker& this_checker() {
    static const checker self{
        "cdschecker",
        {"full"},
        "CDSChecker leaves out executions in which a thread reads one old value more than twice while newer "
        "ones exist (-m 2), unfair ones (-y), and those in which an acquire load reads a relaxed store "
        "behind a "
        "release fence where its search has run the load before the fence; it has no consume, and no failing "
        "weak "
        "compare-exchange"};
    return self;
}

search_result search(const named_scenario& scenario, const search_options& options) {
    facts = static_cast<shared_facts*>(
        mmap(nullptr, sizeof(shared_facts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    body = scenario.body;
    const double seconds = options.seconds > 0 ? options.seconds : 3600;
    const auto begin = clock::now();
    const auto until =
        begin + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
    std::string said;
    bool ended = false;
    do {
        facts->new_word = false;
        facts->runs = 0;
        said.clear();
        ended = search_once(seconds, until, said);
    } while (facts->new_word && clock::now() < until);
    if (facts->cannot[0] != '\0') cannot_express(facts->cannot);
    search_result found;
    found.words = bug_in(said);
    found.bug = !found.words.empty();
    found.finished = !found.bug && ended && said.find("Model-checking complete") != std::string::npos;
    found.runs = found.finished ? figure(said, "Total executions: ") : facts->runs;
    if (found.finished)
        found.words =
            std::to_string(figure(said, "bug-free executions: ")) + " complete, bug-free executions";
    if (ended && !found.bug && !found.finished) { // it gave up
        found.runs = 0;
        if (said.empty()) said = "CDSChecker ended without a word";
        found.words = facts->signal != 0 ? "an execution was ended by signal " + std::to_string(facts->signal)
                                         : said.substr(0, said.find('\n'));
    }
    found.seconds = std::chrono::duration<double>(clock::now() - begin).count();
    if (found.bug) found.history = said;
    return found;
}

} // namespace ringproof::opinions

extern "C" int user_main(int, char**) {
    using namespace ringproof::opinions;
    static char stack[1 << 16]; // that of the scenario may have been too small
    stack_t other{};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    sigaltstack(&other, nullptr);
    struct sigaction on_crash {};
    on_crash.sa_flags = SA_ONSTACK;
    on_crash.sa_handler = [](int signal) {
        facts->signal = signal;
        _exit(1);
    };
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) sigaction(signal, &on_crash, nullptr);
    static cdschecker with;
    ++facts->runs;
    cdschecker::begin();
    enter(&with);
    body();
    leave();
    return 0;
}
