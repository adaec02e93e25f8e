// SPDX-License-Identifier: Apache-2.0
#include "priorities.hpp"

#include <algorithm>

namespace ringproof::verify {

void priorities::begin() {
    most_steps_ = std::max(most_steps_, step_);
    step_ = 0;
    lowest_ = 0;
    for (double& p : of_) p = std::uniform_real_distribution<double>(1, 2)(random_);
    changes_.clear();
    for (unsigned i = 1; i < depth_; ++i) changes_.push_back(1 + random_() % most_steps_);
}

thread_id priorities::next(const std::vector<thread_id>& runnable) {
    return *std::max_element(runnable.begin(), runnable.end(),
                             [&](thread_id a, thread_id b) { return of_[a] < of_[b]; });
}

bool priorities::change_here() {
    ++step_;
    return std::find(changes_.begin(), changes_.end(), step_) != changes_.end();
}

} // namespace ringproof::verify
