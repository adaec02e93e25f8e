// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program.hpp"

#define RINGPROOF_HOOK extern "C" __attribute__((visibility("default")))
#define RINGPROOF_PLACE reinterpret_cast<::ringproof::opinions::place>(__builtin_return_address(0))
