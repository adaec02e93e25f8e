// SPDX-License-Identifier: Apache-2.0
#include "generate.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <utility> // std::exchange

namespace ringproof::verify::oracle {
namespace {

std::set<operation_kind> kinds_in(const profile& how) {
    std::set<operation_kind> kinds;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const program code = generate(how, seed);
        for (int thread = 0; thread < code.size; ++thread)
            for (int at = 0; at < code[thread].size; ++at) kinds.insert(code[thread][at].kind);
    }
    return kinds;
}

/// FNV-1a over the text of many programs.
std::uint64_t fingerprint(const profile& how) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        for (const char letter : to_string(generate(how, seed)))
            hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    return hash;
}

} // namespace

TEST_CASE("a profile and a seed give the same program on every platform") {
    CHECK(
        to_string(generate(profile_named("everything"), 7)) ==
        "T0: d0 = 1; x0.store(1, release)\n"
        "T1: r0 = x1.load(acquire); if (r0 != 0) skip 1; r1 = x0.fetch_add(1, seq_cst); m0.lock(); r2 = d3; "
        "d3 = r2 + 1; m0.unlock()\n"
        "T2: d0 = 1; x0.store(1, release); r0 = x1.load(acquire); if (r0 != 1) skip 1; r1 = d1\n");
    CHECK(fingerprint(profile_named("plain")) == 0x27bf037f4e79b107U);
    CHECK(fingerprint(profile_named("everything")) == 0x3c90eed9635b6814U);
    CHECK(generate(profile_named("rmw"), 1) != generate(profile_named("rmw"), 2));
}

TEST_CASE("a profile's programs hold what it names and nothing else") {
    using kind = operation_kind;
    CHECK(kinds_in(profile_named("plain")) == std::set<kind>{kind::load, kind::store});
    CHECK(kinds_in(profile_named("seq-cst")) == std::set<kind>{kind::load, kind::store, kind::fence});
    CHECK(kinds_in(profile_named("rmw")) ==
          std::set<kind>{kind::load, kind::store, kind::fetch_add, kind::exchange, kind::compare_exchange});
    CHECK(kinds_in(profile_named("awaits")) == std::set<kind>{kind::load, kind::store, kind::await});
    CHECK(kinds_in(profile_named("mutex")) == std::set<kind>{kind::load, kind::store, kind::plain_load,
                                                             kind::plain_store, kind::lock, kind::unlock});
    CHECK(kinds_in(profile_named("everything")).size() == 12);
    CHECK(kinds_in(profile_named("counted")) ==
          std::set<kind>{kind::load, kind::store, kind::counted_wait, kind::skip_if});
    CHECK(kinds_in(profile_named("bytes")) == std::set<kind>{kind::load, kind::store, kind::await,
                                                             kind::skip_if, kind::bytes_load,
                                                             kind::bytes_store});
    CHECK(kinds_in(profile_named("widths")).size() == 6);
    CHECK(kinds_in(profile_named("together")).size() == 18);
    CHECK_THROWS_AS(profile_named("no such profile"), std::out_of_range);
}

TEST_CASE("memory comes from where the profile says, and atomics have all widths where it says so") {
    for (const auto& [name, where] : {std::pair{"heap", storage::heap}, std::pair{"mapped", storage::mapped},
                                      std::pair{"thread-local", storage::thread_variable}})
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const surroundings within = generate(profile_named(name), seed).within;
            CHECK(within.shared == where);
            CHECK(within.own == where);
        }
    std::set<int> widths;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (const int width : generate(profile_named("widths"), seed).within.width) widths.insert(width);
    CHECK(widths == std::set<int>{0, 1, 2, 4, 8, 16});
    CHECK(generate(profile_named("everything"), 7).within == surroundings{});
}

TEST_CASE("mutexes are released by their holder, whichever conditions are taken") {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const program code = generate(profile_named(seed % 2 == 0 ? "everything" : "together"), seed);
        CAPTURE(to_string(code));
        for (int thread = 0; thread < code.size; ++thread) {
            bool held = false;
            for (int at = 0; at < code[thread].size; ++at) {
                const operation& step = code[thread][at];
                if (step.kind == operation_kind::lock) REQUIRE_FALSE(std::exchange(held, true));
                if (step.kind == operation_kind::unlock) REQUIRE(std::exchange(held, false));
                if (step.kind != operation_kind::skip_if) continue;
                REQUIRE(at + step.skip < code[thread].size);
                int balance = 0; // a skip passes over whole critical sections or none
                for (int next = at + 1; next <= at + step.skip; ++next) {
                    balance += code[thread][next].kind == operation_kind::lock;
                    balance -= code[thread][next].kind == operation_kind::unlock;
                }
                REQUIRE(balance == 0);
            }
            REQUIRE_FALSE(held);
        }
    }
}

} // namespace ringproof::verify::oracle
