// SPDX-License-Identifier: Apache-2.0
#pragma once
// Manual pages in the man macros, which man and mandoc read.

#include "tables.hpp"

#include <string>

namespace ringproof::manual {

/// "ringproof-litmus-generate"
std::string page_name(const command& of, const verb& what);

/// @param date of the page, "2026-01-31"
std::string page_of(const command& of, const std::string& date);
std::string page_of(const command& of, const verb& what, const std::string& date);

} // namespace ringproof::manual
