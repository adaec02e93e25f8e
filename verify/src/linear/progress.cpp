// SPDX-License-Identifier: Apache-2.0
// Promises of progress: clients in which threads are stopped for ever, and the others have to return from their calls.
//
// What is shown. A client has a survivor, each of its threads in turn. Each other thread may stop for ever behind any of its
// writes (../runtime/stops.cpp says why there alone), or returns from all its calls. So each set of threads but all of them is
// stopped, at each place.
// - A thread that waits for ever while others are stopped refutes: it has seen the newest of all that it reads, no other
//   thread will write, and so no order of steps lets it return. The structure is not lock-free; and as it would wait
//   in the same way with all others stopped, not obstruction-free.
// - Threads that hinder each other for ever are executions without end. A search in which there is one does not end by itself;
//   no reduction leaves it out (stops.cpp). A bound ends it: inconclusive.
// - So "verified" says of lock_free: in these clients each call of each thread that is not stopped returns after finitely many
//   steps, in each execution that the model allows and in which writes become visible at some time and a weak
//   compare-exchange does not fail for ever. Calls are finitely many, so this is lock-freedom: where no call returns any
//   more while some thread goes on there would be an execution without end.
// - wait_free says that, and of each call that it makes at most `steps` requests, whatever the others do. No iteration is left
//   out: reductions that recognise loops are off in such a search, so that each failed attempt is counted, and a call that goes
//   round is ended by the bound. Clients are bounded, so a call that is retried once for each write of the others takes
//   more steps the more calls the others make; the bound has to be below what they can bring about.
// - obstruction_free says the same of executions in which each thread but the survivor has been stopped behind its N-th
//   write. What two threads do to each other without end is cut off there, and the survivor is alone behind it.

#include "progress.hpp"
#include "../runtime/call_steps.hpp"
#include "../runtime/runtime.hpp"
#include "registry.hpp"
#include "text.hpp"

namespace ringproof::verify::linear {
namespace {

/// What main has chosen: the client, and then the survivor.
struct chosen {
    bool known = false;
    unsigned client = 0, survivor = 0;
};

chosen choices_of_main() {
    const graph& g = runtime::active()->execution();
    std::vector<unsigned> all;
    for (std::uint32_t i = 1; i <= g.thread_size(0); ++i)
        if (const event& e = g.at(g.in_thread(0, i)); e.kind == event_kind::choice && !e.word)
            all.push_back(static_cast<unsigned>(e.value));
    // A test with one client, or a client with one thread, leaves nothing to choose.
    return all.empty() ? chosen{} : chosen{true, all.front(), all.size() > 1 ? all[1] : 0};
}

/// "not lock-free: WHAT" and the calls of each thread.
std::string about_client(const registered_test& t, const std::string& what) {
    const chosen by_main = choices_of_main();
    std::string text = "not " + std::string(promise_name(t.of().options.promise)) + ": " + what;
    if (!by_main.known) return text + "\n\n    ";
    const client& c = t.clients()[by_main.client];
    std::size_t calls = 0;
    std::string lines;
    for (unsigned thread = 0; thread < c.threads.size(); ++thread) {
        lines += "\n      T" + std::to_string(thread + 1) + "   ";
        for (unsigned k = 0; k < c.threads[thread].size(); ++k, ++calls) {
            const made_call call = t.call_at(by_main.client, thread, k);
            lines += " " + call_text(t.of().operations[call.operation], call.argument);
        }
    }
    return text + " (client " + std::to_string(by_main.client + 1) + " of " +
           std::to_string(t.clients().size()) + ", " + std::to_string(c.threads.size()) +
           (c.threads.size() == 1 ? " thread, " : " threads, ") + std::to_string(calls) +
           (calls == 1 ? " call" : " calls") + ")\n" + lines + "\n\n    ";
}

} // namespace

void count_steps(unsigned most) {
    bound_calls(most, {});
    if (most == 0) return;
    reductions& reduce = runtime::active()->facts().limits.reduce;
    reduce.idle_iteration = reduce.retried_iteration = reduce.iteration_count = reduce.undone_attempt = false;
    reduce.tried_look = reduce.vain_wake = reduce.restored_iteration = reduce.allocating_iteration = false;
    reduce.multi_lock = false;
}

unsigned any_survivor(unsigned number, unsigned client) {
    if (!runtime::running()) return 0;
    const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    {
        const program::engine_runs engine;
        runtime::active()->facts().about_hang = [number] {
            return about_client(registry()[number],
                                "a call does not return while others are stopped for ever");
        };
        if (const unsigned most = registry()[number].of().options.steps; steps_of_a_call() != 0)
            bound_calls(most, [number, most] {
                return about_client(registry()[number], "a call takes more than " + std::to_string(most) +
                                                            (most == 1 ? " step" : " steps") + " of its own");
            });
    }
    return runtime::active()->choose(threads(number, client), site);
}

void begin_calls(unsigned number, bool survives) {
    if (!runtime::running()) return;
    const linear_options& options = registry()[number].of().options;
    const unsigned writes = options.promise == promise::obstruction_free ? options.writes : 0;
    runtime::active()->let_stop(survives ? stopping::not_this_one : stopping::possible, writes);
}

void begin_call(unsigned number) {
    if (runtime::running() && registry()[number].of().options.promise == promise::wait_free) mark_call();
}

void end_calls() {
    if (runtime::running()) runtime::active()->let_stop(stopping::off);
}

void note_returned() {
    if (runtime::running()) runtime::active()->note_evaluated();
}

} // namespace ringproof::verify::linear
