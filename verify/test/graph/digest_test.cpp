// SPDX-License-Identifier: Apache-2.0
#include "../../src/graph/digest.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

/// Two writes of thread 0, and a read of thread 1 from one of them.
std::uint64_t digest_with(event_id source, std::uint64_t value) {
    graph g;
    const location_id l = g.open(0x1000, 8, true, 0);
    for (std::uint32_t i = 1; i <= 2; ++i) {
        event w;
        w.kind = event_kind::write;
        w.thread = 0;
        w.index = i;
        w.stamp = i;
        w.location = l;
        w.co_index = i;
        w.value = value;
        g.push(w);
    }
    event r;
    r.kind = event_kind::read;
    r.thread = 1;
    r.index = 1;
    r.stamp = 3;
    r.location = l;
    r.rf = source;
    r.value = value;
    g.push(r);
    return digest_of(g);
}

} // namespace

TEST_CASE("the digest tells executions apart by their values, and by who reads from whom") {
    CHECK(digest_with(1, 5) == digest_with(1, 5));
    CHECK(digest_with(1, 5) != digest_with(1, 6));
    CHECK(digest_with(1, 5) != digest_with(2, 5));
    CHECK(digest_with(0, 5) != digest_with(1, 5));
}
