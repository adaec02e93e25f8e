// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <ringproof/command/reports.hpp>

namespace ringproof::verify {

bool reports_asked(const command_options& options) {
    return !options.sarif.empty() || !options.html.empty() || !options.markdown.empty() ||
           !options.annotations.empty() || !options.code_quality.empty();
}

bool takes_standard_output(const command_options& options) {
    for (const std::string* path : {&options.json, &options.junit, &options.sarif, &options.html,
                                    &options.markdown, &options.annotations, &options.code_quality})
        if (*path == "-") return true;
    return false;
}

void make_reports(const command::json& document, const command_options& options) {
    command::make_reports(document, {options.junit, options.sarif, options.html, options.markdown,
                                     options.annotations, options.code_quality});
}

} // namespace ringproof::verify
