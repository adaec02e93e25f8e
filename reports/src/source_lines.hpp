// SPDX-License-Identifier: Apache-2.0
#pragma once
// The source beside a counterexample: the lines around its events, so that the page needs no checkout.

#include "results.hpp"

#include <filesystem>

namespace ringproof::report {

/// {"path as the events name it": {"57": "the line", …}}, some lines around each event of a
/// counterexample. Only regular files below `root` are read, wherever a document points.
json source_lines(const std::vector<document>& documents, const std::filesystem::path& root);

} // namespace ringproof::report
