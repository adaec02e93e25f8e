// SPDX-License-Identifier: Apache-2.0
// In the place of glog: checks are assertions.
#pragma once
#include <cassert>
#define DCHECK(condition) assert(condition)
#define DCHECK_EQ(a, b) assert((a) == (b))
#define DCHECK_NE(a, b) assert((a) != (b))
#define DCHECK_GE(a, b) assert((a) >= (b))
