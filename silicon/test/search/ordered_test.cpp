// SPDX-License-Identifier: Apache-2.0
// Executions that are allowed, and what would forbid them.
#include "../toy/toy_machine.hpp"

#include <ringproof/silicon/ordered.hpp>

#include <catch2/catch.hpp>

using namespace ringproof::silicon;
using namespace ringproof::silicon::toy;

namespace {

constexpr std::uint64_t x = 1, y = 2;
using kind = added_order::kind;

/// The execution whose reads return this, thread after thread.
class kept final : public sink {
  public:
    explicit kept(std::vector<std::uint64_t> wanted) : wanted_(std::move(wanted)) {}
    void found(const part_of_execution& whole) override {
        outcomes one;
        one.found(whole);
        if (one.has(wanted_)) part = whole;
    }
    std::optional<part_of_execution> part;

  private:
    std::vector<std::uint64_t> wanted_;
};

part_of_execution execution(const std::vector<std::vector<step>>& code,
                            const std::vector<std::uint64_t>& returns) {
    toy::machine m(code);
    kept k(returns);
    explore(m, armv8(), k);
    REQUIRE(k.part);
    return *k.part;
}
step releases(step s) { return s.more.release = true, s; }
step acquires(step s) { return s.more.acquire = true, s; }

const std::vector<std::vector<step>> message{{write(x, 1), write(y, 1)}, {read(y), read(x)}};
const std::vector<std::vector<step>> buffering{{write(x, 1), read(y)}, {write(y, 1), read(x)}};

} // namespace

TEST_CASE("an old message is forbidden by a release and an acquire, by neither alone") {
    const part_of_execution old = execution(message, {1, 0});
    CHECK_FALSE(is_interleaving(armv8(), old));
    CHECK(allows_with(armv8(), old, {{kind::release, {0, 1}}}));
    CHECK(allows_with(armv8(), old, {{kind::acquire, {1, 0}}}));
    CHECK_FALSE(allows_with(armv8(), old, {{kind::release, {0, 1}}, {kind::acquire, {1, 0}}}));
    CHECK_FALSE(allows_with(armv8(), old, {{kind::release, {0, 1}}, {kind::acquire_pc, {1, 0}}}));
    CHECK(allows_with(armv8(), old, {{kind::release, {0, 0}}, {kind::acquire, {1, 0}}}));
    CHECK(allows_with(armv8(), old, {{kind::release, {0, 1}}, {kind::acquire, {1, 1}}}));
}

TEST_CASE("where one of the two is there, the other is what is missing") {
    auto code = message;
    code[0][1] = releases(code[0][1]);
    CHECK_FALSE(allows_with(armv8(), execution(code, {1, 0}), {{kind::acquire_pc, {1, 0}}}));
    code = message;
    code[1][0] = acquires(code[1][0]);
    CHECK_FALSE(allows_with(armv8(), execution(code, {1, 0}), {{kind::release, {0, 1}}}));
}

TEST_CASE("barriers order what is before them with what is behind, each its kinds") {
    const part_of_execution old = execution(message, {1, 0});
    for (const kind k : {kind::barrier_for_writes, kind::barrier})
        CHECK_FALSE(allows_with(armv8(), old, {{k, {0, 1}}, {kind::barrier_of_reads, {1, 1}}}));
    CHECK(allows_with(armv8(), old, {{kind::barrier_of_reads, {0, 1}}, {kind::barrier_of_reads, {1, 1}}}));
    CHECK(allows_with(armv8(), old, {{kind::barrier, {0, 1}}, {kind::barrier_for_writes, {1, 1}}}));
    CHECK(allows_with(armv8(), old, {{kind::barrier, {0, 0}}, {kind::barrier, {1, 1}}}));
}

TEST_CASE("store buffering wants full barriers, or a release and an LDAR in each thread") {
    const part_of_execution both_old = execution(buffering, {0, 0});
    CHECK_FALSE(is_interleaving(armv8(), both_old));
    const auto with = [&](kind write, kind read) {
        return allows_with(armv8(), both_old,
                           {{write, {0, 0}}, {read, {0, 1}}, {write, {1, 0}}, {read, {1, 1}}});
    };
    CHECK_FALSE(with(kind::release, kind::acquire));
    CHECK(with(kind::release, kind::acquire_pc));
    CHECK_FALSE(allows_with(armv8(), both_old, {{kind::barrier, {0, 1}}, {kind::barrier, {1, 1}}}));
    CHECK(allows_with(armv8(), both_old, {{kind::barrier_of_reads, {0, 1}}, {kind::barrier, {1, 1}}}));
}

TEST_CASE("no order forbids what threads in turns do") {
    for (const std::vector<std::uint64_t>& values :
         {std::vector<std::uint64_t>{0, 0}, std::vector<std::uint64_t>{0, 1},
          std::vector<std::uint64_t>{1, 1}})
        CHECK(is_interleaving(armv8(), execution(message, values)));
    CHECK(is_interleaving(armv8(), execution(buffering, {1, 0})));
    CHECK(
        allows_with(armv8(), execution(message, {1, 1}), {{kind::barrier, {0, 1}}, {kind::acquire, {1, 0}}}));
}
