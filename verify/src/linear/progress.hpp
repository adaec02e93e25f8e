// SPDX-License-Identifier: Apache-2.0
#pragma once
// What promises of progress set in a search before its first client.

namespace ringproof::verify::linear {

/// Has the steps of each call counted, and every one of them explored: loops are left to no reduction. 0: does neither.
void count_steps(unsigned most);

} // namespace ringproof::verify::linear
