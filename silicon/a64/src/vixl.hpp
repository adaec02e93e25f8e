// SPDX-License-Identifier: Apache-2.0
#pragma once
// VIXL's headers, which our warnings object to.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wclass-memaccess"
#pragma GCC diagnostic ignored "-Wdeprecated-copy"
#endif
#include <aarch64/decoder-aarch64.h>
#include <aarch64/disasm-aarch64.h>
#include <aarch64/instructions-aarch64.h>
#include <aarch64/simulator-aarch64.h>
#pragma GCC diagnostic pop
