// SPDX-License-Identifier: Apache-2.0
// In the place of the header that cubeb's build writes.
#pragma once
#define CUBEB_EXPORT
