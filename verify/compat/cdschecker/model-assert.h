/* SPDX-License-Identifier: Apache-2.0 */
/* CDSChecker's assertion. */
#pragma once

#include <assert.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#define MODEL_ASSERT(...) assert((__VA_ARGS__))
