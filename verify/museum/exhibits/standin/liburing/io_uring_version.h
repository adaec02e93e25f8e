// SPDX-License-Identifier: Apache-2.0
// In the place of the header that the build of liburing writes.
#pragma once
#define IO_URING_VERSION_MAJOR 2
#define IO_URING_VERSION_MINOR 5
