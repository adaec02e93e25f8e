// SPDX-License-Identifier: Apache-2.0
// Whole searches. The judge of reductions: the set of histories, with the order of their calls, that a search with all
// reductions compares, beside that of a search without.

#include "programs.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/linear.hpp>

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

namespace rv = ringproof::verify;

namespace {

using histories = std::set<std::string>;

rv::reductions all_reductions() {
    rv::reductions all;
    all.symmetry = all.commuting_update = true;
    return all;
}

/// What a loop that waits needs to end at all is left.
rv::reductions few_reductions() {
    rv::reductions few = rv::reductions::none();
    few.idle_iteration = true;
    return few;
}

struct found {
    rv::exploration_result result;
    histories seen;
};

found explore(const char* name, rv::memory_model model, const rv::reductions& reduce) {
    rv::exploration_options options;
    options.model = model;
    options.limits.reduce = reduce;
    found f;
    const unsigned test = rv::linear::number_of(name);
    options.on_complete = [&] { f.seen.insert(rv::linear::latest_history(test)); };
    f.result = rv::explore([name] { explore_client(name); }, options);
    return f;
}

void has_the_same_histories(const char* name, rv::memory_model model) {
    const found with = explore(name, model, all_reductions()),
                without = explore(name, model, few_reductions());
    INFO(name << ": " << with.result.executions << " executions with reductions, "
              << without.result.executions << " without; " << with.seen.size() << " and "
              << without.seen.size() << " histories");
    CHECK(with.result.error.kind == rv::failure_kind::nothing);
    CHECK(without.result.error.kind == rv::failure_kind::nothing);
    CHECK(with.result.executions > 0);
    CHECK(with.result.executions <= without.result.executions);
    CHECK((with.seen == without.seen));
}

} // namespace

TEST_CASE("reductions leave out no history of a structure that is lock-free or locked") {
    for (const rv::memory_model model : {rv::memory_model::rc11, rv::memory_model::sc}) {
        has_the_same_histories("attempts", model);
        has_the_same_histories("counter", model);
        has_the_same_histories("locked queue", model);
        has_the_same_histories("spinning queue", model);
    }
}

TEST_CASE("reductions leave out no history of a stack whose pushes fail and try again") {
    has_the_same_histories("stack", rv::memory_model::rc11);
}

TEST_CASE("reductions leave out no history of a queue whose calls help each other") {
    for (const rv::memory_model model : {rv::memory_model::rc11, rv::memory_model::sc})
        has_the_same_histories("queue that helps", model);
}

TEST_CASE("what no order explains refutes, under each model, and its message shows the smallest client") {
    for (const rv::memory_model model :
         {rv::memory_model::rc11, rv::memory_model::tso, rv::memory_model::sc, rv::memory_model::ra}) {
        const found f = explore("torn counter", model, all_reductions());
        CHECK(f.result.error.kind == rv::failure_kind::assertion);
        CHECK_THAT(f.result.error.message, Catch::Contains("2 threads, 2 calls"));
        CHECK_THAT(f.result.error.message, Catch::Contains("T1    | next() = 0 |"));
    }
}

TEST_CASE("a specification finds in the same executions what the structure alone does, in each search") {
    const found alone = explore("locked queue", rv::memory_model::rc11, all_reductions());
    for (int again = 0; again < 3; ++again) {
        const found given =
            explore("locked queue, compared with a specification", rv::memory_model::rc11, all_reductions());
        CHECK(given.result.error.kind == rv::failure_kind::nothing);
        CHECK(given.result.executions == alone.result.executions);
        CHECK((given.seen == alone.seen));
    }
}

TEST_CASE("a call that waits for another thread needs a specification") {
    const found f = explore("hanging queue", rv::memory_model::rc11, all_reductions());
    CHECK(f.result.error.kind == rv::failure_kind::unsupported);
    CHECK_THAT(f.result.error.message, Catch::Contains("does not return"));
}

namespace {

/// The client of a test with these calls, by their operations, and one wait: of call 0 of thread 2 for call 0 of thread 1.
unsigned client_of(unsigned test, const std::vector<std::vector<unsigned>>& wanted) {
    for (unsigned n = 0;; ++n) { // there is one: otherwise this does not end
        if (rv::linear::threads(test, n) != wanted.size()) continue;
        bool same = (rv::linear::call_at(test, n, 1, 0).sets & 1) != 0 &&
                    (rv::linear::call_at(test, n, 2, 0).waits_for & 1) != 0;
        for (unsigned t = 0; t < wanted.size(); ++t) {
            same = same && rv::linear::calls(test, n, t) == wanted[t].size();
            for (unsigned k = 0; same && k < wanted[t].size(); ++k)
                same = rv::linear::call_at(test, n, t, k).operation == wanted[t][k];
        }
        if (same) return n;
    }
}

/// What the calls of each history returned, without their order.
std::set<std::string> results_of_client(unsigned test, unsigned client, bool retried,
                                        rv::exploration_result& result) {
    rv::exploration_options options;
    options.model = rv::memory_model::rc11;
    options.limits.reduce.retried_iteration = retried;
    std::set<std::string> all;
    options.on_complete = [&] {
        const std::string seen = rv::linear::latest_history(test);
        std::string answers;
        for (std::size_t at = sizeof client; at < seen.size();
             at += sizeof(rv::linear::answer) + sizeof(std::uint32_t))
            answers += seen.substr(at, sizeof(rv::linear::answer));
        all.insert(answers);
    };
    result = rv::explore([client] { explore_client("any queue of turns", client); }, options);
    return all;
}

} // namespace

// A read that ended an iteration without effect stays in the graph, and its thread reads again. When a revisit keeps both, the
// first is one to wait behind again; the look that found that out is not taken once more.
TEST_CASE("a thread that waits behind a read does so again when a revisit keeps that read") {
    const unsigned test = rv::linear::number_of("any queue of turns");
    for (const auto& calls : {std::vector<std::vector<unsigned>>{{0}, {0, 0, 0}, {1, 0, 0}},
                              std::vector<std::vector<unsigned>>{{0}, {0, 0}, {1, 0, 1}}}) {
        const unsigned client = client_of(test, calls);
        rv::exploration_result with, without;
        const auto some = results_of_client(test, client, true, with),
                   all = results_of_client(test, client, false, without);
        INFO(with.error.message << "; " << with.executions << " executions, " << without.executions
                                << " without");
        CHECK(with.error.kind == rv::failure_kind::nothing);
        CHECK(without.error.kind == rv::failure_kind::nothing);
        CHECK(with.executions < without.executions);
        CHECK((some == all));
        CHECK(all.size() > 4);
    }
}
