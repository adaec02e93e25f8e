// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("what is not modelled is refused") {
    fails(programs::epoll_exclusive, failure_kind::unsupported, "EPOLLEXCLUSIVE");
    fails(programs::epoll_raw, failure_kind::unsupported, "call the function of libc");
}
