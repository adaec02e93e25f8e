// SPDX-License-Identifier: Apache-2.0
#include "regime.hpp"

#include <algorithm>
#include <cmath>

namespace ringproof::bench {

std::string_view to_string(regime r) {
    switch (r) {
    case regime::near:
        return "near";
    case regime::far:
        return "far";
    case regime::none:
        break;
    }
    return "none";
}

bool probe_pair::agree() const {
    if (!present()) return true;
    return std::max(before, after) <= probe_tolerance * std::min(before, after);
}

double probe_pair::mean() const { return present() ? std::sqrt(before * after) : 0; }

regime probe_pair::classify() const {
    if (!present()) return regime::none;
    return mean() < far_from_ns ? regime::near : regime::far;
}

} // namespace ringproof::bench
