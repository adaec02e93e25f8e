// SPDX-License-Identifier: Apache-2.0
// In the place of gflags: a flag is a variable, which the driver sets.
#pragma once
#define DECLARE_bool(name) extern bool FLAGS_##name
