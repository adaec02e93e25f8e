// SPDX-License-Identifier: Apache-2.0
#include "budget.hpp"

#include <algorithm>

namespace ringproof::verify {

double share_of(double remaining, std::size_t left, std::size_t searches, double own) {
    constexpr double least = 0.01;
    const auto parts =
        static_cast<double>(std::max<std::size_t>(left, 1) * std::max<std::size_t>(searches, 1));
    const double share = std::max(remaining / parts, least);
    return own > 0 ? std::min(own, share) : share;
}

double budget::remaining() const {
    return seconds_ - std::chrono::duration<double>(clock::now() - start_).count();
}

double budget::for_each_search(std::size_t left, std::size_t searches, double own) const {
    return seconds_ > 0 ? share_of(remaining(), left, searches, own) : own;
}

} // namespace ringproof::verify
