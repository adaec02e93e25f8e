// SPDX-License-Identifier: Apache-2.0
// What release/acquire without sequential consistency allows and forbids: a verdict of its own beside sc, tso and rc11.
#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/models.hpp>

#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <thread>

using namespace ringproof::verify;

int seen_under_ra; // any other file could read it: else a compiler leaves the read of data out

namespace {

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
               release = std::memory_order_release, acq_rel = std::memory_order_acq_rel,
               sc = std::memory_order_seq_cst;

std::atomic<int> x, y, flag;
int data;
int seen[4];

template <class... Threads>
void in_parallel(Threads... threads) {
    x.store(0, relaxed), y.store(0, relaxed), flag.store(0, relaxed);
    data = 0;
    for (int& each : seen) each = 0;
    std::thread all[] = {std::thread(threads)...};
    for (std::thread& one : all) one.join();
}

exploration_result explored(const std::function<void()>& program, memory_model model) {
    exploration_options options;
    options.model = model;
    options.state = [] {
        std::string all;
        for (const int each : seen) all += std::to_string(each);
        return all + ' ' + std::to_string(x.load(relaxed)) + std::to_string(y.load(relaxed));
    };
    return explore(program, options);
}

/// Whether an execution has these values seen, and these last values of x and y.
bool may_see(const std::function<void()>& program, const std::string& values,
             memory_model model = memory_model::ra) {
    const exploration_result r = explored(program, model);
    REQUIRE(r.error.message == "");
    REQUIRE_FALSE(r.stopped);
    REQUIRE(r.states.size() > 1);
    return r.states.count(values) != 0;
}

std::function<void()> store_buffering(std::memory_order stores, std::memory_order fences,
                                      std::memory_order loads) {
    const auto fence = [=] {
        if (fences != relaxed) std::atomic_thread_fence(fences);
    };
    return [=] {
        in_parallel([=] { x.store(1, stores), fence(), seen[0] = y.load(loads); },
                    [=] { y.store(1, stores), fence(), seen[1] = x.load(loads); });
    };
}

std::function<void()> two_stores_each(std::memory_order how) {
    return [=] {
        in_parallel([=] { x.store(1, how), y.store(2, how); }, [=] { y.store(1, how), x.store(2, how); });
    };
}

std::function<void()> two_writers_two_readers(std::memory_order how) {
    return [=] {
        in_parallel([=] { x.store(1, how); }, [=] { y.store(1, how); },
                    [=] { seen[0] = x.load(how), seen[1] = y.load(how); },
                    [=] { seen[2] = y.load(how), seen[3] = x.load(how); });
    };
}

/// Taken by an exchange and given back by a store, both relaxed: the lock's mutant under rc11.
void relaxed_lock() {
    const auto enters = [](int who) {
        if (flag.exchange(1, relaxed) != 0) return;
        data = who;
        flag.store(0, relaxed);
    };
    in_parallel([=] { enters(1); }, [=] { enters(2); });
}

/// Two threads that each raise a flag and enter unless the other has raised his, in these orders.
void flags_before_entering(std::memory_order order) {
    const auto enters = [=](std::atomic<int>& mine, std::atomic<int>& other, int who) {
        mine.store(1, order);
        if (other.load(order) == 0) data = who;
    };
    in_parallel([=] { enters(x, y, 1); }, [=] { enters(y, x, 2); });
}

failure_kind error_of(const std::function<void()>& program, memory_model model) {
    return explored(program, model).error.kind;
}

} // namespace

TEST_CASE("ra lets a store be delayed past a load, and seq_cst accesses and fences keep none back") {
    CHECK(may_see(store_buffering(release, relaxed, acquire), "0000 11"));
    CHECK(may_see(store_buffering(sc, relaxed, sc), "0000 11"));
    CHECK(may_see(store_buffering(relaxed, sc, relaxed), "0000 11"));
    for (const memory_model strict : {memory_model::sc, memory_model::tso, memory_model::rc11}) {
        CHECK_FALSE(may_see(store_buffering(sc, relaxed, sc), "0000 11", strict));
        CHECK_FALSE(may_see(store_buffering(relaxed, sc, relaxed), "0000 11", strict));
    }
}

TEST_CASE("ra orders stores of two locations by no order of all") {
    // 2+2W: each first store is the last of its location.
    CHECK(may_see(two_stores_each(sc), "0000 11"));
    CHECK_FALSE(may_see(two_stores_each(sc), "0000 11", memory_model::rc11));
    CHECK_FALSE(may_see(two_stores_each(release), "0000 11", memory_model::tso));
}

TEST_CASE("ra lets two readers disagree about two writers") {
    CHECK(may_see(two_writers_two_readers(sc), "1010 11"));
    CHECK_FALSE(may_see(two_writers_two_readers(sc), "1010 11", memory_model::rc11));
    CHECK_FALSE(may_see(two_writers_two_readers(relaxed), "1010 11", memory_model::tso));
}

TEST_CASE("under ra relaxed accesses synchronise: messages arrive, through others too") {
    const auto message = [] {
        in_parallel([] { x.store(1, relaxed), y.store(1, relaxed); },
                    [] { seen[0] = y.load(relaxed), seen[1] = x.load(relaxed); });
    };
    CHECK_FALSE(may_see(message, "1000 11"));
    CHECK(may_see(message, "1100 11"));
    CHECK(may_see(message, "1000 11", memory_model::rc11));
    const auto through_another = [] {
        in_parallel([] { x.store(1, relaxed); }, [] { seen[0] = x.load(relaxed), y.store(seen[0], relaxed); },
                    [] { seen[1] = y.load(relaxed), seen[2] = x.load(relaxed); });
    };
    CHECK_FALSE(may_see(through_another, "1100 11"));
    CHECK(may_see(through_another, "1110 11"));
    CHECK(may_see(through_another, "1100 11", memory_model::rc11));
}

TEST_CASE("ra is coherent in each location, and a read-modify-write reads from the store before it") {
    const auto reads = [] {
        in_parallel([] { x.store(1, relaxed), x.store(2, relaxed); },
                    [] { seen[0] = x.load(relaxed), seen[1] = x.load(relaxed); });
    };
    CHECK_FALSE(may_see(reads, "2100 20"));
    CHECK(may_see(reads, "1200 20"));
    const auto adds = [] {
        in_parallel([] { seen[0] = x.fetch_add(1, relaxed); }, [] { seen[1] = x.fetch_add(1, relaxed); });
    };
    const exploration_result r = explored(adds, memory_model::ra);
    CHECK(r.executions == 2);
    CHECK(r.states.count("0100 20") == 1);
    CHECK(r.states.count("1000 20") == 1);
}

TEST_CASE("ra has no load buffering") {
    const auto program = [] {
        in_parallel([] { seen[0] = x.load(relaxed), y.store(1, relaxed); },
                    [] { seen[1] = y.load(relaxed), x.store(1, relaxed); });
    };
    CHECK_FALSE(may_see(program, "1100 11"));
}

TEST_CASE("read-modify-writes of one location do what seq_cst fences do elsewhere") {
    const auto program = [](auto between) {
        return [=] {
            in_parallel([=] { x.store(1, release), between(), seen[0] = y.load(acquire); },
                        [=] { y.store(1, release), between(), seen[1] = x.load(acquire); });
        };
    };
    CHECK_FALSE(may_see(program([] { flag.fetch_add(1, acq_rel); }), "0000 11"));
    CHECK(may_see(program([] { flag.load(acquire); }), "0000 11"));
}

TEST_CASE("under ra plain data race unless atomics order them, whatever these ask for") {
    CHECK(error_of(relaxed_lock, memory_model::ra) == failure_kind::nothing);
    CHECK(error_of(relaxed_lock, memory_model::rc11) == failure_kind::data_race);
    const auto unordered = [] {
        in_parallel([] { data = 1, flag.store(1, sc); }, [] { flag.load(sc), seen_under_ra = data; });
    };
    CHECK(error_of(unordered, memory_model::ra) == failure_kind::data_race);
}

TEST_CASE(
    "a lock that rests on seq_cst is refuted under ra, and its mutant without is refuted under all weak "
    "models") {
    CHECK(error_of([] { flags_before_entering(sc); }, memory_model::ra) == failure_kind::data_race);
    for (const memory_model model : {memory_model::sc, memory_model::tso, memory_model::rc11})
        CHECK(error_of([] { flags_before_entering(sc); }, model) == failure_kind::nothing);
    for (const memory_model model : {memory_model::ra, memory_model::tso, memory_model::rc11})
        CHECK(error_of([] { flags_before_entering(relaxed); }, model) == failure_kind::data_race);
}

TEST_CASE("what fails under ra is found again when its execution is replayed") {
    exploration_options options;
    options.model = memory_model::ra;
    const auto program = [] { flags_before_entering(sc); };
    const exploration_result r = explore(program, options);
    REQUIRE(r.error.kind == failure_kind::data_race);
    CHECK(replay(program, r.steps, options).error.message == r.error.message);
}

TEST_CASE("every model has a name of its own, and one number that is known") {
    for (const named_model& one : named_models) {
        CHECK(is_model(static_cast<unsigned>(one.which)));
        CHECK(model_name(one.which) == one.name);
        for (const named_model& other : named_models)
            CHECK((&one == &other || (one.name != other.name && one.which != other.which)));
    }
    CHECK(is_model(static_cast<unsigned>(named_models.size() - 1)));
    CHECK_FALSE(is_model(static_cast<unsigned>(named_models.size())));
}
