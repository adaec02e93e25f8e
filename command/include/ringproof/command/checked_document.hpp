// SPDX-License-Identifier: Apache-2.0
#pragma once
// Documents that the command reads again: their first member is the checksum of all that is behind it.

#include "document.hpp"

#include <string>

namespace ringproof::command {

/// @return the object as text, its checksum first, and a line break at the end
[[nodiscard]] std::string with_checksum(const json& document);

/// @param text what `with_checksum` made @return the document
/// @throws std::invalid_argument, with the reason, for any other text
[[nodiscard]] json checked_document(const std::string& text);

} // namespace ringproof::command
