// SPDX-License-Identifier: Apache-2.0
// What LINEARIZABLE calls: choosing a client, and looking at what its calls returned.
//
// The order of calls. Call b comes behind call a exactly if the return of a happens before b. The return is an event, a store
// that nobody reads, and b's thread notes the clock that it has before b. So a store that a itself published with is not
// enough: only what comes behind it in its thread counts.
//
// What reductions leave out. A client is explored as any scenario is, and the history is compared in each execution that is
// explored. An execution that is left out has an explored one in its place, with the same values read and the same memory,
// so with the same results of all calls. Of two kinds:
// - Threads change places, or orders that nothing observes (symmetry, arrivals, commuting updates): the order of calls is
//   the same, but for the names of threads that make the same calls.
// - An attempt or an iteration is missing (idle, retried, undone, restored iterations, vain wakes, blocked locks). The thread
//   knows what that attempt had read, and acquired, no more: fewer returns happen before its next call. An order of
//   fewer pairs may be explained where that of more is not. But let C be the client, and W the pairs that are lost. The client
//   with a wait for each pair of W has the explored execution too, as happens-before with these waits is contained
//   in that of the execution that was left out, which is consistent; and there the pairs are back.
// So with enough synchronisations nothing is lost, and with n of them nothing that n pairs show. Without these reductions
// (--no-reduction) it is lost nowhere. The waits are there in any case for what a client outside may do: it may order calls
// by other means than the structure.

#include "../program/early_heap.hpp"
#include "../runtime/runtime.hpp"
#include "in_all.hpp"
#include "progress.hpp"
#include "registry.hpp"
#include "text.hpp"

#include <algorithm>
#include <stdexcept>

namespace ringproof::verify::linear {
namespace {

registered_test& at(unsigned number) { return registry()[number]; }

/// The calls of an execution, and which come before which.
history history_of(const registered_test& test, unsigned client, const history_of_thread* notes) {
    history h;
    const auto& threads = test.clients()[client].threads;
    struct place {
        unsigned thread, call;
    };
    std::vector<place> places;
    for (unsigned t = 0; t < threads.size(); ++t) {
        h.names.push_back(notes[t].thread == 0 ? "main" : "T" + std::to_string(notes[t].thread));
        for (unsigned k = 0; k < threads[t].size(); ++k) {
            places.push_back({t, k});
            h.calls.push_back(test.call_at(client, t, k));
            h.calls.back().given = notes[t].calls[k].given;
        }
    }
    const bool across = test.of().options.promise == promise::linearizable;
    h.before.assign(places.size(), 0);
    for (std::size_t b = 0; b < places.size(); ++b)
        for (std::size_t a = 0; a < places.size(); ++a) {
            const place &pa = places[a], &pb = places[b];
            const known_events& known = notes[pb.thread].calls[pb.call].known;
            const std::uint32_t returned = notes[pa.thread].calls[pa.call].returned;
            const bool before = pa.thread == pb.thread
                                    ? pa.call < pb.call
                                    : across && returned <= known.of(notes[pa.thread].thread);
            if (before) h.before[b] |= std::uint32_t{1} << a;
        }
    h.no_effect = failures_for_no_reason(test, h);
    return h;
}

std::string key_of(unsigned client, const history& h) {
    std::string key(reinterpret_cast<const char*>(&client), sizeof client);
    for (std::size_t i = 0; i < h.calls.size(); ++i) {
        key.append(reinterpret_cast<const char*>(&h.calls[i].given), sizeof h.calls[i].given);
        key.append(reinterpret_cast<const char*>(&h.before[i]), sizeof h.before[i]);
    }
    return key;
}

[[noreturn]] void give_up(failure_kind kind, std::string message, std::uintptr_t site) {
    runtime::active()->fail_here(kind, std::move(message), site, 0);
}

} // namespace

std::vector<bool> failures_for_no_reason(const registered_test& test, const history& h) {
    const std::size_t n = h.calls.size();
    std::vector<bool> found(n, false);
    for (std::size_t i = 0; i < n; ++i) {
        if (!test.of().operations[h.calls[i].operation].may_fail || h.calls[i].given.first != 0) continue;
        for (std::size_t other = 0; other < n; ++other)
            if (h.calls[other].thread != h.calls[i].thread && (h.before[i] >> other & 1) == 0 &&
                (h.before[other] >> i & 1) == 0)
                found[i] = true;
    }
    return found;
}

std::string not_explained(const registered_test& test, unsigned client, const history& h,
                          const explanation& e, bool order_added) {
    const auto& threads = test.clients()[client].threads;
    return "not " + std::string(promise_name(test.of().options.promise)) +
           ": no order of these calls explains what " + "they return (client " + std::to_string(client + 1) +
           " of " + std::to_string(test.clients().size()) + ", " + std::to_string(threads.size()) +
           (threads.size() == 1 ? " thread, " : " threads, ") + std::to_string(h.calls.size()) +
           (h.calls.size() == 1 ? " call" : " calls") + ")\n\n" + drawing(h, test.of().operations) +
           "\n    " + reason(h, test.of().operations, e) +
           (order_added
                ? "\n    a client that orders these calls as drawn, by waiting or in one thread, has the "
                  "execution below"
                : "") +
           "\n    found when all calls have returned";
}

unsigned add(const test* t, void (*body)(), const char* file, int line) {
    scenario_options options;
    options.models = t->options.models;
    options.expect = t->options.expect;
    options.assumes = t->options.assumes;
    options.assumes.emplace_back(row_of(assumption::fresh_values).name); // who says fresh() does
    const auto number = static_cast<unsigned>(registry().size());
    {
        const early_heap::left_alone engine;
        registry().emplace_back(*t);
    }
    const registrar scenario(t->name, body, options, file, line);
    return number;
}

const test& find(unsigned number) { return at(number).of(); }

unsigned number_of_tests() { return static_cast<unsigned>(registry().size()); }

unsigned number_of(const std::string& name) {
    const program::engine_runs engine;
    const registered_test* const t = find_registered(name);
    if (!t) throw std::invalid_argument("no LINEARIZABLE is named '" + name + "'");
    return static_cast<unsigned>(t - registry().data());
}

unsigned any_client(unsigned number) {
    if (!runtime::running()) return 0;
    const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    std::string
        complaint; // given up behind the handler, which a thread that is never resumed would not leave
    try {
        const program::engine_runs engine;
        at(number).prepare();
    } catch (const std::runtime_error& e) {
        const program::engine_runs engine;
        complaint = std::string("the structure cannot say what is right: ") + e.what();
    }
    const linear_options& options = at(number).of().options;
    if (options.promise == promise::wait_free && options.steps == 0)
        complaint = "wait-freedom needs a bound: say .steps = N, the most steps that a call may take";
    count_steps(options.promise == promise::wait_free ? options.steps : 0);
    if (complaint.empty() && at(number).in_all() != 0) complaint = prepare_in_all(options);
    if (!complaint.empty()) give_up(failure_kind::unsupported, std::move(complaint), site);
    return runtime::active()->choose(static_cast<unsigned>(at(number).clients().size()), site);
}

unsigned threads(unsigned test, unsigned client) {
    return static_cast<unsigned>(at(test).clients()[client].threads.size());
}

unsigned calls(unsigned test, unsigned client, unsigned thread) {
    return static_cast<unsigned>(at(test).clients()[client].threads[thread].size());
}

client_call call_at(unsigned test, unsigned client, unsigned thread, unsigned call) {
    client_call c;
    c.operation = at(test).call_at(client, thread, call).operation;
    const std::vector<wait>& waits = at(test).clients()[client].waits;
    for (std::size_t w = 0; w < waits.size(); ++w) {
        const auto bit = static_cast<std::uint16_t>(1u << w);
        if (waits[w].to == thread && waits[w].to_call == call) c.waits_for |= bit;
        if (waits[w].from == thread && waits[w].from_call == call) c.sets |= bit;
    }
    return c;
}

std::int64_t argument_at(unsigned test, unsigned client, unsigned thread, unsigned call) {
    return at(test).call_at(client, thread, call).argument;
}

unsigned thread_number() { return runtime::running() ? runtime::active()->self().id : 0; }

std::uint32_t latest_event() { return runtime::running() ? runtime::active()->self().next_index - 1u : 0; }

known_events known_here() {
    known_events known;
    if (!runtime::running()) return known;
    const auto clock = runtime::active()->self().clocks.hb();
    for (thread_id t = 0; t < max_engine_threads && clock_groups::cover(t); ++t) {
        const auto latest = static_cast<std::uint64_t>(clock[t]);
        if (latest > 0xffff)
            give_up(failure_kind::limit, "a thread makes more than 65,535 events, too many for LINEARIZABLE",
                    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
        (t < 4 ? known.low : known.high) |= latest << t % 4 * 16;
    }
    return known;
}

void check(unsigned number, unsigned client, const history_of_thread* notes) {
    if (!runtime::running()) return;
    const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    runtime::active()->note_evaluated();
    registered_test& test = at(number);
    std::string message;
    {
        const program::engine_runs engine;
        for (unsigned t = 0; t < threads(number, client); ++t)
            if (notes[t].thread >= max_engine_threads)
                give_up(failure_kind::limit, "the structure starts threads, too many for LINEARIZABLE", site);
        const history h = history_of(test, client, notes);
        std::string key = key_of(client, h);
        test.note_latest(key);
        if (test.is_known(key)) return;
        const explanation e =
            explain(h, [&](const made_call* calls, std::size_t n) { return test.allows(calls, n); });
        if (e.found) return test.note_known(std::move(key));
        message = not_explained(test, client, h, e);
    }
    give_up(failure_kind::assertion, std::move(message), site);
}

std::string latest_history(unsigned test) { return at(test).latest(); }

} // namespace ringproof::verify::linear
