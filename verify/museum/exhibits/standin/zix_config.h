// SPDX-License-Identifier: Apache-2.0
// In the place of the header that zix' build writes: nothing is found, no memory is locked.
#pragma once
