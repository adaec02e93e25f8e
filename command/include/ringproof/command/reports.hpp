// SPDX-License-Identifier: Apache-2.0
#pragma once
// SARIF, the page and the like are made of the JSON by `ringproof report`, which knows nothing of the checkers.

#include <ringproof/command/document.hpp>

#include <string>

namespace ringproof::command {

/// Where each of them goes; empty: nowhere.
struct report_files {
    std::string junit, sarif, html, markdown, annotations, code_quality;

    bool any() const;
};

/// Runs ringproof-report on the document. It is looked for beside this program and its libraries, then in PATH.
/// @throws file_error when a file cannot be written, std::runtime_error when there is no ringproof-report
void make_reports(const json& document, const report_files& files);

} // namespace ringproof::command
