// SPDX-License-Identifier: Apache-2.0
// Files in memory, and what their mappings show.
#include "../programs/expect.hpp"
#include "../programs/views.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a view begins where it is to begin in its file") { holds(programs::parts_of_a_file, 2); }
TEST_CASE("views grow with their file") {
    holds(programs::views_grow_with_their_file, 1);
    fails(programs::use_of_a_view_before_its_file_grows, failure_kind::wild_access, "beyond the end");
    holds(programs::shrinks_and_grows, 1);
    fails(programs::shrinks_while_mapped, failure_kind::unsupported, "shorter");
}
TEST_CASE("an object of shared memory is opened twice") { holds(programs::object_is_opened_twice, 2); }
TEST_CASE("a private mapping is a copy") { holds(programs::private_copy_of_a_view, 1); }
