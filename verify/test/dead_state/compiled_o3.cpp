// SPDX-License-Identifier: Apache-2.0
#define DEAD_STATE_OPTIONS o3
#include "loops.hpp"
#include "pointers.hpp"
