// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small and capital letters, of ASCII only: whatever the locale, a test reads the same.

#include <string>
#include <string_view>

namespace ringproof::litmus {

std::string lower(std::string_view text);
std::string upper(std::string_view text);

} // namespace ringproof::litmus
