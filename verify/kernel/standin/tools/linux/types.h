/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include_next <linux/types.h>

#include "tools_words.h"
