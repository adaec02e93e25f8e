/* SPDX-License-Identifier: Apache-2.0 */
/* clang's <stdatomic.h> brings <stdint.h>, gcc's does not; programs written for the one compile with both. */
#pragma once
#pragma GCC system_header
#include_next <stdatomic.h>
#ifndef __cplusplus
#include <stdint.h>
#endif
