/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tools_words.h"
