// SPDX-License-Identifier: Apache-2.0
#include "ringproof/session/output.hpp"

#include <catch2/catch.hpp>

using namespace ringproof;

namespace {

output_description mapped_on(int cpu, std::uint64_t thread = 0) {
    output_description result;
    result.cpu = cpu;
    result.thread = thread;
    result.mapped = true;
    return result;
}

output_description on(int cpu, std::uint64_t thread = 0) {
    output_description result = mapped_on(cpu, thread);
    result.mapped = false;
    return result;
}

} // namespace

TEST_CASE("a ring is shared only by those who could have written it in the first place") {
    CHECK(may_redirect(on(1), mapped_on(1), false) == output_refusal::none);
    CHECK(may_redirect(on(-1, 7), mapped_on(-1, 7), false) == output_refusal::none);
    CHECK(may_redirect(on(1, 7), mapped_on(1, 8), false) == output_refusal::none); // the CPU decides
    CHECK(may_redirect(on(1), on(1), true) == output_refusal::itself);
    CHECK(may_redirect(on(1), mapped_on(2), false) == output_refusal::other_cpu);
    CHECK(may_redirect(on(-1, 7), mapped_on(1), false) == output_refusal::other_cpu);
    CHECK(may_redirect(on(-1, 7), mapped_on(-1, 8), false) == output_refusal::other_thread);
}

TEST_CASE("a ring is shared only by what can be read together") {
    auto other = mapped_on(0);
    other.clock = 1;
    CHECK(may_redirect(on(0), other, false) == output_refusal::other_clock);
    other = mapped_on(0);
    other.backward = true;
    CHECK(may_redirect(on(0), other, false) == output_refusal::other_direction);
    other = mapped_on(0);
    other.aux_source = 2;
    auto mine = on(0);
    CHECK(may_redirect(mine, other, false) == output_refusal::none); // one of them has trace
    mine.aux_source = 1;
    CHECK(may_redirect(mine, other, false) == output_refusal::other_aux_source);
}

TEST_CASE("nothing is redirected away from its readers, nor to where none are") {
    CHECK(may_redirect(mapped_on(0), mapped_on(0), false) == output_refusal::mapped);
    CHECK(may_redirect(on(0), on(0), false) == output_refusal::no_ring);
    auto going = mapped_on(0);
    going.closing = true;
    CHECK(may_redirect(on(0), going, false) == output_refusal::closing);
}
