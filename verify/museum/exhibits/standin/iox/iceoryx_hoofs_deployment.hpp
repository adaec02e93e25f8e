// SPDX-License-Identifier: Apache-2.0
// In the place of the header that iceoryx' build writes: no log.
#pragma once
#include <iox/iceoryx_hoofs_types.hpp>
namespace iox::build {
inline constexpr iox::log::LogLevel IOX_MINIMAL_LOG_LEVEL = iox::log::LogLevel::OFF;
} // namespace iox::build
