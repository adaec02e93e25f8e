// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::verify {

/// What fresh memory holds, so that it is the same in each execution and reads of it are noticed.
inline constexpr int unwritten = 0xcb;

} // namespace ringproof::verify
