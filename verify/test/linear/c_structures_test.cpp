// SPDX-License-Identifier: Apache-2.0
#include "../../src/linear/c_structures.hpp"

#include <catch2/catch.hpp>

namespace rv = ringproof::verify;
namespace rl = ringproof::verify::linear;

namespace {

int made = 0, destroyed = 0;
unsigned client_run = 0;

void run(const rl::c_structure*, unsigned, unsigned client) { client_run = client; }

void* make() {
    ++made;
    return new std::int64_t(0);
}
void destroy(void* object) {
    ++destroyed;
    delete static_cast<std::int64_t*>(object);
}
rl::answer add(void* object, std::int64_t argument) {
    *static_cast<std::int64_t*>(object) += argument;
    return {*static_cast<std::int64_t*>(object), 0};
}

rl::c_structure numbers() {
    rl::c_structure s{};
    s.make = make, s.destroy = destroy;
    s.ops[0] = {"add", add, {2, {3, 4}}, false, false, true, false, 1};
    s.ops[1] = {"sub", add, {}, true, true, false, true, 3};
    return s;
}

} // namespace

TEST_CASE("a structure in C has the bounds of one in C++, unless it says others") {
    rl::c_structure s = numbers();
    const rl::linear_options usual, given = rl::test_of(s, "n", nullptr).options;
    CHECK(given.threads == usual.threads);
    CHECK(given.calls == usual.calls);
    CHECK(given.synchronisations == usual.synchronisations);
    CHECK(given.models == usual.models);
    CHECK(given.promise == rl::promise::linearizable);
    CHECK(given.expect == rv::verdict::verified);
    s.threads = 3, s.calls = 4, s.synchronisations = -1, s.promise = 2, s.expect_refuted = true;
    s.models[0] = rl::c_model::sc, s.models[1] = rl::c_model::tso;
    const rl::linear_options other = rl::test_of(s, "n", nullptr).options;
    CHECK((other.threads == 3 && other.calls == 4 && other.synchronisations == 0));
    CHECK(other.models == std::vector{rv::memory_model::sc, rv::memory_model::tso});
    CHECK(other.promise == rl::promise::lock_free);
    CHECK(other.expect == rv::verdict::refuted);
}

TEST_CASE("operations in C are those of the test, and run alone on an object of their own") {
    const rl::c_structure s = numbers();
    const rl::test t = rl::test_of(s, "numbers", run);
    REQUIRE(t.operations.size() == 2);
    CHECK(t.operations[0].arguments == std::vector<std::int64_t>{3, 4});
    CHECK((t.operations[0].one_thread && !t.operations[0].with_previous && !t.operations[0].may_fail));
    CHECK((t.operations[1].one_thread && t.operations[1].with_previous && t.operations[1].may_fail));
    CHECK((t.operations[0].form == rl::answer_form::value &&
           t.operations[1].form == rl::answer_form::optional));
    CHECK((t.operations[1].fresh && !t.operations[0].fresh));
    rl::made_call calls[] = {{0, 0, 3, {}}, {0, 1, 4, {}}};
    t.alone(t, calls, 2);
    CHECK((calls[0].given.first == 3 && calls[1].given.first == 7));
    CHECK((made == 1 && destroyed == 1));
    t.run(t, 1, 5);
    CHECK(client_run == 5);
}
