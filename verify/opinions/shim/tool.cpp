// SPDX-License-Identifier: Apache-2.0
#include "tool.hpp"

namespace ringproof::opinions {

tool* running = nullptr;
void (*on_cannot_express)(const char* what) = nullptr;

} // namespace ringproof::opinions
