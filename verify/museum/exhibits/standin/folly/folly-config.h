// SPDX-License-Identifier: Apache-2.0
// In the place of the header that folly's build writes: what Linux with a recent libstdc++ has.
#pragma once
#define FOLLY_HAVE_PTHREAD 1
#define FOLLY_HAVE_CLOCK_GETTIME 1
#define FOLLY_HAVE_WCHAR_SUPPORT 1
#define FOLLY_HAVE_INT128_T 1
#define FOLLY_HAVE_LIBGFLAGS 0
#define FOLLY_HAVE_LIBGLOG 0
#define FOLLY_MOBILE 0
