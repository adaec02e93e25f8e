// SPDX-License-Identifier: Apache-2.0
#include "matrix.hpp"

#include <vector>

namespace ringproof::litmus {

bool cyclic(const word* r, extent e) {
    if (e.words == 1) {
        word left = 0;
        for (std::size_t i = 0; i < e.events; ++i)
            if (r[i]) left |= word{1} << i;
        for (;;) {
            word still = 0;
            for (word scan = left; scan; scan &= scan - 1) {
                const int i = __builtin_ctzll(scan);
                if (r[i] & left) still |= word{1} << i;
            }
            if (still == left) return left != 0;
            left = still;
        }
    }
    std::vector<word> closed(r, r + e.relation());
    close(closed.data(), e);
    return reflexive_somewhere(closed.data(), e);
}

} // namespace ringproof::litmus
