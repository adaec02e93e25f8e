// SPDX-License-Identifier: Apache-2.0
// In the place of the header that iceoryx' build writes: what the compiled files need.
#pragma once
#include <cstdint>
namespace iox::platform {
inline constexpr const char IOX_LOCK_FILE_PATH_PREFIX[] = "";
inline constexpr const char IOX_TEMP_DIR[] = "";
inline constexpr const char IOX_UDS_SOCKET_PATH_PREFIX[] = "";
inline constexpr std::uint64_t IOX_UDS_SOCKET_MAX_MESSAGE_SIZE = 4096;
inline constexpr bool IOX_SHM_WRITE_ZEROS_ON_CREATION = false;
} // namespace iox::platform
