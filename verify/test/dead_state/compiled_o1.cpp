// SPDX-License-Identifier: Apache-2.0
#define DEAD_STATE_OPTIONS o1
#include "loops.hpp"
#include "pointers.hpp"
