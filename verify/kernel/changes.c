/* SPDX-License-Identifier: Apache-2.0 */
#include "taken_away.h"

int kernel_is_changed(enum kernel_change what) { return kernel_changed[what]; }
