// SPDX-License-Identifier: Apache-2.0
// Every client of up to N calls, by those clients alone in which each call has a thread of its own (the idea is Relinche's:
// P. Golovin, M. Kokologiannakis, V. Vafeiadis, "RELINCHE: Automatically Checking Linearizability under Relaxed Memory
// Consistency", POPL 2025; how the orders of a client are added is ours).
//
// Let C be a client, E an execution of it, and B the pairs of calls (a, b) in E such that the return of a happens before b
// begins. Let M have the same calls, each in a thread of its own, and G be E without C's program order between calls and
// without C's synchronisations.
// 1. G is an execution of M. Each call does what it does in E, since it reads the same and does the same in each thread. The
//    model allows G: hb, psc and porf of G are contained in those of E, co and rf are the same, and what rc11, ra and sc forbid
//    are cycles in these. (Not so tso, in which a thread reads its own stores early.) A plain read finds the same
//    write, or M has a race; then M, a client of as many calls, refutes.
// 2. With the pairs of B, G is allowed: its hb is contained in that of E, as each pair is. Its order of calls is B, or more.
//    psc asks for more than hb: po to another location, hb, po to another location. E has it from an access of a to one of b,
//    by po where one thread makes both, by the accesses of the wait where two do. So has G, as a thread of M has an event of
//    its own behind each call and before it (run_alike_thread), and the pair leads from the one to the other.
// 3. So if no order of the calls explains E, it explains G with B as little: each pair is one more that has to be kept,
//    and one reason less for a call that may fail. find_unexplained() goes through all sets of pairs that G allows.
// 4. The other way round: a client that makes each call in its own thread, and waits for the pairs found, has that execution.
//
// What reductions leave out of M: threads that change places, which changes the names of calls that are alike, and attempts that
// were in vain, of which the pairs they establish are among those that find_unexplained() adds: check.cpp. Orders that
// nothing observes (commuting updates, arrivals at a barrier) are explored, as coherence is looked at here.
//
// "Does the same in each thread" is checked as far as it can be seen: no call may ask which thread it is in, leave
// anything in thread_local variables, or behave otherwise than an alike call in another thread that has read the same
// (execution/symmetry.cpp). A call that frees memory is refused: the next allocation of the same thread may get it.

#include "in_all.hpp"

#include "../model/searched.hpp"
#include "../program/early_heap.hpp"
#include "../program/libraries.hpp"
#include "../runtime/runtime.hpp"
#include "calls_in_graph.hpp"
#include "registry.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstring>
#include <link.h>
#include <map>

namespace ringproof::verify::linear {
namespace {

[[noreturn]] void refuse(failure_kind kind, std::string message, std::uintptr_t site) {
    runtime::active()->fail_here(kind, std::move(message), site, 0);
}

/// How often the program has freed memory.
unsigned freed_so_far() {
    unsigned found = 0;
    runtime::active()->memory().each_heap(0, [&](const heap& h) {
        found += h.first().frees;
        return true;
    });
    return found;
}

/// Whether the running thread's thread_local variables of the program are not as a thread begins with them.
int differs_from_begin(dl_phdr_info* info, std::size_t, void*) {
    if (!info->dlpi_tls_data || !is_part_of_program(*info)) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type != PT_TLS) continue;
        const auto* const at = static_cast<const char*>(info->dlpi_tls_data);
        const auto* const image = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
        if (std::memcmp(at, image, header.p_filesz) != 0) return 1;
        for (std::size_t b = header.p_filesz; b < header.p_memsz; ++b)
            if (at[b] != 0) return 1;
    }
    return 0;
}

int has_thread_locals(dl_phdr_info* info, std::size_t, void*) {
    bool has = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        has = has || (header.p_type == PT_TLS && header.p_memsz != 0);
    }
    return has && is_part_of_program(*info);
}

/// Clients of so many calls are explored in each order of the values that fresh() gives. In larger ones calls that get other
/// values are alike: for a structure that looks at none of them that is the same, and whether it does is not seen here.
constexpr std::size_t most_unlike_calls = 4;

/// Whether the running thread has left something in thread_local variables of the program.
bool has_kept_something() {
    const program::engine_runs engine;
    static const bool possible = dl_iterate_phdr(has_thread_locals, nullptr) != 0; // most programs have none
    return possible && dl_iterate_phdr(differs_from_begin, nullptr) != 0;
}

unsigned born_threads() {
    unsigned n = 0;
    for (std::uint16_t t = 0; t < runtime::active()->thread_count(); ++t)
        n += runtime::active()->thread(t).status != thread_status::unborn;
    return n;
}

/// Why the execution says nothing of clients whose threads make several calls, or nothing.
std::string why_not(std::size_t threads, const before_calls& before) {
    const runtime& engine = *runtime::active();
    std::string why;
    if (born_threads() != before.threads + threads)
        why = "a call starts a thread";
    else if (engine.execution().parts() != 0)
        why = "calls access the same memory in several sizes";
    else if (freed_so_far() != before.frees)
        why = "a call frees memory, which a later call of the same thread could get";
    else if (runtime::active()->facts().unlike != 0)
        why =
            "a call behaves otherwise than one like it in another thread, by which thread it is in or by the "
            "value that fresh() gives it";
    return why.empty() ? why : "in_all: " + why + ": say .threads and .calls in its place";
}

/// The calls of an execution, in the order of their threads, and where they are in its graph.
struct made_calls {
    history h;
    std::vector<call_events> events;
};

made_calls calls_of(const registered_test& test, unsigned client, const calls_of_thread* notes) {
    made_calls found;
    const auto& threads = test.clients()[client].threads;
    for (unsigned t = 0; t < threads.size(); ++t) {
        found.h.names.push_back("T" + std::to_string(t + 1));
        for (unsigned k = 0; k < threads[t].size(); ++k) {
            const noted_call& noted = notes[t].calls[k];
            found.h.calls.push_back(test.call_at(client, t, k));
            found.h.calls.back().given = noted.given;
            found.events.push_back({static_cast<thread_id>(notes[t].thread), noted.begun, noted.returned});
        }
    }
    return found;
}

/// Whether a specification gives one answer, whatever threads it is told.
bool allows_in_any_thread(const registered_test& test, const made_call* calls, std::size_t n, bool& differs) {
    const bool allowed = test.allows(calls, n);
    if (!test.of().allows) return allowed;
    std::vector<made_call> by_one(calls, calls + n);
    for (made_call& c : by_one) c.thread = 0;
    differs = differs || test.allows(by_one.data(), n) != allowed;
    return allowed;
}

/// Asks whether orders explain what the calls returned, each once.
class judge {
  public:
    judge(const registered_test& test, history h) : test_(test), history_(std::move(h)) {}

    bool explained(const call_order& order) {
        const auto [at, is_new] = known_.emplace(order, false);
        if (is_new) at->second = explain_with(order).found;
        return at->second;
    }
    explanation explain_with(const call_order& order) {
        history_.before = order;
        history_.no_effect = failures_for_no_reason(test_, history_);
        return explain(history_, [&](const made_call* calls, std::size_t n) {
            return allows_in_any_thread(test_, calls, n, asks_for_threads_);
        });
    }
    const history& of() const { return history_; }
    bool asks_for_threads() const { return asks_for_threads_; }

  private:
    const registered_test& test_;
    history history_;
    std::map<call_order, bool> known_;
    bool asks_for_threads_ = false;
};

void append(std::string& key, const call_order& order) {
    key.append(reinterpret_cast<const char*>(order.data()), order.size() * sizeof order[0]);
}

std::string key_of(unsigned client, const history& h, const call_relations& r) {
    std::string key(reinterpret_cast<const char*>(&client), sizeof client);
    for (const made_call& c : h.calls) key.append(reinterpret_cast<const char*>(&c.given), sizeof c.given);
    append(key, r.before);
    append(key, r.meets);
    append(key, r.reaches);
    append(key, r.never);
    return key;
}

std::vector<call_events> latest_calls; // for judges

/// What is wrong with an execution, or nothing.
std::string wrong_with(registered_test& test, unsigned client, const made_calls& made) {
    auto& g = const_cast<graph&>(runtime::active()->execution()); // left as it is
    const call_relations r = relations_of(g, made.events, searched_model() == "sc");
    std::string key = key_of(client, made.h, r);
    test.note_latest(key);
    latest_calls = made.events;
    if (test.is_known(key)) return {};
    judge j(test, made.h);
    bool asked = false; // what psc says is not in the key
    const added_order a = find_unexplained(
        r, [&](const call_order& order) { return j.explained(order); },
        [&](const call_order& order) {
            asked = true;
            return searched_model() != "rc11" || psc_allows(g, made.events, order);
        });
    if (j.asks_for_threads())
        return "in_all: the specification asks which thread makes a call: say .threads and .calls";
    if (a.gave_up)
        return "in_all: the calls of an execution can be ordered in too many ways: say a lower .in_all";
    if (a.found) {
        const explanation e = j.explain_with(a.order);
        return not_explained(test, client, j.of(), e, a.order != r.before);
    }
    if (!asked) test.note_known(std::move(key));
    return {};
}

} // namespace

std::string prepare_in_all(const linear_options& options) {
    if (options.promise != promise::linearizable)
        return "in_all is for the promise `linearizable`: say .threads and .calls in its place";
    if (searched_model() == "tso")
        return "in_all is not for tso, where a thread reads its own stores before others do: name other "
               ".models, or "
               "say .threads and .calls";
    reductions& reduce = runtime::active()->facts().limits.reduce;
    reduce.commuting_update = reduce.barrier = false;
    return {};
}

before_calls note_before_calls() {
    if (!runtime::running()) return {};
    const program::engine_runs engine;
    return {born_threads(), runtime::active()->self().children, freed_so_far()};
}

unsigned first_alike(unsigned number, unsigned client, unsigned thread) {
    const registered_test& test = registry()[number];
    const auto& threads = test.clients()[client].threads;
    const auto first =
        static_cast<unsigned>(std::find(threads.begin(), threads.end(), threads[thread]) - threads.begin());
    if (first == thread || !test.of().operations[test.call_at(client, thread, 0).operation].fresh)
        return first;
    if (threads.size() <= most_unlike_calls) return thread;
    if (runtime::running()) {
        const program::engine_runs engine;
        runtime::active()->facts().take_for_granted(
            assumption::fresh_values, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
    }
    return first;
}

unsigned own_place(const before_calls& before) {
    if (!runtime::running()) return 0;
    runtime& engine = *runtime::active();
    const graph& g = engine.execution();
    const thread_state& self = engine.self();
    unsigned place = 0;
    for (std::uint16_t t = 0; t < engine.thread_count(); ++t) {
        const thread_state& other = engine.thread(t);
        place += t != 0 && other.status != thread_status::unborn && other.parent == self.parent &&
                 g.at(other.created).index < g.at(self.created).index;
    }
    return place - before.children;
}

void note_made_calls() {
    if (!runtime::running() || !has_kept_something()) return;
    refuse(failure_kind::unsupported,
           "in_all: a call keeps something in a thread_local variable: say .threads and .calls in its place",
           reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

bool psc_allows_latest(const call_order& before) {
    return psc_allows(const_cast<graph&>(runtime::active()->execution()), latest_calls, before);
}

void check_in_all(unsigned number, unsigned client, const before_calls& before,
                  const calls_of_thread* notes) {
    if (!runtime::running()) return;
    const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    runtime::active()->note_evaluated();
    registered_test& test = registry()[number];
    std::string message;
    auto kind = failure_kind::unsupported;
    {
        const program::engine_runs engine;
        message = why_not(test.clients()[client].threads.size(), before);
        if (message.empty()) {
            message = wrong_with(test, client, calls_of(test, client, notes));
            if (message.rfind("not ", 0) == 0) kind = failure_kind::assertion;
        }
    }
    if (!message.empty()) refuse(kind, std::move(message), site);
}

} // namespace ringproof::verify::linear
