// SPDX-License-Identifier: Apache-2.0
#include "hardware/runner.hpp"

#include "hardware/generate.hpp"
#include "hardware/library.hpp"
#include "operational/x86_tso.hpp"

#include <catch2/catch.hpp>

#if defined(__x86_64__)
using namespace ringproof::litmus;

namespace {

struct prepared {
    explicit prepared(const std::string& text)
        : from(parse_test({"t", text})), program(x86::parse_program(from)), shown(shown_locations(from)),
          code(generate(program, shown), default_compiler(), folder) {}

    run_result run(const run_options& options) const {
        const std::atomic<bool> go_on{false};
        return run_on_hardware(code.test(), shown.size(), options, go_on, [](double) {});
    }
    void check(const run_result& r, std::uint64_t iterations) const {
        CHECK(r.iterations == iterations);
        std::uint64_t total = 0;
        const auto allowed = explore(program, shown, machine::tso);
        REQUIRE(allowed);
        for (const auto& [values, count] : r.states) {
            total += count;
            CHECK(allowed->values.count(values) == 1);
        }
        CHECK(total == iterations);
    }

    test from;
    x86::program program;
    std::vector<location> shown;
    scratch_folder folder;
    library code;
};

constexpr const char* sb = "X86 SB\n{ }\nP0 | P1 ;\nMOV [x],$1 | MOV [y],$1 ;\nMOV EAX,[y] | MOV EAX,[x] ;\n"
                           "exists (0:EAX=0 /\\ 1:EAX=0)";

} // namespace

TEST_CASE("every iteration is counted once and is allowed, whatever the synchronisation") {
    const prepared test(sb);
    for (const synchronisation sync :
         {synchronisation::none, synchronisation::user, synchronisation::timebase})
        for (const std::uint64_t group : {0, 7})
            for (const bool shuffle : {false, true}) {
                run_options options;
                options.size = 100;
                options.runs = 5;
                options.sync = sync;
                options.group = group;
                options.shuffle = shuffle;
                options.touch = shuffle;
                options.stride = shuffle ? 3 : 1;
                test.check(test.run(options), 500);
            }
}

TEST_CASE("without pinning and with every class of CPUs that this machine has, the test runs") {
    const prepared test(sb);
    for (const affinity a :
         {affinity::none, affinity::incr, affinity::siblings, affinity::l3, affinity::package}) {
        run_options options;
        options.size = 50;
        options.runs = 4;
        options.pinning = a;
        if (a != affinity::none && choose_cpus(a, 2).empty()) {
            CHECK_THROWS_AS(test.run(options), not_on_this_machine);
            continue;
        }
        test.check(test.run(options), 200);
    }
}

TEST_CASE("more threads than any machine has CPUs take turns") {
    std::string heads, rows, asks;
    for (int t = 0; t < 300; ++t) {
        heads += (t ? " | P" : "P") + std::to_string(t);
        rows += t ? " | LOCK INC [x]" : "LOCK INC [x]";
    }
    const test t = parse_test({"t", "X86 T\n{ }\n" + heads + ";\n" + rows + ";\nexists (x=300)"});
    const x86::program p = x86::parse_program(t);
    const scratch_folder folder;
    const library code(generate(p, shown_locations(t)), default_compiler(), folder);
    run_options options;
    options.size = 20;
    options.runs = 5;
    const std::atomic<bool> go_on{false};
    const run_result r = run_on_hardware(code.test(), 1, options, go_on, [](double) {});
    REQUIRE(r.states.size() == 1);
    CHECK(r.states.begin()->first[0] == 300);
    CHECK(r.states.begin()->second == 100);
}

TEST_CASE("more distinct states than the table of a worker holds are all counted") {
    // The generated code is handed outputs that no run made, each different.
    const test t = parse_test({"t", "X86 T\n{ }\nP0 ;\nMOV EAX,$1 ;\nexists (0:EAX=1)"});
    const x86::program p = x86::parse_program(t);
    const std::vector<location> shown = shown_locations(t);
    const scratch_folder folder;
    const library code(generate(p, shown), default_compiler(), folder);
    std::vector<std::int32_t> out(4000);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::int32_t>(i);
    std::vector<std::uint32_t> order(out.size(), 0);
    std::vector<std::uint64_t> counts(1024);
    std::vector<std::int64_t> values(1024);
    state_table table{counts.data(), values.data(), 1023, 0};
    char instance[64] = {};
    char* outs[] = {reinterpret_cast<char*>(out.data())};
    const std::uint64_t stopped = code.test().collect(instance, order.data(), 0, out.size(), outs, &table);
    CHECK(stopped == table.used); // each was new, and it stopped before the table was full
    CHECK(stopped < 1024);
    CHECK(stopped > 0);
}

TEST_CASE("an interruption ends the run after a batch, with what was counted") {
    const prepared test(sb);
    run_options options;
    options.size = 100;
    options.runs = 1'000'000'000;
    const std::atomic<bool> at_once{true};
    const run_result r =
        run_on_hardware(test.code.test(), test.shown.size(), options, at_once, [](double) {});
    CHECK(r.interrupted);
    test.check(r, 100);
}
#endif
