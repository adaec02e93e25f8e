// SPDX-License-Identifier: Apache-2.0
#include "../../src/linear/registry.hpp"

#include <catch2/catch.hpp>

namespace rl = ringproof::verify::linear;

namespace {

rl::test queue(unsigned threads, unsigned calls) {
    rl::test t;
    t.name = "queue";
    t.options.threads = threads;
    t.options.calls = calls;
    t.options.synchronisations = 0;
    rl::operation push, pop;
    push.fresh = true;
    t.operations = {push, pop};
    return t;
}

} // namespace

TEST_CASE("a fresh argument is another one at each call of a client") {
    const rl::test t = queue(2, 2);
    const rl::registered_test r(t);
    REQUIRE(r.clients().size() == 6 + 21);
    for (unsigned n = 0; n < r.clients().size(); ++n) {
        std::set<std::int64_t> arguments;
        std::size_t pushes = 0;
        for (unsigned i = 0; i < r.clients()[n].threads.size(); ++i)
            for (unsigned k = 0; k < r.clients()[n].threads[i].size(); ++k)
                if (const rl::made_call c = r.call_at(n, i, k); c.operation == 0)
                    arguments.insert(c.argument), ++pushes;
        CHECK(arguments.size() == pushes);
    }
}

TEST_CASE("each value makes another kind of call") {
    rl::test t = queue(1, 1);
    t.operations[0].fresh = false;
    t.operations[0].arguments = {7, 9};
    const rl::registered_test r(t);
    REQUIRE(r.clients().size() == 3);
    CHECK(r.call_at(0, 0, 0).argument == 7);
    CHECK(r.call_at(1, 0, 0).argument == 9);
    CHECK(r.call_at(2, 0, 0).operation == 1);
}

TEST_CASE("bounds above what there is room for are the largest there is room for") {
    const rl::test t = queue(1, 9);
    CHECK(rl::registered_test(t).clients().back().threads[0].size() == rl::max_calls);
}

TEST_CASE("the claim says how many clients, and up to which bounds") {
    rl::test t = queue(2, 2);
    CHECK(rl::claim_text(rl::registered_test(t)) ==
          "linearizable: 27 clients up to 2 x 2, 0 synchronisations");
    t.options.synchronisations = 1;
    t.options.promise = rl::promise::sequentially_consistent;
    CHECK(rl::claim_text(rl::registered_test(t)) ==
          "sequentially consistent: 127 clients up to 2 x 2, 1 synchronisation");
}

TEST_CASE("clients keep to one thread where an operation is one thread's, and the claim says so") {
    rl::test t = queue(2, 1);
    t.operations[0].name = "push";
    t.operations[0].one_thread = true;
    t.operations[1].name = "pop";
    t.operations[1].may_fail = true;
    const rl::registered_test r(t);
    CHECK(r.clients().size() == 2 + 2); // push, pop, push || pop, pop || pop
    CHECK(rl::claim_text(r) ==
          "linearizable: 4 clients up to 2 x 1, 0 synchronisations, push by one thread, pop may "
          "fail while others work");
    t.allows = [](const rl::made_call*, std::size_t) { return true; };
    CHECK(rl::claim_text(r).find("by the specification given") != std::string::npos);
}

TEST_CASE("operations of one owner are called by the same thread") {
    rl::test t = queue(2, 1);
    t.operations[0].name = "push";
    t.operations[0].one_thread = true;
    t.operations[1].name = "take";
    t.operations[1].one_thread = t.operations[1].with_previous = true;
    rl::operation steal;
    steal.name = "steal";
    t.operations.push_back(steal);
    const rl::registered_test r(t);
    CHECK(r.clients().size() == 3 + 3); // push || steal, take || steal, steal || steal
    CHECK(rl::claim_text(r).find("push by one thread, take by the same one") != std::string::npos);
}

TEST_CASE("clients of a promise of progress wait for no other thread, and the claim says who is stopped") {
    rl::test t = queue(2, 2);
    t.options.synchronisations = 1;
    t.options.promise = rl::promise::lock_free;
    t.operations[1].may_fail = true; // of what calls return nothing is said
    const rl::registered_test lock_free(t);
    CHECK(rl::claim_text(lock_free) == "lock-free: 27 clients up to 2 x 2, all threads but one stopped "
                                       "behind any of their writes, or not");
    for (const rl::client& c : lock_free.clients()) CHECK(c.waits.empty());
    t.options.promise = rl::promise::obstruction_free;
    t.options.writes = 3;
    CHECK(rl::claim_text(rl::registered_test(t)) ==
          "obstruction-free: 27 clients up to 2 x 2, all threads but one stopped behind any of their first 3 "
          "writes, or not");
}
