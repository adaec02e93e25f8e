// SPDX-License-Identifier: Apache-2.0
#include "facts.hpp"

namespace ringproof::verify {

std::atomic<bool> search_facts::interrupted{false};

} // namespace ringproof::verify
