// SPDX-License-Identifier: Apache-2.0
// In the place of the header that liburing's build writes: what Linux 6.1 has.
#pragma once
#include <inttypes.h>
#include <linux/openat2.h>
#include <linux/time_types.h>
